import Foundation
import LenientJSON

/// The recorded streams of a backend, which lie beside the repository and are not part of it.
enum Recorded {
  static let folder: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let found = folder.appendingPathComponent("shared/wire/captures")
      if FileManager.default.fileExists(atPath: found.path) { return found }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  struct Event {
    var name: String
    var data: [UInt8]
    /// When it came, in ms since 1970 on the backend's clock.
    var atMs: Int64
    /// The time of a row.
    var createdMs: Int64?
  }

  /// The events of one stream, with the pace at which they came.
  static func events(_ stream: String) throws -> [Event] {
    guard let folder else { return [] }
    let chunks = try String(
      contentsOf: folder.appendingPathComponent(stream + ".chunks.tsv"), encoding: .utf8
    ).split(separator: "\n").dropFirst().map { $0.split(separator: "\t").compactMap { Int($0) } }
    let bytes = try Data(contentsOf: folder.appendingPathComponent(stream + ".sse"))
    var events: [Event] = []
    var (name, offset, chunk) = ("", 0, 0)
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      offset += line.count + 1
      while chunk + 1 < chunks.count, chunks[chunk + 1][1] < offset { chunk += 1 }
      if line.starts(with: Array("event: ".utf8)) {
        name = String(decoding: line.dropFirst(7), as: UTF8.self)
      } else if line.starts(with: Array("data: ".utf8)) {
        let data = Array(line.dropFirst(6))
        let created = try? JSONValue.parse(data)["createdAt"]?.string
        events.append(
          Event(
            name: name, data: data, atMs: Int64(chunks[chunk][0]),
            createdMs: created.flatMap { try? Date($0, strategy: format) }.map {
              Int64(($0.timeIntervalSince1970 * 1000).rounded())
            }))
      }
    }
    let first = events.first { $0.createdMs != nil }
    let base = (first?.createdMs ?? 0) - (first?.atMs ?? 0)
    return events.map { event in
      var event = event
      event.atMs += base
      return event
    }
  }

  private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

  /// The body of the backend's answer to each path that it was asked for.
  static let answers: [String: [UInt8]] = {
    guard let folder = folder?.appendingPathComponent("rest"),
      let data = try? Data(contentsOf: folder.appendingPathComponent("index.json")),
      let index = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]]
    else { return [:] }
    var found: [String: [UInt8]] = [:]
    for entry in index where entry["method"] as? String == "GET" && entry["status"] as? Int == 200 {
      guard let path = entry["path"] as? String, let file = entry["file"] as? String,
        let body = try? Data(contentsOf: folder.appendingPathComponent(file))
      else { continue }
      found[path] = Array(body)
    }
    return found
  }()
}
