import Foundation
import Networking
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A WebSocket server that shares no code with us: Python's `websockets`, if it is installed.
///
/// `@unchecked Sendable`: nothing changes after `init`; the process is ended in `deinit` only.
final class WebSocketPeer: @unchecked Sendable {
  static let python = "/usr/bin/env"
  /// Whether there is one. Without it the tests that need it are skipped.
  static let isInstalled: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: python)
    process.arguments = ["python3", "-c", "import websockets.asyncio.server"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  let folder: URL
  let port: Int
  private let process = Process()
  private let input = Pipe()

  /// - Parameter tls: `server` for a certificate of its own, `expired` for one that was good for another host in 2020,
  ///   `mutual` if it wants the client's too: without one it resets the connection, and its reason is rarely read.
  private init(tls: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    if tls != "none" {
      for name in ["server", "client"] { try Self.makeCertificate(name, in: folder) }
      if tls == "expired" { try Self.makeExpired(in: folder) }
    }
    let script = folder.appending(path: "peer.py")
    try Self.script.write(to: script, atomically: true, encoding: .utf8)
    process.executableURL = URL(filePath: Self.python)
    process.arguments = ["python3", script.path, tls, folder.path]
    let output = Pipe()
    process.standardOutput = output
    // It ends when this side of the pipe is gone.
    process.standardInput = input
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw POSIXError(.ECONNREFUSED)
    }
    self.port = port
  }

  /// Blocks, so it runs off the main actor.
  static func start(tls: String = "none") async throws -> WebSocketPeer {
    try await Task.detached { try WebSocketPeer(tls: tls) }.value
  }

  func file(_ name: String) -> String { folder.appending(path: name).path }

  func url(_ path: String, scheme: String = "ws") throws -> WebSocketURL {
    try WebSocketURL("\(scheme)://127.0.0.1:\(port)\(path)")
  }

  /// `sha256//…` of the server's key, by openssl.
  func pin() throws -> String {
    let command =
      "openssl x509 -in \(file("server.pem")) -pubkey -noout | openssl pkey -pubin -outform der"
      + " | openssl dgst -sha256 -binary | openssl base64"
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.arguments = ["-c", command]
    let output = Pipe()
    shell.standardOutput = output
    try shell.run()
    shell.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    return "sha256//" + text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// SHA-256 of the server's certificate, by openssl.
  func fingerprint() throws -> CertificateFingerprint {
    let tool = Process()
    tool.executableURL = URL(filePath: Self.python)
    tool.arguments = [
      "openssl", "x509", "-in", file("server.pem"), "-noout", "-fingerprint", "-sha256",
    ]
    let output = Pipe()
    tool.standardOutput = output
    try tool.run()
    tool.waitUntilExit()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    let digits = try #require(text.split(separator: "=").last)
    return try #require(
      CertificateFingerprint(digits.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  private static func makeExpired(in folder: URL) throws {
    let configuration = """
      [ca]
      default_ca = here
      [here]
      new_certs_dir = .
      database = index
      serial = serial
      default_md = sha256
      policy = names
      copy_extensions = copy
      [names]
      commonName = supplied
      """
    try Data(configuration.utf8).write(to: folder.appending(path: "ca.cnf"))
    try Data().write(to: folder.appending(path: "index"))
    try Data("01\n".utf8).write(to: folder.appending(path: "serial"))
    let shell = Process()
    shell.executableURL = URL(filePath: "/bin/sh")
    shell.currentDirectoryURL = folder
    shell.arguments = [
      "-ec",
      """
      openssl req -new -key server.key -out request -subj /CN=server \\
        -addext subjectAltName=DNS:elsewhere.example
      openssl ca -batch -notext -selfsign -config ca.cnf -keyfile server.key -in request \\
        -out server.pem -startdate 20200101000000Z -enddate 20200201000000Z
      """,
    ]
    shell.standardOutput = FileHandle.nullDevice
    shell.standardError = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    try #require(shell.terminationStatus == 0)
  }

  private static func makeCertificate(_ name: String, in folder: URL) throws {
    let make = Process()
    make.executableURL = URL(filePath: python)
    make.arguments = [
      "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
      "-nodes", "-keyout", folder.appending(path: "\(name).key").path, "-out",
      folder.appending(path: "\(name).pem").path, "-days", "2", "-subj", "/CN=\(name)", "-addext",
      "subjectAltName=IP:127.0.0.1",
    ]
    make.standardError = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }

  private static let script = """
    import asyncio, ssl, sys
    from websockets.asyncio.server import serve

    async def handle(socket):
        path = socket.request.path
        if path == "/echo":
            async for message in socket:
                await socket.send(message)
        elif path == "/greet":
            await socket.send("first")
            await socket.send("second")
            await socket.wait_closed()
        elif path == "/fragments":
            async def pieces():
                yield "a\\u2603"
                waiter = await socket.ping(b"mid")
                await waiter
                yield "b"
            await socket.send(pieces())
            await socket.wait_closed()
        elif path == "/large":
            for size in (70_000, 5_000_000, 3):
                await socket.send("x" * size)
            await socket.wait_closed()
        elif path.startswith("/close/"):
            await socket.close(int(path[7:]), "service restart")

    async def main():
        kind, folder = sys.argv[1:]
        context = None
        if kind != "none":
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(folder + "/server.pem", folder + "/server.key")
            if kind == "mutual":
                context.verify_mode = ssl.CERT_REQUIRED
                context.load_verify_locations(folder + "/client.pem")
        async with serve(handle, "127.0.0.1", 0, ssl=context, max_size=None) as server:
            print(server.sockets[0].getsockname()[1], flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)

    asyncio.run(main())
    """
}

/// Collects what a socket says.
@MainActor
final class SocketProbe: WebSocketDelegate {
  private(set) var isOpen = false
  private(set) var texts: [String] = []
  private(set) var binaries: [[UInt8]] = []
  private(set) var end: WebSocketEnd?
  var onOpen: ((any WebSocketConnection) -> Void)?
  private var waiters: [(isMet: @MainActor () -> Bool, CheckedContinuation<Void, Never>)] = []

  func opened(_ socket: any WebSocketConnection) {
    isOpen = true
    onOpen?(socket)
    look()
  }

  func socket(_ socket: any WebSocketConnection, received text: [UInt8]) {
    texts.append(String(decoding: text, as: UTF8.self))
    look()
  }

  func socket(_ socket: any WebSocketConnection, receivedBinary bytes: [UInt8]) {
    binaries.append(bytes)
    look()
  }

  func socket(_ socket: any WebSocketConnection, ended end: WebSocketEnd) {
    #expect(self.end == nil, "the end is told once")
    self.end = end
    look()
  }

  /// Waits until it is so, or the connection is over.
  func until(_ isMet: @escaping @MainActor () -> Bool) async {
    if isMet() || end != nil { return }
    await withCheckedContinuation { waiters.append((isMet, $0)) }
  }

  func ended() async -> WebSocketEnd? {
    await until { false }
    return end
  }

  private func look() {
    let met = waiters.filter { end != nil || $0.isMet() }
    waiters.removeAll { end != nil || $0.isMet() }
    for waiter in met { waiter.1.resume() }
  }
}
