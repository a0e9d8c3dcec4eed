import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// VOICE without a live session: the list of past ones, and what follows from their events.
@MainActor
@Suite struct VoiceHistoryTests {
  private func shell(_ size: Size = Size(width: 120, height: 40)) -> CockpitShell {
    CockpitShell(tab: .voice, size: size)
  }

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: shell.size).canvas.text
  }

  /// `count` past sessions, `s0` the newest.
  private func list(_ count: Int, _ fixture: Fixture) {
    let rows = (0..<count).map {
      #"{"sessionId":"s\#($0)","guildId":"","mode":"x","startedAt":"2026-02-01T12:00:00.000Z","endedAt":"2026-02-01T13:00:00.000Z","durationSeconds":3600,"endReason":"nl_leave"}"#
    }
    VoiceFixture.none(fixture, hasHistory: false)
    Fixture.withBytes("[\(rows.joined(separator: ","))]") { fixture.voice.applyHistory($0) }
  }

  @Test("only sessions that are listed are looked into: the newest, then those at the cursor")
  func wanted() {
    var fixture = Fixture()
    list(50, fixture)
    var shell = shell()
    let newest = (0..<20).map { "s\($0)" }
    #expect(shell.voice.wantedSummaries(fixture.facts()) == newest)
    shell.type("G", &fixture)
    let wanted = shell.voice.wantedSummaries(fixture.facts())
    #expect(wanted.first == "s49" && wanted.contains("s45") && wanted.contains("s0"))
    shell.type("Enter", &fixture)
    #expect(shell.voice.wantedSummaries(fixture.facts()).isEmpty, "the list is not in sight")

    var live = Fixture()
    list(3, live)
    VoiceFixture.rich(live)
    var other = self.shell()
    #expect(other.voice.wantedSummaries(live.facts()).isEmpty)
    other.type("[ [", &live)
    #expect(other.voice.wantedSummaries(live.facts()).count == 3)
  }

  @Test("a row says what is known: on its way, figures, a limit, a failure")
  func rows() {
    var fixture = Fixture()
    list(2, fixture)
    let shell = shell()
    func row() -> String {
      text(shell, &fixture).split(separator: "\n").first { $0.contains("02-01") }
        .map(String.init) ?? ""
    }
    #expect(row().contains("…"))
    Fixture.withBytes("[\(VoiceFixture.pastEvents(of: "s0").joined(separator: ","))]") {
      fixture.voice.applySummary($0, of: "s0")
    }
    #expect(row().contains("1p     2 turns skip   0%   2!"), "\(row())")
    let many = (0..<500).map {
      VoiceFixture.event(1000 + $0, "12:01:00.000", "voice_x_\($0)", session: "s0")
    }
    Fixture.withBytes("[\(many.joined(separator: ","))]") {
      fixture.voice.applySummary($0, of: "s0")
    }
    #expect(row().contains("0+ turns"), "\(row())")
    #expect(text(shell, &fixture).contains("first 500"))
    fixture.voice.replayFailed("the backend answered 503", of: "s0")
    #expect(row().contains("no events: the backend"), "\(row())")
    Fixture.withBytes("[]") { fixture.voice.applySummary($0, of: "s0") }
    #expect(row().contains("no event is kept"))
  }

  @Test("on narrow screens the length and the figures stay, the end reason gives way")
  func narrow() {
    for width in [40, 44, 50, 58, 64, 80] {
      var fixture = Fixture()
      VoiceFixture.none(fixture)
      Fixture.withBytes("[\(VoiceFixture.pastEvents.joined(separator: ","))]") {
        fixture.voice.applySummary($0, of: "past-1")
      }
      let screen = text(shell(Size(width: width, height: 20)), &fixture)
      let row = screen.split(separator: "\n").first { $0.contains("03-01") } ?? ""
      #expect(row.contains("2m58s") && row.contains("1p") && row.contains("2!"), "\(width): \(row)")
    }
  }

  @Test("the last session is shown without being opened: its lanes, words, last turn and verdict")
  func last() {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    var shell = shell()
    #expect(!text(shell, &fixture).contains("W why"), "there is no turn to ask about yet")
    VoiceFixture.replay(fixture)
    let screen = text(shell, &fixture)
    for part in [
      "no voice session is live", "PAST SESSIONS", "LANES", "TURN #2 RESPONDED", "TRANSCRIPT",
      "Rust 1.90 is out.", "W why", "people     james",
    ] { #expect(screen.contains(part), "\(part)") }
    shell.type("W", &fixture)
    #expect(shell.voice.isWhyOpen && text(shell, &fixture).contains("reply"))
    shell.type("q", &fixture)
    #expect(shell.send(.key(.enter, []), &fixture).isEmpty, "the events are there")
    #expect(shell.voice.pastID == "past-1")
    let opened = text(shell, &fixture)
    #expect(opened.contains("PAST #voice-chat") && opened.contains("[SESSION]"))
    #expect(!opened.contains("[LIVE]"))
  }

  @Test("with nothing heard it says what is wrong and what to do, and hints at nothing useless")
  func unheard() {
    var fixture = Fixture(state: .reconnecting, hasVoiceState: false)
    for tab in [Tab.voice, .brain] {
      for size in [Size(width: 80, height: 24), Size(width: 120, height: 40)] {
        let screen = text(CockpitShell(tab: tab, size: size), &fixture)
        #expect(screen.contains("by itself; r"), "\(tab) \(size)\n\(screen)")
        #expect(screen.contains("nothing was heard"), "\(tab) \(size)\n\(screen)")
        if tab == .voice { #expect(!screen.contains("W why")) }
      }
    }
  }

  @Test("help explains the short words of the open tab")
  func words() {
    var fixture = Fixture()
    VoiceFixture.rich(fixture)
    for (tab, word, meaning) in [
      (Tab.voice, "superseded", "replies that a newer one replaced"),
      (.brain, "CONTEXT TIERS", "what the prompt was built from"),
    ] {
      var shell = CockpitShell(tab: tab, size: Size(width: 100, height: 30))
      shell.type("?", &fixture)
      for letter in word.lowercased() { _ = shell.send(.key(.char(letter), []), &fixture) }
      let screen = text(shell, &fixture)
      #expect(screen.contains(word) && screen.contains(meaning), "\(screen)")
    }
  }
}

/// What was said, and how often it is told.
@MainActor
@Suite struct UtteranceTests {
  @Test("a thought that was spoken is told once, as the bot's")
  func thought() throws {
    let fixture = Fixture()
    VoiceFixture.none(fixture)
    VoiceFixture.replay(
      fixture,
      rows: [
        VoiceFixture.event(
          1, "12:00:02.000", "voice_session_start", kind: "voice_session_start", session: "past-1"),
        VoiceFixture.event(
          2, "12:01:00.000", "voice_thought_decision", session: "past-1",
          "\"allow\":true,\"thoughtText\":\"nice weather\",\"transcript\":\"nice weather\""),
        VoiceFixture.event(
          3, "12:01:01.000", "voice_thought_spoken", session: "past-1",
          "\"finalThought\":\"nice weather\",\"transcript\":\"nice weather\""),
      ])
    var other = fixture
    let scene = VoiceScene(other.facts(), past: "past-1")
    let said = scene.utterances().filter { $0.text.contains("nice weather") }
    #expect(said.count == 1, "\(said)")
    #expect(said.first?.kind == .thought && said.first?.isBot == true)
  }

  @Test("what the recogniser still holds is not told again beside the final line")
  func partial() throws {
    for (heard, at, isShown) in [
      ("Whatever that means", "14:31:52.000", false), ("whatever", "14:31:52.000", false),
      ("whatever", "14:32:08.000", true), ("and another thing", "14:32:08.000", true),
    ] {
      var fixture = Fixture()
      let held = #""pendingAudioChunks":0,"utterance":{"partialText":"\#(heard)"}"#
      let state = VoiceFixture.richSession
        .replacing(#""pendingAudioChunks":0,"utterance":null"#, with: held)
        .replacing(
          #""lastTranscriptAt":"2026-03-01T14:31:52.000Z""#,
          with: #""lastTranscriptAt":"2026-03-01T\#(at)Z""#)
      Fixture.withBytes("{\"activeCount\":1,\"sessions\":[\(state)]}") {
        fixture.voice.apply($0, atNs: Fixture.monotonicNs)
      }
      let session = try #require(fixture.voice.sessions.first)
      #expect(session.asrSessions.contains { $0.utterance?.partialText == heard })
      let said = VoiceScene(fixture.facts(), live: session).utterances()
      let isThere = said.contains { $0.isPartial && $0.text == heard }
      #expect(isThere == isShown, "\(heard) at \(at)")
    }
  }

  @Test("where nothing was heard yet nothing is counted: no 0 for what is not known")
  func nothingHeardIsNotZero() {
    var fixture = Fixture(
      rows: [], state: .reconnecting, hasVoiceState: false, hasStats: false)
    for tab in [Tab.pulse, .voice, .brain, .memory] {
      let size = Size(width: 200, height: 60)
      let canvas = CockpitShell(tab: tab, size: size).render(fixture.facts(), size: size).canvas
      // Below the header: rates of cost and the clock have digits of their own.
      for row in 1..<canvas.bounds.height - 1 {
        let text = canvas.text(row: row)
        #expect(text.firstMatch(of: /[A-Za-z] +0\b/) == nil, "\(tab): \(text)")
      }
    }
  }

  @Test("partial words have the time at which they began, and none while that is unknown")
  func partialTime() throws {
    for isCaptured in [true, false] {
      var session = VoiceSession()
      session.activeCaptures = [
        VoiceCapture(userID: isCaptured ? "7" : "8", startedAt: WireTime(milliseconds: 5000))
      ]
      session.asrSessions = [
        AsrSession(
          userID: "7", lastTranscriptAt: WireTime(milliseconds: 1000),
          utterance: AsrUtterance(partialText: "I was wonder"))
      ]
      let partial = try #require(Utterance.partials(of: session).first)
      #expect(partial.atMs == (isCaptured ? 5000 : nil))
    }
  }
}

@Suite struct DiffLayoutTests {
  private let diff = WordDiff(
    old: "first\nthe quick brown fox jumps over the lazy dog again and again\nlast",
    new: "first\nthe quick red fox jumps over the lazy cat again and again\nadded\nlast")

  @Test("where there is room old and new stand side by side and nothing is lost")
  func sides() {
    for width in [80, 81, 120] {
      let layout = DiffLayout(diff, width: width)
      let lines = layout.lines.map { $0.map(\.text.description).joined() }
      #expect(layout.lines.allSatisfy { $0.reduce(0) { $0 + $1.text.columns } <= width })
      let rows = lines.dropFirst().map {
        $0.split(separator: " | ", omittingEmptySubsequences: false)
      }
      #expect(rows.allSatisfy { $0.count == 2 })
      let old = rows.map { $0[0] }.joined(separator: " ")
      let new = rows.map { $0[1] }.joined(separator: " ")
      #expect(old.contains("brown") && old.contains("dog") && !old.contains("red"))
      #expect(new.contains("red") && new.contains("cat") && new.contains("added"))
      #expect(old.contains("first") && new.contains("first") && new.contains("last"))
      #expect(rows.contains { $0[0].contains("- ") && $0[1].contains("+ ") })
    }
  }

  @Test("a narrow comparison stays in one column")
  func one() {
    let layout = DiffLayout(diff, width: 60)
    let lines = layout.lines.map { $0.map(\.text.description).joined() }
    #expect(lines.contains { $0.hasPrefix("- ") } && lines.contains { $0.hasPrefix("+ ") })
    #expect(!lines.contains { $0.contains(" | ") })
  }
}
