import Foundation

/// A `tail --json` whose lines are read as they arrive.
final class TailProcess {
  private let process = Process()
  private let reader: Int32
  private var rest: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 1 << 16)
  /// The last reported state of the connection.
  private(set) var state = ""
  /// Lines by their type.
  private(set) var lines: [String: Int] = [:]
  /// Every line about the connection.
  var onNews: (String) -> Void = { _ in }

  init(_ path: String, _ arguments: [String]) throws {
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["tail", "--json"] + arguments
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    reader = dup(pipe.fileHandleForReading.fileDescriptor)
    _ = fcntl(reader, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    close(reader)
  }

  var processID: pid_t { process.processIdentifier }
  var isRunning: Bool { process.isRunning }

  func end() {
    process.terminate()
    process.waitUntilExit()
  }

  /// Gives every row that was printed since the last time.
  func drain(_ onRow: (LoggedRow) -> Void) {
    while case let count = read(reader, &chunk, chunk.count), count > 0 {
      rest += chunk[..<count]
    }
    var start = rest.startIndex
    while let end = rest[start...].firstIndex(of: 0x0A) {
      take(rest[start..<end], onRow)
      start = end + 1
    }
    rest.removeSubrange(..<start)
  }

  private struct Line: Decodable {
    let type: String
    let state: String?
  }

  private func take(_ line: ArraySlice<UInt8>, _ onRow: (LoggedRow) -> Void) {
    // Payloads are long and not needed.
    for type in ["stats", "voice_state"]
    where line.starts(with: Array("{\"type\":\"\(type)\"".utf8)) {
      lines[type, default: 0] += 1
      return
    }
    let data = Data(line)
    guard let head = try? JSONDecoder().decode(Line.self, from: data) else {
      lines["unreadable", default: 0] += 1
      return
    }
    lines[head.type, default: 0] += 1
    if let state = head.state { self.state = state }
    if ["status", "gap", "reset", "error"].contains(head.type) {
      onNews(String(decoding: data, as: UTF8.self))
    }
    if head.type == "action", let row = try? JSONDecoder().decode(LoggedRow.self, from: data) {
      onRow(row)
    }
  }
}
