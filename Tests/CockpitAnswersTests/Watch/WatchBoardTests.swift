import ClankyWire
import CockpitDomain
import CockpitStores
import LenientJSON
import Testing

@testable import CockpitAnswers

@MainActor @Suite struct WatchBoardTests {
  private static let startMs: Int64 = 1_778_349_600_000

  /// A log into which rows come live or by a list.
  @MainActor private final class Rig {
    let store = ActivityStore(memory: 4 << 20)
    var board: WatchBoard
    var nowMs = WatchBoardTests.startMs
    var freshness = RowFreshness(sinceMs: WatchBoardTests.startMs)
    private var id = 0

    init(_ rules: String...) throws {
      board = WatchBoard(try rules.map { try WatchRule($0) })
    }

    func row(_ kind: String, _ content: String = "x", agoMs: Int64 = 0, isLive: Bool = true) {
      id += 1
      let time = WireTime(milliseconds: nowMs - agoMs).iso
      if isLive {
        let json = #"{"kind":"\#(kind)","createdAt":"\#(time)","content":"\#(content)"}"#
        Array(json.utf8).withUnsafeBytes {
          _ = try? store.applyLive($0, from: .activity, nowMs: nowMs)
        }
      } else {
        let json =
          #"[{"id":\#(id),"created_at":"\#(time)","kind":"\#(kind)","content":"\#(content)"}]"#
        Array(json.utf8).withUnsafeBytes { _ = store.applyRows($0, nowMs: nowMs) }
      }
    }

    func pass(_ seconds: Int64) -> [TriageTrouble] {
      nowMs += seconds * 1000
      board.judge(store.log, names: NoNames(), freshness: freshness, nowMs: nowMs)
      return board.open
    }
  }

  @Test("more than three rows within five minutes, and over with fewer than two")
  func condition() throws {
    let rig = try Rig("slow: kind:llm_error | count > 3 in 5m")
    for _ in 0..<3 {
      rig.row("llm_error")
      #expect(rig.pass(10).isEmpty)
    }
    rig.row("llm_error")
    let open = try #require(rig.pass(10).first)
    #expect(
      open.answer.sentence
        == "Watch slow: 4 rows match kind:llm_error (4 within 5m are an alarm).")
    #expect(open.rule == "watch.slow" && open.sinceMs == Self.startMs && open.count == 4)
    #expect(open.answer.evidence.count == 4 && open.answer.evidence.allSatisfy { $0.rowID != nil })
    #expect(rig.pass(200).count == 1)
    #expect(rig.pass(120).isEmpty)
    #expect(rig.board.over.map(\.rule) == ["watch.slow"])
  }

  @Test("without a condition one row is an alarm for five minutes")
  func one() throws {
    let rig = try Rig("joins: kind:voice_session_start")
    rig.row("voice_session_start")
    #expect(rig.pass(1).count == 1)
    #expect(rig.pass(290).count == 1)
    #expect(rig.pass(20).isEmpty)
  }

  @Test("rows of a list, of before the start, or of long ago raise none")
  func history() throws {
    let rig = try Rig("errors: kind:llm_error")
    rig.row("llm_error", isLive: false)
    rig.row("llm_error", agoMs: 60_000)
    #expect(rig.pass(1).isEmpty)
    rig.freshness.stored = .recent
    rig.row("llm_error", "polled", isLive: false)
    #expect(rig.pass(1).count == 1)
  }

  @Test("a flood is counted and costs no memory")
  func flood() throws {
    let rig = try Rig("errors: kind:llm_error | count > 100 in 1h")
    for index in 0..<6000 { rig.row("llm_error", "\(index)") }
    while !rig.board.judge(
      rig.store.log, names: NoNames(), freshness: rig.freshness, nowMs: rig.nowMs)
    {}
    #expect(rig.board.open.first?.count == 6000)
    #expect(rig.board.open.first?.answer.evidence.count == 5)
  }

  @Test(
    "what is no watch says why",
    arguments: [
      ("llm_error", "has no name"), ("a b: kind:x", "has no name"),
      ("a: ", "matches every row"), ("a: kind:x | count > 3", "too much here"),
      ("a: kind:x | count by kind", "no other stage"), ("a: kind:x | count > 3 in 5y", "condition"),
      ("a: kind:x | count >= 0 in 5m", "1 to"), ("a: kind:x | count > 3 in 48h", "1s to 24h"),
      ("a: since:", ""),
    ])
  func problems(line: String, words: String) {
    #expect {
      _ = try WatchRule(line)
    } throws: { error in
      "\(error)".contains(words)
    }
  }

  @Test("a message has the sentence, the rows and nothing that a terminal or a shell would act on")
  func message() throws {
    let rig = try Rig("words: kind:llm_error")
    rig.row("llm_error", "$(touch /tmp/x) `id` \\u001b[31m; rm -rf")
    let trouble = try #require(rig.pass(1).first)
    var hostile = trouble
    hostile.answer.sentence = "It says \u{1B}]0;x\u{07} $(id)\n`id`\u{202E}."
    let message = AlarmMessage(
      .began(Alarm(hostile, isLive: true), id: "a@1", heldBack: 2), bot: "http://x",
      nowMs: rig.nowMs)
    #expect(message.line.allSatisfy { (0x20...0x7E).contains($0) })
    let json = try JSONValue.parse(message.line)
    #expect(json["rule"]?.string == "watch.words" && json["held_back"]?.int == 2)
    #expect(json["evidence"]?.array?.first?["kind"]?.string == "llm_error")
    for (name, value) in message.variables {
      #expect(name.hasPrefix("CLANKY_ALARM_"))
      #expect(value.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }
    #expect(message.repeated.line != message.line && message.repeated.id == message.id)
    #expect(message.repeated.repeated == message.repeated)
  }
}
