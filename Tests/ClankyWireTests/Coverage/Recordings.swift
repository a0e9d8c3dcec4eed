import Foundation
import LenientJSON

/// The recorded traffic, which lies beside the repository and is not part of it.
enum Recordings {
  /// The folder `shared/wire` beside or above this repository; nil if there is none.
  static let folder: URL? = {
    var folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while folder.path != "/" {
      let wire = folder.appendingPathComponent("shared/wire")
      if FileManager.default.fileExists(atPath: wire.appendingPathComponent("captures").path) {
        return wire
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  static var areThere: Bool { folder != nil }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: folder.appendingPathComponent(path)))
  }

  /// A recorded answer.
  static func rest(_ name: String) throws -> JSONValue {
    try .parse(try bytes("captures/rest/\(name).json"))
  }

  /// The names of all recorded JSON answers.
  static func restNames() throws -> [String] {
    guard let folder else { return [] }
    return try FileManager.default
      .contentsOfDirectory(atPath: folder.appendingPathComponent("captures/rest").path)
      .filter { $0.hasSuffix(".json") && $0 != "index.json" }
      .map { String($0.dropLast(5)) }.sorted()
  }

  /// The payloads of one event of a recorded stream; each is one `data:` line.
  static func payloads(of event: String, in stream: String) throws -> [JSONValue] {
    let lines = try bytes("captures/\(stream)").split(separator: UInt8(ascii: "\n"))
    var payloads: [JSONValue] = []
    var name: [UInt8] = []
    for line in lines {
      if line.starts(with: Array("event: ".utf8)) {
        name = Array(line.dropFirst(7))
      } else if line.starts(with: Array("data: ".utf8)), name == Array(event.utf8) {
        payloads.append(try .parse(Array(line.dropFirst(6))))
      }
    }
    return payloads
  }
}
