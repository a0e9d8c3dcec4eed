import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes

@MainActor
@Suite struct LinearTests {
  @Test("a row is a sentence: time, what, who, how long, what it cost")
  func rows() throws {
    var fixture = Fixture()
    let words = LinearText(fixture.facts())
    let log = fixture.activity.log
    let lines = (0..<log.count).compactMap { words.row(log.row(at: $0))?.description }
    #expect(lines.count == Fixture.story.count)
    #expect(
      lines.contains("14:32:04 voice turn in, 作者 Ada: speaks after server_vad_confirmed, 212ms."))
    #expect(
      lines.contains { $0.hasPrefix("14:32:08 llm call, opus-4-6") && $0.hasSuffix("$0.0084.") })
    #expect(lines.contains { $0.hasPrefix("14:31:22 llm error,") && $0.contains(", failed") })
    for line in lines {
      #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
      #expect(line.hasSuffix(".") || line.hasSuffix(".\""), "\(line)")
    }
    let late = try #require(words.row(log.row(at: 0), isLate: true))
    #expect(late.description.hasPrefix("14:32:08 late, llm call"))
  }

  @Test("what a speaker is still saying is not told")
  func partials() throws {
    let partial = Fixture.row(
      90, "14:32:09.000", "voice_runtime", content: "openai_realtime_asr_partial_segment",
      metadata: "{\"sessionId\":\"s-1\",\"transcript\":\"he\"}")
    let fixture = Fixture(rows: [partial] + Fixture.story)
    let log = fixture.activity.log
    let told = (0..<log.count).filter { LinearText.isReported(log.row(at: $0)) }
    #expect(told.count == Fixture.story.count)
  }

  @Test("status, voice and why are sentences of ours")
  func summaries() {
    var fixture = Fixture()
    let words = LinearText(fixture.facts())
    let status = words.status().map(\.description)
    #expect(status[0] == "Connected to http://127.0.0.1:8787.")
    #expect(status[1] == "13 actions are known, 2 of them errors; cost today, UTC, $2.47.")
    #expect(status.contains("A voice session is live in voice-chat, with james, 作者 Ada."))
    #expect(words.why().count >= 2)

    var unheard = Fixture(rows: [], state: .reconnecting, hasVoiceState: false)
    let nothing = LinearText(unheard.facts())
    #expect(nothing.status()[0] == "Nothing answers at http://127.0.0.1:8787.")
    #expect(nothing.voice() == ["Nothing was heard of voice yet."])
    #expect(nothing.why() == ["Nothing is known that it said or left unsaid."])
  }

  @Test("beyond twenty sentences in ten seconds actions are counted, errors a little later")
  func pace() {
    var pace = LinearPace(nowMs: 1_000_000)
    var told = 0
    for number in 0..<300 where pace.admits(isError: number % 30 == 0) { told += 1 }
    #expect(told == LinearPace.budget + LinearPace.errorBudget)
    #expect(pace.turn(nowMs: 1_009_999) == nil)
    let rest = pace.turn(nowMs: 1_010_000)
    #expect(rest?.actions == 275)
    #expect(rest?.errors == 4)
    #expect(
      LinearText.rest(.init(actions: 240, errors: 3)) == "240 more actions in 10 s, 3 errors.")
    #expect(LinearText.rest(.init(actions: 1, errors: 0)) == "1 more action in 10 s.")
    // A quiet window has nothing to sum up.
    #expect(pace.turn(nowMs: 1_020_000) == nil)
    let isAdmitted = pace.admits(isError: false)
    #expect(isAdmitted)
  }

  @Test("a terminal that knows only ASCII gets only ASCII")
  func ascii() {
    #expect(("作者 said … é" as PlainText).asciiOnly == "?? said ... ?")
    #expect(("plain" as PlainText).asciiOnly == "plain")
  }
}
