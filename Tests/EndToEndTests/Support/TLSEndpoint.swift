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
/// and answers none.
final class TLSEndpoint {
  let port: UInt16
  private let process = Process()
  /// Held open: at the end of its input the tool would end.
  private let input = Pipe()
  private let transcript: String

  var url: String { "https://127.0.0.1:\(port)" }

  init(_ pair: (key: String, certificate: String)) throws {
    // A port that was free a moment ago: the tool does not report one of its own choosing in time.
    let probe = try StubServer { _ in StubReply(isClosed: true) }
    port = probe.port
    probe.stop()
    transcript = pair.key + ".said"
    _ = FileManager.default.createFile(atPath: transcript, contents: nil)
    process.executableURL = URL(filePath: TestAuthority.tool)
    process.arguments = [
      "s_server", "-quiet", "-accept", "127.0.0.1:\(port)", "-key", pair.key, "-cert",
      pair.certificate,
    ]
    process.standardInput = input
    process.standardOutput = FileHandle(forWritingAtPath: transcript)
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
    #if canImport(Darwin)
      let kind = SOCK_STREAM
    #else
      let kind = Int32(SOCK_STREAM.rawValue)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let deadline = ContinuousClock.now + Tool.patience
    while ContinuousClock.now < deadline {
      let descriptor = socket(AF_INET, kind, 0)
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
}
