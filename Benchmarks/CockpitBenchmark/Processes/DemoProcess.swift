import Foundation

/// The demo backend as a process of its own.
final class DemoProcess {
  private let process = Process()
  let url: String
  let tokenFile: String

  init(
    cockpit: String, scenario: String, flood: Int? = nil, facts: Int? = nil, options: [String] = []
  ) throws {
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: cockpit)
    process.arguments =
      ["demo", "--scenario", scenario] + (flood.map { ["--flood", String($0)] } ?? [])
      + (facts.map { ["--facts", String($0)] } ?? []) + options
    process.standardOutput = output
    process.standardInput = FileHandle.nullDevice
    try process.run()
    var line = Data()
    while !line.contains(0x0A) {
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("the demo backend did not start") }
      line += more
    }
    struct Address: Decodable {
      let url: String
      let tokenFile: String

      enum CodingKeys: String, CodingKey {
        case url
        case tokenFile = "token_file"
      }
    }
    let address = try JSONDecoder().decode(Address.self, from: line)
    url = address.url
    tokenFile = address.tokenFile
  }

  deinit {
    if process.isRunning { process.terminate() }
    process.waitUntilExit()
  }

  /// Ends it as a power failure does.
  func kill() {
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// The arguments that point a cockpit at it.
  var arguments: [String] { ["--url", url, "--token-file", tokenFile] }
}
