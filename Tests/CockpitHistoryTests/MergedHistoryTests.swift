import CockpitDomain
import Foundation
import HistoryTestKit
import Synchronization
import Testing

@testable import CockpitHistory

/// A local history with that of a team behind it.
@Suite struct MergedHistoryTests {
  private typealias Part = HistoryParts.Part

  @Test("the database is asked for what the recorder does not have")
  func parts() {
    let outage = RecordedOutage(fromMs: 300, toMs: 400, reason: .stopped)
    #expect(
      HistoryParts(startMs: 100, lastMs: 900, outages: [outage], nowMs: 1000).parts == [
        Part(after: 399, through: .max, isLocal: true),
        Part(after: 300, through: 399, isLocal: false),
        Part(after: 99, through: 300, isLocal: true),
        Part(after: .min, through: 99, isLocal: false),
      ])
    // The recorder has ended.
    #expect(
      HistoryParts(startMs: 100, lastMs: 900, outages: [], nowMs: 900_000).parts == [
        Part(after: 900, through: .max, isLocal: false),
        Part(after: 99, through: 900, isLocal: true),
        Part(after: .min, through: 99, isLocal: false),
      ])
  }

  @Test("both together give the rows, documents and hits of the whole")
  func whole() throws {
    let sample = try MergedSample()
    let merged = sample.merged()
    let whole = sample.whole
    #expect(try merged.span() == whole.span())
    for limit in [1, 7, 40, 1000] {
      for ms in stride(from: sample.startMs - 5, through: sample.startMs + 1000, by: 95) {
        #expect(
          try merged.rows(notAfterMs: ms, limit: limit, skipping: 0).map(\.json)
            == whole.rows(notAfterMs: ms, limit: limit, skipping: 0).map(\.json))
        #expect(
          try merged.rows(after: ms, through: .max, limit: limit).map(\.json)
            == whole.rows(after: ms, through: .max, limit: limit).map(\.json))
      }
    }
    for ms in [sample.startMs + 50, sample.startMs + 450, sample.startMs + 990] {
      #expect(
        try merged.document("stats", notAfterMs: ms)?.body
          == whole.document("stats", notAfterMs: ms)?.body)
    }
    #expect(
      try merged.documents(after: .min, through: .max).map(\.body) == whole.documents.map(\.body))
    // Page by page.
    var query = HistorySearch(terms: [.init(words: ["even"])])
    var found: [[UInt8]] = []
    while true {
      let hits = try merged.search(query, limit: 7)
      found += hits.rows.map(\.json)
      guard let next = hits.next else { break }
      query.before = next
    }
    #expect(found == (0..<100).reversed().filter { $0 % 2 == 0 }.map { sample.json($0) })
    #expect(merged.origin(atMs: sample.startMs + 10) == "team history")
    #expect(merged.origin(atMs: sample.startMs + 990) == nil)
    #expect(merged.trouble == nil)
  }

  @Test("while the database does not answer the local history is all there is, and that is said")
  func down() throws {
    let sample = try MergedSample()
    let now = Mutex(sample.startMs + 1000)
    let isDown = Mutex(true)
    let shared = sample.whole
    let merged = MergedHistory(
      local: sample.local, name: "team history", nowMs: { now.withLock { $0 } }
    ) { () throws(HistoryError) in
      if isDown.withLock({ $0 }) { throw HistoryError(.unreachable, "refused") }
      return shared
    }
    let own = try sample.local.rows(notAfterMs: .max, limit: 1000, skipping: 0)
    #expect(try merged.rows(notAfterMs: .max, limit: 1000, skipping: 0) == own)
    #expect(merged.trouble == "team history down: refused")
    now.withLock { $0 += 240_000 }
    #expect(merged.trouble == "team history down 4 min: refused")
    isDown.withLock { $0 = false }
    #expect(try merged.rows(notAfterMs: .max, limit: 1000, skipping: 0).count == 100)
    #expect(merged.trouble == nil)
    // Without a local history there is nothing to show.
    isDown.withLock { $0 = true }
    let alone = MergedHistory(local: nil, name: "team history", nowMs: { 0 }) {
      () throws(HistoryError) in throw HistoryError(.unreachable, "refused")
    }
    #expect(throws: HistoryError(.unreachable, "team history does not answer: refused")) {
      try alone.span()
    }
  }
}

/// A hundred rows of which this machine has the last 60, but for some in the middle.
private struct MergedSample {
  let startMs: Int64 = 1_790_000_000_000
  let folder: String
  let local: HistoryFolder
  let whole: MemoryHistory

  /// The bytes of a row.
  static func json(_ number: Int, _ startMs: Int64) -> [UInt8] {
    let ms = startMs + Int64(number) * 10
    let day = Date(timeIntervalSince1970: Double(ms / 1000)).formatted(.iso8601).dropLast()
    let at = "\(day).\(String(1000 + ms % 1000).dropFirst())Z"
    let word = number % 2 == 0 ? "even" : "odd"
    return Array(
      #"{"kind":"sent_reply","content":"row \#(number) \#(word)","createdAt":"\#(at)","metadata":{}}"#
        .utf8)
  }

  func json(_ number: Int) -> [UInt8] { Self.json(number, startMs) }

  init() throws {
    folder =
      FileManager.default.temporaryDirectory.path + "/merged-\(UInt64.random(in: 0 ... .max))"
    let start = startMs
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, syncMs: nil, what: "test", version: "0",
        bot: "http://127.0.0.1:1")
    ) { start + 400 }
    var rows: [RecordedRow] = []
    var documents: [RecordedDocument] = []
    for number in 0..<100 {
      let atMs = start + Int64(number) * 10
      let bytes = Self.json(number, start)
      rows.append(
        RecordedRow(
          seq: Int64(number + 1), atMs: atMs, receivedMs: atMs, actionID: nil, channels: .activity,
          json: bytes))
      let isOwn = number >= 40 && !(60..<70).contains(number)
      if isOwn {
        bytes.withUnsafeBytes {
          recorder.row(number: number, receivedMs: atMs, channels: .activity, json: $0)
        }
      }
      guard number % 10 == 5 else { continue }
      let body = Array(#"{"number":\#(number)}"#.utf8)
      documents.append(
        RecordedDocument(seq: 0, name: "stats", atMs: atMs, receivedMs: atMs, body: body))
      if isOwn {
        body.withUnsafeBytes {
          recorder.document(name: "stats", atMs: atMs, receivedMs: atMs, body: $0)
        }
      }
    }
    recorder.outage(
      RecordedOutage(fromMs: startMs + 595, toMs: startMs + 696, reason: .stopped))
    recorder.stop(waiting: 60)
    local = try HistoryFolder(folder)
    whole = MemoryHistory(
      rows: rows, documents: documents,
      words: { row in
        String(decoding: row.json, as: UTF8.self).split { !$0.isLetter && !$0.isNumber }.map(
          String.init)
      })
  }

  func merged() -> MergedHistory {
    let (shared, now) = (whole, startMs + 1000)
    return MergedHistory(local: local, name: "team history", nowMs: { now }) {
      () throws(HistoryError) in shared
    }
  }
}
