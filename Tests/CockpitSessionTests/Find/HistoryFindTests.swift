import CockpitDomain
import CockpitHistory
import CockpitStores
import Foundation
import Testing

@testable import CockpitSession

/// The search against a plain evaluation of what was given to the recorder.
@Suite struct HistoryFindTests {
  private struct Row {
    var seq: Int64
    var kind: String
    var user: String
    var words: [String]
    var atMs: Int64
  }

  private static let startMs: Int64 = 1_795_550_400_000  // 2026-11-24 20:00 UTC
  private static let vocabulary = ["night", "music", "silent", "bot", "queue", "hello", "pizza"]
  private static let kinds = ["llm_call", "sent_reply", "reply_skipped"]

  /// Two days of rows; the person u1 speaks under two names.
  private static func record(into folder: String) -> [Row] {
    let clock = startMs
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { clock }
    var state: UInt64 = 17
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var rows: [Row] = []
    for number in 0..<900 {
      let atMs = startMs + Int64(number) * 30_000
      let words = (0..<1 + random(4)).map { _ in vocabulary[random(vocabulary.count)] }
      var row = Row(
        seq: Int64(number) + 1, kind: kinds[random(kinds.count)], user: "u\(random(4))",
        words: words, atMs: atMs)
      var extra = ""
      if number % 100 == 50 {
        row.kind = "voice_runtime"
        row.user = "u1"
        let name = number < 500 ? "Mira Stone" : "Captain"
        row.words = ["openai", "realtime", "asr", "final", "segment"] + row.words
        extra = "\"speakerName\":\"\(name)\""
      }
      let content =
        row.kind == "voice_runtime"
        ? "openai_realtime_asr_final_segment " + words.joined(separator: " ")
        : words.joined(separator: " ")
      let time = Date(timeIntervalSince1970: TimeInterval(atMs / 1000)).formatted(.iso8601)
      let json = """
        {"kind":"\(row.kind)","content":"\(content)","createdAt":"\(time)","userId":"\(row.user)",\
        "guildId":"g1","metadata":{\(extra)}}
        """
      Array(json.utf8).withUnsafeBytes {
        recorder.row(number: number, receivedMs: atMs, channels: .activity, json: $0)
      }
      rows.append(row)
    }
    recorder.stop(waiting: 60)
    return rows
  }

  private final class Place {
    let path =
      FileManager.default.temporaryDirectory.path + "/find-\(UInt64.random(in: 0 ... .max))"
    deinit { try? FileManager.default.removeItem(atPath: path) }
  }

  private static func has(_ row: Row, phrase: [String]) -> Bool {
    guard row.words.count >= phrase.count else { return false }
    return (0...row.words.count - phrase.count).contains {
      Array(row.words[$0..<$0 + phrase.count]) == phrase
    }
  }

  private static let queries: [(String, @Sendable (Row) -> Bool)] = [
    ("night", { $0.words.contains("night") }),
    ("night kind:llm_call", { $0.words.contains("night") && $0.kind == "llm_call" }),
    ("kind:sent_* -music", { $0.kind == "sent_reply" && !$0.words.contains("music") }),
    (
      "hello|queue user:u2",
      { !Set($0.words).isDisjoint(with: ["hello", "queue"]) && $0.user == "u2" }
    ),
    ("\"silent bot\"", { has($0, phrase: ["silent", "bot"]) }),
    (
      "piz* -\"silent bot\"", { $0.words.contains("pizza") && !has($0, phrase: ["silent", "bot"]) }
    ),
    ("user:\"mira stone\" queue", { $0.user == "u1" && $0.words.contains("queue") }),
    ("user:captain -kind:llm_call", { $0.user == "u1" && $0.kind != "llm_call" }),
    ("at:2026-11-25 bot", { $0.atMs >= startMs + 4 * 3_600_000 && $0.words.contains("bot") }),
    (
      "before:2026-11-24T21:00 kind:llm_call",
      { $0.atMs < startMs + 3_600_000 && $0.kind == "llm_call" }
    ),
    ("user:nobody", { _ in false }),
    (
      "kind:llm_call|reply_skipped since:1h",
      {
        $0.atMs >= nowMs - 3_600_000 && ["llm_call", "reply_skipped"].contains($0.kind)
      }
    ),
  ]

  /// A minute after the last row.
  private static let nowMs = startMs + 900 * 30_000 + 60_000

  @Test("words, phrases, fields and people by any name: page by page, the last recorded first")
  func pages() throws {
    let place = Place()
    let rows = Self.record(into: place.path)
    let history = try HistoryFolder(place.path)
    for (text, isMeant) in Self.queries {
      let find = try HistoryFind(text, in: .utc)
      let names = try find.names(in: history, base: NameTable())
      var found: [Int64] = []
      var before: HistoryPlace?
      repeat {
        let page = try find.page(
          in: history, before: before, names: names, nowMs: Self.nowMs, limit: 7, budget: 300)
        #expect(page.rows.count <= 7)
        #expect(page.unindexedFiles == 0)
        found += page.rows.map(\.seq)
        before = page.next
      } while before != nil
      let expected = rows.filter(isMeant).map(\.seq).sorted(by: >)
      #expect(found == expected, "\(text)")
      #expect(text == "user:nobody" || !expected.isEmpty, "\(text)")
    }
  }

  @Test("stages make a table of all that matches")
  func table() throws {
    let place = Place()
    let rows = Self.record(into: place.path)
    let history = try HistoryFolder(place.path)
    let find = try HistoryFind("pizza user:captain | count by kind", in: .utc)
    let names = try find.names(in: history, base: NameTable())
    let made = try #require(try find.table(in: history, names: names, nowMs: Self.nowMs))
    let meant = rows.filter { $0.user == "u1" && $0.words.contains("pizza") }
    #expect(made.table.rows == meant.count && !made.isCut)
    let counts = Dictionary(grouping: meant, by: \.kind).mapValues(\.count)
    #expect(made.table.lines.map(\.rows).sorted() == counts.values.sorted())
  }

  @Test("a mistake in the query is said before anything is read")
  func mistake() {
    #expect(throws: QueryError.self) { try HistoryFind("knd:x", in: .utc) }
  }
}
