import Foundation
import Testing

/// The reference documents beside the repository; tests that need them are skipped without.
enum Shared {
  static let folder: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let candidate = folder.appendingPathComponent("shared")
      if FileManager.default.fileExists(atPath: candidate.appendingPathComponent("wire").path) {
        return candidate
      }
    }
    return nil
  }()

  static var exists: Bool { folder != nil }

  static func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: try #require(folder).appendingPathComponent(path)))
  }

  /// The payloads of the events with this name in a recorded stream, in order.
  static func events(_ names: Set<String>, in path: String) throws -> [(
    name: String, data: [UInt8]
  )] {
    var events: [(String, [UInt8])] = []
    var name = ""
    for line in try bytes(path).split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: Array("event: ".utf8)) {
        name = String(decoding: line.dropFirst(7), as: UTF8.self)
      } else if line.starts(with: Array("data: ".utf8)), names.contains(name) {
        events.append((name, Array(line.dropFirst(6))))
      }
    }
    return events
  }
}
