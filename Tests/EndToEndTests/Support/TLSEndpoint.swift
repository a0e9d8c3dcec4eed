import Foundation
import Testing

/// Certificates of an unknown authority, made by `openssl` for one test.
struct TestAuthority {
  static let tool = "/usr/bin/openssl"
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: tool) }

  private let folder: String
  /// For `--ca-file`.
  var certificate: String { "\(folder)/ca.pem" }

  /// - Parameter home: where the files are; it goes with the test.
  init(_ home: TemporaryFolder) throws {
    folder = home.path
    _ = try home.file(
      "ca.cnf",
      """
      [ca]
      default_ca = here
      [here]
      new_certs_dir = \(folder)
      database = \(folder)/index.txt
      serial = \(folder)/serial
      default_md = sha256
      policy = names
      copy_extensions = copy
      unique_subject = no
      [names]
      commonName = supplied

      """)
    _ = try home.file("index.txt", "")
    _ = try home.file("serial", "01\n")
    try Self.run(Self.newKey("\(folder)/ca.key") + ["-x509", "-out", certificate, "-days", "3650"])
  }

  /// A certificate for a name, good between two moments (`YYYYMMDDHHMMSSZ`).
  func leaf(
    _ name: String, for subject: String, from: String, to: String
  ) throws -> (key: String, certificate: String) {
    let path = "\(folder)/\(name)"
    try Self.run(
      Self.newKey("\(path).key") + ["-out", "\(path).csr", "-addext", "subjectAltName=\(subject)"])
    try Self.run([
      "ca", "-batch", "-notext", "-config", "\(folder)/ca.cnf", "-cert", certificate, "-keyfile",
      "\(folder)/ca.key", "-in", "\(path).csr", "-out", "\(path).pem", "-startdate", from,
      "-enddate", to,
    ])
    return ("\(path).key", "\(path).pem")
  }

  /// A certificate that vouches for itself.
  func selfSigned(_ name: String, for subject: String) throws -> (key: String, certificate: String)
  {
    let path = "\(folder)/\(name)"
    try Self.run(
      Self.newKey("\(path).key")
        + ["-x509", "-out", "\(path).pem", "-days", "2", "-addext", "subjectAltName=\(subject)"])
    return ("\(path).key", "\(path).pem")
  }

  private static func newKey(_ path: String) -> [String] {
    [
      "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", path,
      "-subj", "/CN=lantern",
    ]
  }

  private static func run(_ arguments: [String]) throws {
    let process = try PipedProcess(tool, arguments, environment: ["PATH": "/usr/bin:/bin"])
    try #require(process.wait() == .exited(0), "openssl says: \(process.errorText)")
  }
}

/// `openssl s_server`, which writes down what clients say to it. It serves one connection at a time
/// and answers none; or it passes its first connection on to a server without TLS.
final class TLSEndpoint {
  let port: UInt16
  private let process = Process()
  /// Held open: at the end of its input the tool would end.
  private let input = Pipe()
  private let transcript: String

  var url: String { "https://127.0.0.1:\(port)" }

  /// - Parameters:
  ///   - options: more options of `s_server`.
  ///   - target: the port on this machine to which the first connection is passed on; nothing is written down then.
  init(
    _ pair: (key: String, certificate: String), options: [String] = [], target: UInt16? = nil
  ) throws {
    // A port that was free a moment ago: the tool does not report one of its own choosing in time.
    let probe = try StubServer { _ in StubReply(isClosed: true) }
    port = probe.port
    probe.stop()
    transcript = pair.key + ".said"
    _ = FileManager.default.createFile(atPath: transcript, contents: nil)
    process.executableURL = URL(filePath: TestAuthority.tool)
    process.arguments =
      [
        "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-key", pair.key, "-cert",
        pair.certificate,
      ] + options
    if let target {
      let far = FileHandle(
        fileDescriptor: try LoopbackSocket.connected(to: target), closeOnDealloc: true)
      process.standardInput = far
      process.standardOutput = far
    } else {
      process.standardInput = input
      process.standardOutput = FileHandle(forWritingAtPath: transcript)
    }
    process.standardError = FileHandle.nullDevice
    try process.run()
    try waitUntilItListens()
  }

  deinit {
    // Not `terminate`: the tool inherits a blocked SIGTERM from the thread that starts it.
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The decrypted requests of the clients.
  var heard: String { (try? String(contentsOfFile: transcript, encoding: .utf8)) ?? "" }

  private func waitUntilItListens() throws {
    let deadline = ContinuousClock.now + Tool.patience
    while ContinuousClock.now < deadline {
      if let descriptor = try? LoopbackSocket.connected(to: port) {
        close(descriptor)
        return
      }
      usleep(10_000)
    }
    throw POSIXError(.ECONNREFUSED)
  }
}
