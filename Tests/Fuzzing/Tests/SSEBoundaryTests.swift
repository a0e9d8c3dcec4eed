import Networking
import Foundation
import ParserProperties
import Testing

/// The parser against an independent decoder (`SSEReference`), which gets the whole stream at once.
@Suite("server-sent events at every boundary") struct SSEBoundaryTests {
  private static let streams: [(name: String, bytes: [UInt8])] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/sse")
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path())) ?? []
    return files.sorted().compactMap { file in
      (try? Data(contentsOf: folder.appending(path: file))).map { (file, [UInt8]($0)) }
    }
  }()

  @Test("cut in two at every place, and byte by byte (promise P3)")
  func everyPlace() {
    #expect(!Self.streams.isEmpty)
    for (name, bytes) in Self.streams {
      for limit in [24, SSEParser.defaultEventLimit] {
        let expected = SSEReference(bytes, limit: limit)
        for place in 0...bytes.count {
          let found = SSEReference(
            parsing: [Array(bytes[..<place]), Array(bytes[place...])], limit: limit)
          if found != expected { Issue.record("\(name) cut at \(place), limit \(limit): \(found)") }
        }
        #expect(SSEReference(parsing: bytes.map { [$0] }, limit: limit) == expected, "\(name)")
      }
    }
  }

  @Test("short streams cut in three at every pair of places (promise P3)")
  func everyPair() {
    for (name, bytes) in Self.streams where bytes.count <= 80 {
      let expected = SSEReference(bytes)
      for first in 0...bytes.count {
        for second in first...bytes.count {
          let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]].map(Array.init)
          if SSEReference(parsing: pieces) != expected {
            Issue.record("\(name) cut at \(first) and \(second)")
          }
        }
      }
    }
  }

  @Test("an event of 64 MiB comes, one byte more costs itself and what follows comes (promise P3)")
  func theLargestEvent() {
    var parser = SSEParser()
    var sizes: [Int] = []
    var discarded: [String] = []
    func feed(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes {
        parser.feed($0, discarded: { discarded.append("\($0) after \(sizes.count)") }) {
          sizes.append($0.data.count)
        }
      }
    }
    let chunk = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
    for extra in [0, 1] {
      feed(Array("event: voice_state\nid: \(extra)\ndata: ".utf8))
      for _ in 0..<64 { feed(chunk) }
      feed([UInt8](repeating: UInt8(ascii: "y"), count: extra))
      feed(Array("\nretry: 4\(extra)\n\ndata: ok\n\n".utf8))
    }
    #expect(sizes == [64 << 20, 2, 2])
    #expect(parser.discardedEvents == 1)
    #expect(discarded == ["voice_state after 2"])
    #expect(parser.lastEventID == "1")
    #expect(parser.retryMs == 41)
  }

  @Test("an id and a retry that are too long cost themselves (promise P3)")
  func longSmallFields() {
    let long = String(repeating: "1", count: 1_100_000)
    let text =
      "id: 5\nretry: 7\ndata: a\n\nid: \(long)\nretry: \(long)\ndata: b\n\nevent: \(long)\ndata: c\n\ndata: d\n\n"
    for size in [17, 4_096, 1 << 20] {
      var random = InputRandom(seed: UInt64(size))
      let found = SSEReference(parsing: Array(text.utf8).pieces(upTo: size, &random))
      #expect(found.events.map { String(decoding: $0.data, as: UTF8.self) } == ["a", "b", "d"])
      #expect(found.events.map(\.lastEventID) == ["5", "5", "5"])
      #expect(found.retryMs == 7)
      #expect(found.discarded == 1)
    }
  }
}
