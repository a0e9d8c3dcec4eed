import Foundation

/// The measuring backend (`BackendCommand`) as a process of its own.
final class BackendProcess {
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private var answers: [UInt8] = []
  private(set) var url = ""

  init(_ program: String) throws {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["backend"]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    url = try line()
  }

  deinit {
    process.terminate()
    process.waitUntilExit()
  }

  /// The arguments that point a cockpit at it; it wants no token.
  var arguments: [String] { ["--url", url] }

  /// So many actions a second from now on.
  func tell(perSecond rate: Double) throws { try command("rate \(rate)") }

  /// Number of actions sent so far, and their bytes that the clients have not read yet.
  func told() throws -> (actions: Int, waiting: Int) {
    try command("told")
    let numbers = try line().split(separator: " ").compactMap { Int($0) }
    guard numbers.count == 2 else { throw BenchmarkError("the measuring backend says nonsense") }
    return (numbers[0], numbers[1])
  }

  private func command(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data((text + "\n").utf8))
  }

  private func line() throws -> String {
    while true {
      if let end = answers.firstIndex(of: 0x0A) {
        defer { answers.removeFirst(end + 1) }
        return String(decoding: answers[..<end], as: UTF8.self)
      }
      let more = output.fileHandleForReading.availableData
      guard !more.isEmpty else { throw BenchmarkError("the measuring backend has ended") }
      answers += more
    }
  }
}
