import Foundation

/// Recorded traffic of the real backend. It lies beside the repository and is not part of it.
enum Captures {
  /// The token that the recorded backend accepted (README of the recordings).
  static let token = "lantern-test-token"

  static let folder: URL? = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let captures = folder.appending(path: "shared/wire/captures")
      if FileManager.default.fileExists(atPath: captures.path) { return captures }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static var areThere: Bool { folder != nil }
  static let absence = "shared/wire/captures is not beside this repository"

  static func bytes(_ name: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: folder.appending(path: name)))
  }

  /// Response headers as recorded.
  static func headers(_ name: String) throws -> [(name: String, value: String)] {
    String(decoding: try bytes(name), as: UTF8.self).components(separatedBy: .newlines)
      .dropFirst().compactMap { line in
        let parts = line.split(separator: ":", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        return (String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces))
      }
  }

  /// The HTTP chunks of a recorded stream, with the boundaries they had.
  static func chunks(_ stream: String) throws -> [[UInt8]] {
    let bytes = try bytes("\(stream).sse")
    let table = String(decoding: try Self.bytes("\(stream).chunks.tsv"), as: UTF8.self)
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let columns = line.split(separator: "\t").compactMap { Int($0) }
      guard columns.count == 3 else { return nil }
      return Array(bytes[columns[1]..<min(bytes.count, columns[1] + columns[2])])
    }
  }
}

/// One event of a recorded stream.
struct RecordedEvent: Equatable {
  var name: String
  var data: String
  /// Where the event ends in the stream, blank line included.
  var end: Int

  /// All complete events. The recordings have LF line ends and one `data:` line for each event
  /// (wire contract 2.2), so this needs no parser that could share a bug with the program.
  static func all(in bytes: [UInt8]) -> [RecordedEvent] {
    var events: [RecordedEvent] = []
    var start = 0
    for end in bytes.indices.dropFirst()
    where bytes[end] == 0x0A && bytes[end - 1] == 0x0A && end > start {
      let block = String(decoding: bytes[start..<end], as: UTF8.self)
      start = end + 1
      var event = RecordedEvent(name: "", data: "", end: start)
      for line in block.split(separator: "\n") {
        if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
        if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
      }
      if !event.name.isEmpty { events.append(event) }
    }
    return events
  }
}
