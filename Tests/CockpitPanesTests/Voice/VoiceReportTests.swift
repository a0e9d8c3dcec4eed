import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The session as a text: a paragraph a turn.
@MainActor
@Suite struct VoiceReportTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
  ]

  private func text(_ shell: CockpitShell, _ fixture: inout Fixture) -> String {
    shell.render(fixture.facts(), size: shell.size).canvas.text
  }

  @Test("a live session, an opened turn, a search, a past session", arguments: sizes)
  func goldens(size: Size) throws {
    let name = "\(size.width)x\(size.height)"
    var live = VoiceFixture.rich()
    var shell = CockpitShell(tab: .voice, size: size)
    shell.type("R", &live)
    try expectGolden(
      shell.render(live.facts(), size: size).canvas, "voice-report-live-\(name)")
    shell.type("} Enter", &live)
    try expectGolden(
      shell.render(live.facts(), size: size).canvas, "voice-report-turn-\(name)")
    shell.type("Esc /", &live)
    shell.write("rust", &live)
    shell.type("Enter", &live)
    try expectGolden(
      shell.render(live.facts(), size: size).canvas, "voice-report-find-\(name)")
    var past = Fixture()
    VoiceFixture.none(past)
    VoiceFixture.replay(past)
    var other = CockpitShell(tab: .voice, size: size)
    other.type("Enter R g g", &past)
    try expectGolden(
      other.render(past.facts(), size: size).canvas, "voice-report-past-\(name)")
  }

  @Test(
    "every word of the report is on the screen, at every width",
    arguments: [40, 60, 80, 120, 200])
  func words(width: Int) throws {
    var fixture = VoiceFixture.rich()
    let facts = fixture.facts()
    let scene = try #require(VoicePane().scene(facts))
    let report = try #require(scene.report)
    let lines = try #require(ReportLines(scene, width: width)).lines(limit: .max)
    // Without blanks: long words are broken at the edge.
    func letters(_ text: some Sequence<PlainText>) -> String {
      String(text.map(\.description).joined().filter { !$0.isWhitespace })
    }
    let missing = letters([scene.missing ?? ""])
    let shown = letters(lines.flatMap { $0.spans.map(\.text) }).replacing(missing, with: "")
    #expect(!missing.isEmpty && shown == letters(report.text))
    #expect(report.record.turns.count > 3)
    for line in lines { #expect(line.spans.reduce(0) { $0 + $1.columns + 1 } <= width + 1) }
  }

  @Test("R opens it from any tab and closes it; it follows the end; } and { walk; W answers")
  func keys() {
    var fixture = VoiceFixture.rich()
    var shell = CockpitShell(tab: .pulse, size: Self.sizes[1])
    shell.type("R", &fixture)
    #expect(shell.tab == .voice && shell.voice.view == .report)
    #expect(text(shell, &fixture).contains("FOLLOW"))
    let newest = shell.voice.scene(fixture.facts())?.turns.last
    shell.type("}", &fixture)
    #expect(shell.voice.turnID != nil && !text(shell, &fixture).contains("FOLLOW"))
    let chosen = shell.voice.turnID
    shell.type("}", &fixture)
    #expect(shell.voice.turnID != chosen)
    shell.type("{", &fixture)
    #expect(shell.voice.turnID == chosen)
    shell.type("W", &fixture)
    let card = shell.overlay as? WhyCard
    #expect(card?.why.exchange.key == chosen.map { .turn(session: "s-1", turn: $0) })
    shell.type("Esc Enter", &fixture)
    #expect(shell.voice.isWhyOpen && shell.voice.focus == .turn)
    shell.type("Esc G", &fixture)
    #expect(text(shell, &fixture).contains("FOLLOW") && newest != nil)
    shell.type("R", &fixture)
    #expect(shell.voice.view == .live)
  }

  @Test("/ finds in all paragraphs, newest first; n and N walk; Esc forgets")
  func finding() {
    var fixture = VoiceFixture.rich()
    var shell = CockpitShell(tab: .voice, size: Self.sizes[0])
    shell.type("R /", &fixture)
    shell.write("why", &fixture)
    shell.type("Enter", &fixture)
    let turns = shell.voice.scene(fixture.facts())?.turns ?? []
    #expect(shell.voice.turnID == turns.last?.id)
    #expect(text(shell, &fixture).contains("\(turns.count) turns"))
    shell.type("n", &fixture)
    #expect(shell.voice.turnID == turns.dropLast().last?.id)
    shell.type("N", &fixture)
    #expect(shell.voice.turnID == turns.last?.id)
    shell.type("/", &fixture)
    shell.type("C-u", &fixture)
    shell.write("zeppelin", &fixture)
    shell.type("Enter", &fixture)
    #expect(text(shell, &fixture).contains("no hit"))
    shell.type("Esc", &fixture)
    #expect(shell.voice.findText.isEmpty && shell.voice.view == .report)
    shell.type("Esc", &fixture)
    #expect(shell.voice.view == .live)
    shell.type("/", &fixture)
    #expect(text(shell, &fixture).contains("no find on VOICE"))
  }

  @Test("a past session without events asks for them")
  func asks() {
    var fixture = Fixture()
    VoiceFixture.none(fixture)
    var shell = CockpitShell(tab: .voice, size: Self.sizes[0])
    let effects = shell.voice.showReport(fixture.facts())
    #expect(effects.contains(.loadVoiceSession(id: "past-1")))
    let text = text(shell, &fixture)
    #expect(text.contains("on their way") || text.contains("fetches"))
  }

  @Test("every size from the smallest draws it")
  func sizesAll() {
    for width in stride(from: 40, through: 200, by: 17) {
      for height in [10, 14, 24, 40] {
        var fixture = VoiceFixture.rich()
        var shell = CockpitShell(tab: .voice, size: Size(width: width, height: height))
        shell.type("R", &fixture)
        #expect(text(shell, &fixture).contains("why:"), "\(width)x\(height)")
      }
    }
  }

  @Test("over a lost connection the report says no more that the session is live")
  func lostConnection() throws {
    for (state, words) in [
      (LinkState.live, "not yet, it is live"), (.reconnecting, "not on record, last event"),
    ] {
      var fixture = Fixture(state: state)
      VoiceFixture.rich(fixture)
      let size = Size(width: 200, height: 60)
      var shell = CockpitShell(size: size)
      shell.type("2 R", &fixture)
      let text = shell.render(fixture.facts(), size: size).canvas.text
      #expect(text.contains(words), "\(text)")
    }
  }
}
