import CockpitHistory
import CockpitSinks
import Foundation
import LenientJSON
import Testing

@Suite struct RowFingerprintTests {
  @Test("keys are those that Vectors/row-keys.py computes from the description")
  func vectors() throws {
    let url = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "Vectors/row-keys.json")
    let vectors = try #require(try JSONValue.parse([UInt8](Data(contentsOf: url))).array)
    #expect(vectors.count == 108)
    for vector in vectors {
      let row = Array(try #require(vector["row"]?.string).utf8)
      let bot = RowFingerprint.bot(try #require(vector["bot"]?.string))
      let key = RowFingerprint.key(
        bot: bot, identity: RowFingerprint.identity(row),
        ordinal: try #require(vector["ordinal"]?.int))
      #expect(RowFingerprint.hexadecimal(key) == vector["key"]?.string, "\(vector)")
    }
  }

  @Test("equal rows of one millisecond have keys of their own, the same after a restart")
  func twins() throws {
    let place = SinkPlace()
    let rows =
      (0..<7).map { _ in SinkRows.plain(1, atMs: 1_790_000_000_000) }
      + (0..<3).map { SinkRows.plain($0, atMs: 1_790_000_000_000) }
    place.record(rows)
    let bot = try HistoryNotes.sinkBot(named: "x", in: place.path)
    func keys(from places: [Int64]) throws -> [String] {
      try places.flatMap { seq in
        let source = try SinkSource(
          folder: place.path, bot: bot, level: .none, keepsPrompts: true)
        return try source.page(after: SequencePlace(seq: seq), nowMs: 0).rows.prefix(1)
          .map(\.keyText)
      }
    }
    let source = try SinkSource(folder: place.path, bot: bot, level: .none, keepsPrompts: true)
    let whole = try source.page(after: SequencePlace(), nowMs: 0).rows
    #expect(whole.count == 10)
    #expect(Set(whole.map(\.keyText)).count == 10)
    #expect(whole.map(\.ordinalInMs) == Array(0..<10))
    // Each row alone, by a reader that has seen no other.
    let alone = try keys(from: [0] + whole.dropLast().map(\.place.seq))
    #expect(alone == whole.map(\.keyText))
  }

  @Test("pseudonyms are the same for the same secret, and others for another")
  func pseudonyms() {
    let first = RowFingerprint.pseudonyms(secret: [1, 2, 3])
    let second = RowFingerprint.pseudonyms(secret: [1, 2, 4])
    #expect(first("id 1") == RowFingerprint.pseudonyms(secret: [1, 2, 3])("id 1"))
    #expect(first("id 1") != second("id 1"))
    #expect(first("id 1") != first("id 2"))
    // HMAC-SHA256 with the key "Jefe", RFC 4231, case 2.
    let known = RowFingerprint.pseudonyms(secret: Array("Jefe".utf8))
    #expect(known("what do ya want for nothing?") == 0x5BDC_C146_BF60_754E)
  }
}
