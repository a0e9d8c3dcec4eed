import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// VOICE says what is so: of people, of sessions without an end, of what is not here.
@MainActor
@Suite struct VoiceTruthTests {
  private func shell(_ width: Int = 120, _ height: Int = 40) -> CockpitShell {
    CockpitShell(tab: .voice, size: Size(width: width, height: height))
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: shell.size).canvas.text
  }

  private func line(_ part: String, _ screen: String) -> String {
    screen.split(separator: "\n").first { $0.contains(part) }.map(String.init) ?? ""
  }

  private func live(_ session: String, _ fixture: Fixture) {
    Fixture.withBytes("{\"activeCount\":1,\"sessions\":[\(session)]}") {
      fixture.voice.apply($0, atNs: Fixture.monotonicNs)
    }
  }

  /// A start row, fetched, without an end: it began at 13:00:00.
  private static let crash = [
    VoiceFixture.event(
      7, "13:00:00.000", "voice_joined:600000000000000009", kind: "voice_session_start",
      session: "crashed",
      "\"mode\":\"openai_realtime\",\"voiceChannelId\":\"600000000000000009\"")
  ]

  private func crashed() -> Fixture {
    let fixture = Fixture()
    VoiceFixture.none(fixture)
    Fixture.withBytes("[\(Self.crash.joined(separator: ","))]") {
      fixture.voice.applyBounds($0, nowMs: Fixture.nowMs)
    }
    return fixture
  }

  @Test("D13: HISTORY lists the session that was cut off, and when its last event was")
  func cutOff() {
    var fixture = crashed()
    let shell = shell()
    #expect(line("13:00:00", text(shell, &fixture)).contains("cut off"))
    let events = Self.crash + VoiceFixture.turn(from: 20, session: "crashed", at: "13:20")
    Fixture.withBytes("[\(events.joined(separator: ","))]") {
      fixture.voice.applyReplay($0, of: "crashed")
    }
    let last = fixture.facts().clock.time(ms: fixture.voice.lastEventMs(of: "crashed") ?? 0)
    let screen = text(shell, &fixture)
    #expect(screen.contains("cut off, last event \(last)"), "\(screen)")
    #expect(!line("cut off, last", screen).contains("ended"))
    #expect(screen.contains("crash or a kill"))
  }

  @Test("a session without a start on record says what is known of it", arguments: [80, 120, 200])
  func noStart(width: Int) {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    Fixture.withBytes("[]") { fixture.voice.applyBounds($0, nowMs: Fixture.nowMs) }
    let turns = VoiceFixture.turn(from: 20, session: "gone", at: "13:20")
    Fixture.withBytes("[\(turns.joined(separator: ","))]") {
      fixture.voice.applySightings($0, nowMs: Fixture.nowMs)
    }
    let clock = fixture.facts().clock
    let last = clock.time(ms: fixture.voice.lastEventMs(of: "gone") ?? 0)
    #expect(text(shell(width), &fixture).contains("cut off"))
    Fixture.withBytes("[\(turns.joined(separator: ","))]") {
      fixture.voice.applyReplay($0, of: "gone")
    }
    let screen = text(shell(width), &fixture)
    #expect(screen.contains("no start on record"), "\(screen)")
    #expect(screen.contains("\(last)"), "\(screen)")
    #expect(screen.contains("at least "), "\(screen)")
  }

  @Test("D13: an open session that was cut off says so in its head", arguments: [80, 120, 160])
  func cutOffHead(width: Int) {
    var fixture = crashed()
    var shell = shell(width)
    let events = Self.crash + VoiceFixture.turn(from: 20, session: "crashed", at: "13:20")
    Fixture.withBytes("[\(events.joined(separator: ","))]") {
      fixture.voice.applyReplay($0, of: "crashed")
    }
    shell.type("Enter", &fixture)
    #expect(shell.voice.pastID == "crashed")
    let screen = text(shell, &fixture)
    #expect(line("PAST", screen).contains("cut off, last event"), "\(screen)")
    #expect(!screen.contains("END 13:"), "it has no end")
  }

  @Test("D6: people who just spoke are not idle -; who was not heard is called that")
  func heard() {
    var fixture = Fixture()
    let session =
      #"{"sessionId":"s-1","startedAt":"2026-03-01T14:31:00.000Z","participants":["#
      + #"{"userId":"1","displayName":"Orin"},{"userId":"2","displayName":"Nadia Vale"},"#
      + #"{"userId":"3","displayName":"Wren"}],"recentTurns":[{"kind":"speech","role":"user","#
      + #""speakerName":"Nadia Vale","text":"hi","at":"2026-03-01T14:32:02.000Z"}]}"#
    live(session, fixture)
    let rows = [
      VoiceFixture.event(
        499, "14:31:00.000", "voice_joined:9", kind: "voice_session_start",
        "\"voiceChannelId\":\"9\""),
      VoiceFixture.event(
        500, "14:32:06.000", "voice_activity_started", kind: "voice_turn_in", user: "1",
        "\"promotionReason\":\"strong_local_audio\""),
    ]
    Fixture.withBytes("[\(rows.joined(separator: ","))]") {
      fixture.voice.applyEarlier($0, of: "s-1")
    }
    let facts = fixture.facts()
    guard let scene = VoicePane().scene(facts), let state = scene.session else {
      Issue.record("no session is live")
      return
    }
    let lines = PeoplePanel(
      facts: facts, session: state, heard: scene.record?.lastHeard ?? [:], skips: scene.skips,
      window: scene.window, isFull: false, width: 40
    ).lines.map { $0.spans.map(\.text.description).joined() }
    #expect(lines[0].hasSuffix("idle 3s") && lines[0].contains("Orin"), "\(lines)")
    #expect(lines[1].hasSuffix("idle 7s") && lines[2].hasSuffix("not heard yet"), "\(lines)")
  }

  @Test("D9: a list of people who said nothing is - and not 0p")
  func nobody() {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    let rows = [
      VoiceFixture.event(
        1, "12:00:02.000", "voice_joined:9", kind: "voice_session_start", session: "past-1"),
      VoiceFixture.event(
        2, "12:03:00.000", "nl_leave", kind: "voice_session_end", session: "past-1"),
    ]
    Fixture.withBytes("[\(rows.joined(separator: ","))]") {
      fixture.voice.applySummary($0, of: "past-1")
    }
    let screen = text(shell(), &fixture)
    #expect(!screen.contains("0p") && screen.contains("no event names anybody"), "\(screen)")
  }

  @Test("D14: what is left has two units and is never more than there is")
  func left() {
    #expect(Figures.left(ms: 57_999) == "57s" && Figures.left(ms: 297_900) == "4m57s")
    #expect(Figures.left(ms: 7_199_000) == "1h59m" && Figures.left(ms: 183_600_000) == "2d03h")
    #expect(Figures.left(ms: nil) == "-" && Figures.left(ms: -5) == "0s")
  }

  @Test("D14: the length of a session is that between its times, wherever it stands")
  func length() {
    let past = HistorySession(
      startedAt: WireTime(milliseconds: 0), endedAt: WireTime(milliseconds: 120_600),
      durationSeconds: 120)
    #expect(past.lengthMs() == 120_600)
    #expect(HistorySession(durationSeconds: 120).lengthMs() == 120_000)
    #expect(HistorySession(startedAt: WireTime(milliseconds: 0)).lengthMs() == nil)
    #expect(
      HistorySession(startedAt: WireTime(milliseconds: 0)).lengthMs(lastEventMs: 5000) == 5000)
  }

  @Test("D14: a replay says where the session ended, not the edge of its window")
  func end() {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    VoiceFixture.replay(fixture)
    let screen = text(shell(), &fixture)
    #expect(line("zoom", screen).contains("END 12:03:00"), "\(line("zoom", screen))")
  }

  @Test(
    "D14: rows of past sessions name guild and channel where there is room",
    arguments: [64, 80, 120, 160])
  func places(width: Int) {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    VoiceFixture.replay(fixture)
    let list = HistoryLines(facts: fixture.facts(), width: width).lines
    let row = list[0].spans.map(\.text.description).joined(separator: " ")
    #expect(row.contains("#voice-chat"), "\(row)")
    #expect(list[0].spans.reduce(0) { $0 + $1.columns + 1 } <= width + 1)
    if width >= 120 { #expect(row.contains("The Workshop"), "\(row)") }
  }

  @Test("S1: a number of what is here has its window, and what is missing is said")
  func window() {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    var shell = shell()
    shell.type("] ]", &fixture)
    let screen = text(shell, &fixture)
    #expect(shell.voice.view == .turns)
    #expect(screen.contains("since 14:30:58"), "\(screen)")
    #expect(screen.contains("asked for"), "\(screen)")
    #expect(!screen.contains("4 of 4"))
    let rows = [
      VoiceFixture.event(
        90, "14:10:09.000", "voice_joined:9", kind: "voice_session_start",
        "\"voiceChannelId\":\"600000000000000009\"")
    ]
    Fixture.withBytes("[\((rows + VoiceFixture.events).joined(separator: ","))]") {
      fixture.voice.applyEarlier($0, of: "s-1")
    }
    let whole = text(shell, &fixture)
    #expect(!whole.contains("since 14:30:58") && !whole.contains("asked for"), "\(whole)")
  }

  @Test("S13: W alone opens the newest turn that was answered, or not answered on purpose")
  func newest() throws {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    var shell = shell()
    shell.type("W", &fixture)
    let scene = try #require(shell.voice.scene(fixture.facts()))
    let turn = try #require(shell.voice.shownTurn(scene))
    #expect(turn.outcome == .denied && turn.words == "whatever that means")
    #expect(scene.turns.last?.id != turn.id, "a newer one came to nothing")
  }

  @Test("S13: words that the recogniser made up do not stand as what somebody said")
  func madeUp() throws {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    let shell = shell(200, 60)
    let scene = try #require(shell.voice.scene(fixture.facts()))
    let made = try #require(scene.turns.first { $0.words == "mumble mumble" })
    #expect(made.areWordsDiscarded && !made.isWorthAsking)
    #expect(text(shell, &fixture).contains("(recogniser, discarded) mumble mumble"))
    let verdict = try #require(scene.record?.verdict(made.id, nowMs: scene.nowMs))
    #expect(!verdict.sentence.contains(" said ") && verdict.sentence.contains("discarded"))
  }

  @Test(
    "S12: the why panel is walked with j and k, wherever it was opened from",
    arguments: [80, 120, 200])
  func walk(width: Int) {
    for keys in ["W", "] ] W", "] ] Enter", "Tab W"] {
      var fixture = Fixture()
      VoiceFixture.rich(fixture)
      var shell = shell(width, width == 80 ? 24 : 40)
      shell.type(keys, &fixture)
      let (turn, list) = (shell.voice.turnID, shell.voice.cursors[.list])
      shell.type("j j", &fixture)
      #expect(shell.voice.cursors[.turn]?.line == 1, "\(keys) at \(width)")
      #expect(shell.voice.turnID == turn && shell.voice.cursors[.list] == list)
      shell.type("k", &fixture)
      #expect(shell.voice.cursors[.turn]?.line == 0)
    }
  }

  @Test("S12: reasons are wrapped and not cut while there is room below")
  func reasons() throws {
    var fixture = Fixture()
    let long = (0..<60).map { "word\($0)" }.joined(separator: " ")
    VoiceFixture.rich(fixture)
    let rows = [
      VoiceFixture.event(
        600, "14:32:07.000", "voice_activity_started", kind: "voice_turn_in",
        user: VoiceFixture.ada, "\"promotionReason\":\"server_vad_confirmed\""),
      VoiceFixture.event(
        601, "14:32:07.500", "openai_realtime_asr_final_segment", user: VoiceFixture.ada,
        "\"speakerName\":\"Ada\",\"transcript\":\"\(long)\""),
      VoiceFixture.event(
        602, "14:32:08.000", "voice_turn_addressing", user: VoiceFixture.ada,
        "\"allow\":false,\"reason\":\"model_no\",\"transcript\":\"\(long)\""),
    ]
    Fixture.withBytes("[\(rows.joined(separator: ","))]") {
      _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs)
    }
    fixture.voice.follow(fixture.activity.log)
    var shell = shell(120, 60)
    shell.type("W", &fixture)
    let screen = text(shell, &fixture)
    #expect(screen.contains("word59\""), "\(screen)")
    shell.type("z", &fixture)
    let zoomed = text(shell, &fixture)
    #expect(zoomed.components(of: "word31").count == 1, "\(zoomed)")
  }

  @Test("S12: what the state and the rows spell in two ways is one utterance")
  func once() throws {
    let fixture = Fixture()
    let session =
      #"{"sessionId":"s-1","participants":[],"recentTurns":[{"kind":"speech","role":"user","#
      + #""speakerName":"作者 Ada","text":"Whatever that means.","at":"2026-03-01T14:31:52.000Z"}]}"#
    live(session, fixture)
    Fixture.withBytes("[\(VoiceFixture.events.joined(separator: ","))]") {
      _ = fixture.activity.applyRows($0, nowMs: Fixture.nowMs)
    }
    fixture.voice.follow(fixture.activity.log)
    var copy = fixture
    let scene = try #require(VoicePane().scene(copy.facts()))
    let said = scene.utterances().filter { $0.text.lowercased().hasPrefix("whatever that means") }
    #expect(said.count == 1, "\(said)")
  }

  @Test("D16: lanes spell the names of rows in words, and leave what was said alone")
  func lanes() {
    #expect(LaneText.plain("openai_realtime_response_done") == "answer complete")
    #expect(LaneText.plain("gemini_realtime_response_done") == "answer complete")
    #expect(
      LaneText.plain("voice_turn_dropped asr_low_confidence") == "turn dropped, asr low confidence"
    )
    #expect(LaneText.plain("model_no") == "model no")
    for text in ["what is snake_case, really?", "Rust 1.90 is out.", "", "hello there"] {
      #expect(LaneText.plain(text) == text)
    }
  }
}

extension String {
  fileprivate func components(of part: String) -> [Range<String.Index>] { ranges(of: part) }
}
