import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct VoicePaneTests {
  private func shell(_ size: Size = Size(width: 120, height: 40)) -> CockpitShell {
    CockpitShell(tab: .voice, size: size)
  }

  @Test("with several sessions ]] and [[ walk them before the views")
  func sessionsAndViews() {
    var fixture = Fixture()
    VoiceFixture.two(fixture)
    let ids = fixture.voice.sessions.map(\.sessionID)
    var shell = shell()
    func place() -> (VoicePane.View, String?) {
      (shell.voice.view, shell.voice.scene(fixture.facts())?.id)
    }
    #expect(place() == (.live, ids[0]))
    shell.type("] ]", &fixture)
    #expect(place() == (.live, ids[1]))
    shell.type("] ]", &fixture)
    #expect(place() == (.turns, ids[1]))
    shell.type("[ [", &fixture)
    #expect(place() == (.live, ids[1]))
    shell.type("[ [", &fixture)
    #expect(place() == (.live, ids[0]))
    shell.type("[ [", &fixture)
    #expect(shell.voice.view == .history)
    shell.type("] ]", &fixture)
    #expect(place() == (.live, ids[0]))
  }

  @Test("a long channel name ends in an ellipsis")
  func longChannel() throws {
    var fixture = VoiceFixture.rich()
    let id = try #require(fixture.voice.sessions.first?.voiceChannelID)
    fixture.connection.learn(channels: [
      Channel(id: id, name: "abcdefghijklmnopqrstuvwxyz0123456789", type: .voice)
    ])
    for width in [80, 120, 200] {
      let text = shell(Size(width: width, height: 40)).render(
        fixture.facts(), size: Size(width: width, height: 40)
      ).canvas.text
      let cut = width < 100 ? "#abcdefghijklmnopqrstuvw…" : "#abcdefghijklmnopqrstuvwxyz01234…"
      #expect(text.contains(cut), "\(text)")
    }
  }

  @Test("no frame is empty on a wide screen of few lines", arguments: [160, 200, 300])
  func wideAndLow(width: Int) {
    for rows in 20...30 {
      for (hasScreen, hasMusic, sessions) in [
        (true, true, 1), (true, false, 2), (false, true, 1), (false, false, 2),
      ] {
        let screen = Size(width: width, height: rows)
        let layout = VoicePane().layout(
          in: Rect(x: 0, y: 1, width: width, height: rows - 2), of: screen, subject: .live,
          sessions: sessions,
          needs: .init(people: 4, hasScreen: hasScreen, hasMusic: hasMusic))
        for (panel, area) in layout.panels {
          #expect(area.height >= 3, "\(panel) \(area) at \(rows)")
        }
        #expect(layout.order.contains(.people))
      }
    }
  }

  @Test("]] and [[ walk the views around")
  func views() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    var seen: [VoicePane.View] = []
    for _ in 0..<8 {
      seen.append(shell.voice.view)
      shell.type("] ]", &fixture)
    }
    #expect(seen == [.live, .turns, .skips, .events, .anomalies, .report, .history, .live])
    shell.type("[ [", &fixture)
    #expect(shell.voice.view == .live)
  }

  @Test("} walks to older turns, { back, and both say when there is none")
  func turns() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    let turns = try #require(fixture.voice.record("s-1")).turns
    #expect(turns.count >= 4)
    for _ in 0..<turns.count + 1 { shell.type("}", &fixture) }
    #expect(shell.voice.turnID == turns.first?.id)
    #expect(shell.voice.message != nil)
    for _ in 0..<turns.count + 1 { shell.type("{", &fixture) }
    #expect(shell.voice.turnID == turns.last?.id)
    shell.type("F", &fixture)
    #expect(shell.voice.turnID == nil)
  }

  @Test("a turn out of the window moves the playhead, F makes it live again")
  func playhead() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("+ +", &fixture)
    for _ in 0..<5 { shell.type("}", &fixture) }
    #expect(shell.voice.lanes.playheadMs != nil)
    shell.type("F", &fixture)
    #expect(shell.voice.lanes.playheadMs == nil)
  }

  @Test("zoom stays between 5 s and 30 minutes")
  func zoom() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    for _ in 0..<20 { shell.type("+", &fixture) }
    #expect(shell.voice.lanes.spanMs == 5_000)
    for _ in 0..<20 { shell.type("-", &fixture) }
    #expect(shell.voice.lanes.spanMs == 1_800_000)
  }

  @Test("panning back never passes the oldest event, panning on ends live")
  func pan() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    for _ in 0..<200 { shell.type("h", &fixture) }
    let oldest = fixture.voice.record("s-1")?.span?.lowerBound ?? 0
    #expect((shell.voice.lanes.playheadMs ?? 0) >= oldest)
    for _ in 0..<200 { shell.type("l", &fixture) }
    #expect(shell.voice.lanes.playheadMs == nil)
  }

  @Test("W opens the verdict, Enter on a step goes to its row in PULSE")
  func verdict() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("W", &fixture)
    #expect(shell.voice.isWhyOpen)
    shell.type("} } }", &fixture)
    let scene = try #require(shell.voice.scene(fixture.facts()))
    let turn = try #require(shell.voice.shownTurn(scene))
    let verdict = try #require(scene.record?.verdict(turn.id, nowMs: scene.nowMs))
    let cited = try #require(verdict.items.firstIndex { $0.rowID != nil })
    while shell.voice.cursors[.turn]?.id != .step(cited) {
      let before = shell.voice.cursors[.turn]?.line
      shell.type("j", &fixture)
      try #require(before != shell.voice.cursors[.turn]?.line)
    }
    shell.type("Enter", &fixture)
    #expect(shell.tab == .pulse)
    #expect(shell.pulse.cursor == verdict.items[cited].rowID)
    #expect(shell.pulse.isDetailOpen)
  }

  @Test("a step whose row is gone says so and stays")
  func unretained() throws {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    VoiceFixture.replay(fixture)
    var shell = shell()
    shell.type("Enter W j j j j j Enter", &fixture)
    #expect(shell.tab == .voice)
    #expect(shell.voice.message != nil)
  }

  @Test("Enter on a past session opens it and asks for its events once")
  func history() {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    var shell = shell()
    let effects = shell.send(.key(.enter, []), &fixture)
    #expect(effects == [.loadVoiceSession(id: "past-1")])
    #expect(shell.voice.pastID == "past-1")
    VoiceFixture.replay(fixture)
    shell.type("q", &fixture)
    #expect(shell.voice.pastID == nil)
    #expect(shell.send(.key(.enter, []), &fixture).isEmpty)
  }

  @Test("the history is asked for when it is looked at")
  func loadsHistory() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("[", &fixture)
    #expect(shell.send(.key(.char("["), []), &fixture) == [.loadVoiceHistory])
  }

  @Test("several sessions: a pill row that Tab reaches and h l walk; one that ends gives way")
  func sessions() throws {
    var fixture = Fixture()
    VoiceFixture.two(fixture)
    var shell = shell()
    shell.type("S-Tab", &fixture)
    #expect(shell.voice.focus == .sessions)
    shell.type("l", &fixture)
    #expect(shell.voice.scene(fixture.facts())?.id == "s-2")
    VoiceFixture.rich(fixture)
    shell.type("j", &fixture)
    #expect(shell.voice.scene(fixture.facts())?.id == "s-1")
    #expect(shell.voice.sessionID == nil)
  }

  @Test("Enter opens and closes arguments and result of a tool call")
  func tool() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.voice.focus = .tools
    shell.type("j Enter", &fixture)
    #expect(shell.voice.openTools.count == 1)
    let text = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(text.contains("args"))
    shell.type("Enter", &fixture)
    #expect(shell.voice.openTools.isEmpty)
  }

  @Test("the transcript follows, holds its line while words come, and follows again at G")
  func transcript() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    #expect(shell.voice.cursors[.transcript]?.isResting ?? true)
    shell.type("k k", &fixture)
    let item = try #require(shell.voice.cursors[.transcript]?.id)
    VoiceFixture.two(fixture)
    shell.type("H", &fixture)
    #expect(shell.voice.cursors[.transcript]?.id == item)
    shell.type("G", &fixture)
    #expect(shell.voice.cursors[.transcript]?.isResting == true)
  }

  @Test("q and Esc close one level at a time; q at the root quits")
  func levels() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("] ] W z J", &fixture)
    for _ in 0..<4 {
      #expect(shell.send(.key(.char("q"), []), &fixture).isEmpty)
    }
    #expect(shell.voice.view == .live && !shell.voice.isRawOpen && !shell.voice.isWhyOpen)
    #expect(shell.send(.key(.char("q"), []), &fixture) == [.quit])
  }

  @Test("J shows the JSON of the session, or of the event that a step cites")
  func raw() {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("J", &fixture)
    #expect(shell.voice.isRawOpen)
    #expect(shell.voice.raw.contains { $0.spans[0].text.description.contains("\"sessionId\"") })
    shell.type("J W j j j j J", &fixture)
    #expect(shell.voice.raw.contains { $0.spans[0].text.description.contains("\"kind\"") })
  }

  @Test("a playback URL is never on the screen, whichever panel is open")
  func secrets() {
    var fixture = VoiceFixture.rich()
    for panel in VoicePane.Panel.allCases {
      var shell = shell()
      shell.voice.focus = panel
      shell.voice.isZoomed = true
      let text = shell.render(fixture.facts(), size: shell.size).canvas.text
      #expect(!text.contains("sig=1"), "\(panel)")
    }
  }

  @Test("a click selects a line, a second click opens it")
  func clicks() throws {
    var fixture = VoiceFixture.rich()
    var shell = shell()
    shell.type("] ]", &fixture)
    for _ in 0..<2 {
      let frame = shell.render(fixture.facts(), size: shell.size)
      let target = try #require(
        frame.targets.first {
          if case .voice(.line(.list, 0)) = $0.target { true } else { false }
        })
      _ = shell.handle(
        .mouse(.down(0), column: target.area.x + 2, row: target.area.y, []),
        on: fixture.facts(), frame: frame)
    }
    #expect(shell.voice.isWhyOpen)
  }

  @Test("two frames within a column's time are equal: nothing is written")
  func stillness() {
    var fixture = VoiceFixture.rich()
    let shell = shell()
    var facts = fixture.facts()
    let first = shell.render(facts, size: shell.size).canvas
    facts.nowMs += 50
    let second = shell.render(facts, size: shell.size).canvas
    var changed = 0
    for y in 1..<40 { for x in 0..<120 where first[x, y] != second[x, y] { changed += 1 } }
    #expect(changed < 40, "only what counts up may change")
  }
}
