import Foundation
import Testing

/// A client of the Model Context Protocol, written from its specification, on the pipes of the program.
final class AgentClient {
  struct NoAnswer: Error, CustomStringConvertible {
    var description: String
  }

  let process: PipedProcess
  private var lastID = 0
  private var read = 0

  /// Starts the program and agrees on a version.
  init(
    _ options: [String], home: TemporaryFolder, token: String? = nil,
    version: String = "2025-06-18", _ more: [String: String] = [:]
  ) throws {
    process = try PipedProcess(
      Tool.path, ["mcp"] + options,
      environment: Tool.environment(home: home, token: token, more), hasInput: true)
    let hello = try ask(
      "initialize",
      [
        "protocolVersion": version, "capabilities": [String: Any](),
        "clientInfo": ["name": "test", "version": "1"],
      ])
    let result = hello["result"] as? [String: Any]
    guard result?["protocolVersion"] as? String == version else {
      throw NoAnswer(description: "\(hello)")
    }
    send(["jsonrpc": "2.0", "method": "notifications/initialized"])
  }

  func send(_ message: Any) {
    let data = (try? JSONSerialization.data(withJSONObject: message)) ?? Data()
    process.write(String(decoding: data, as: UTF8.self) + "\n")
  }

  /// Starts a request.
  @discardableResult
  func begin(_ method: String, _ params: [String: Any]) -> Int {
    lastID += 1
    send(["jsonrpc": "2.0", "id": lastID, "method": method, "params": params])
    return lastID
  }

  /// The next frame.
  func frame() throws -> [String: Any] {
    guard process.pump(until: { process.lines.count > read }) else {
      throw NoAnswer(description: "nothing came: \(process.errorText.suffix(500))")
    }
    let line = process.lines[read]
    read += 1
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try #require(object as? [String: Any])
  }

  func ask(_ method: String, _ params: [String: Any]) throws -> [String: Any] {
    let id = begin(method, params)
    let frame = try frame()
    guard frame["id"] as? Int == id else { throw NoAnswer(description: "\(frame)") }
    return frame
  }

  /// The result of a call.
  func call(_ tool: String, _ arguments: [String: Any] = [:]) throws -> AgentResult {
    let frame = try ask("tools/call", ["name": tool, "arguments": arguments])
    guard let result = frame["result"] as? [String: Any] else {
      throw NoAnswer(description: "\(frame)")
    }
    return AgentResult(object: result)
  }

  /// Closes the input and gives the exit status.
  func end() -> PipedProcess.Status? {
    process.closeInput()
    return process.wait()
  }
}

/// A result of `tools/call`.
struct AgentResult {
  var object: [String: Any]

  var isError: Bool { object["isError"] as? Bool ?? false }
  var texts: [String] {
    (object["content"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
  }
  var structured: [String: Any] { object["structuredContent"] as? [String: Any] ?? [:] }
  var coverage: [String: Any] { structured["coverage"] as? [String: Any] ?? [:] }
  var rows: [Int] { structured["rows"] as? [Int] ?? [] }
  var untrusted: [String: Any] { structured["untrusted"] as? [String: Any] ?? [:] }
  var sentence: String? { untrusted["sentence"] as? String }
  var lines: [String] { untrusted["lines"] as? [String] ?? [] }
  var notes: [String] { untrusted["notes"] as? [String] ?? [] }

  /// Everything that is not fenced.
  var outside: String {
    var rest = structured
    rest["untrusted"] = nil
    let data = (try? JSONSerialization.data(withJSONObject: rest)) ?? Data()
    var texts = texts
    for index in texts.indices {
      while let start = texts[index].range(of: "<untrusted-text ") {
        let nonce = texts[index][start.upperBound...].prefix { $0 != ">" }
        guard let end = texts[index].range(of: "</untrusted-text \(nonce)>") else { break }
        texts[index].removeSubrange(start.lowerBound..<end.upperBound)
      }
    }
    return String(decoding: data, as: UTF8.self) + "\n" + texts.joined(separator: "\n")
  }
}
