import CurlTransport
import Networking
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// `openssl s_server` with a certificate made for the occasion.
///
/// `@unchecked Sendable`: nothing changes after `init`; the process is ended in `deinit` only.
private final class TLSServer: @unchecked Sendable {
  let folder: URL
  let port: Int
  private let process = Process()

  static let tool = "/usr/bin/openssl"

  var certificate: String { folder.appending(path: "cert.pem").path }

  /// - Parameter name: the subject alternative name, such as `IP:127.0.0.1`.
  init(name: String) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "tls-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let (key, certificate) = (
      folder.appending(path: "key.pem").path, folder.appending(path: "cert.pem").path
    )
    let make = Process()
    make.executableURL = URL(filePath: Self.tool)
    make.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=lantern", "-addext",
      "subjectAltName=\(name)",
    ]
    make.standardError = FileHandle.nullDevice
    try make.run()
    make.waitUntilExit()
    // A port that was free a moment ago: the tool cannot report the one it chose without a terminal.
    let probe = try LoopbackServer { _ in }
    port = probe.port
    probe.stop()
    process.executableURL = URL(filePath: Self.tool)
    process.arguments = [
      "s_server", "-accept", "127.0.0.1:\(port)", "-key", key, "-cert", certificate, "-www",
    ]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    try waitUntilItListens()
  }

  /// Blocks, so it runs off the main actor.
  static func start(name: String) async throws -> TLSServer {
    try await Task.detached { try TLSServer(name: name) }.value
  }

  private func waitUntilItListens() throws {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    for _ in 0..<500 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      let result = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return }
      usleep(10_000)
    }
    throw POSIXError(.ECONNREFUSED)
  }

  deinit {
    // Not `terminate`: the tool inherits a blocked SIGTERM from the thread that starts it.
    kill(process.processIdentifier, SIGKILL)
    try? FileManager.default.removeItem(at: folder)
  }
}

@MainActor
@Suite(
  .enabled(if: FileManager.default.isExecutableFile(atPath: TLSServer.tool)),
  .timeLimit(.minutes(1)))
struct TLSTests {
  private func ask(_ server: TLSServer, caFile: String?) async throws -> Probe {
    let transport = try CurlTransport(clock: DispatchClock(), caFile: caFile)
    let probe = Probe()
    let base = try BackendURL("https://127.0.0.1:\(server.port)")
    let task = transport.open(try .rest(base), delegate: probe)
    _ = await probe.ended()
    withExtendedLifetime(task) {}
    return probe
  }

  @Test func anUnknownAuthorityIsRefusedUnlessGiven() async throws {
    let server = try await TLSServer.start(name: "IP:127.0.0.1")
    let refused = try await ask(server, caFile: nil)
    guard case .tls = refused.end?.error else {
      Issue.record("\(String(describing: refused.end))")
      return
    }
    #expect(refused.head == nil)
    #expect(refused.end?.requestWasSent == false)
    let accepted = try await ask(server, caFile: server.certificate)
    #expect(accepted.head?.status == 200)
  }

  @Test func theNameIsVerifiedEvenWithAGivenAuthority() async throws {
    let server = try await TLSServer.start(name: "DNS:elsewhere.example")
    let refused = try await ask(server, caFile: server.certificate)
    guard case .tls = refused.end?.error else {
      Issue.record("\(String(describing: refused.end))")
      return
    }
    #expect(refused.head == nil)
  }
}
