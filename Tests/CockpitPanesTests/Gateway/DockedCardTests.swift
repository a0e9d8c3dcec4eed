import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// What asks for the owner, on the screen: badge, strip and card.
@MainActor
@Suite struct DockedCardTests {
  private static let subject = "git push vault main"

  private func facts(_ state: AttentionState?, isLive: Bool = true) throws -> ViewContext {
    let text = """
      {"waiting":[{"id":"a","kind":"exec","subject":"\(Self.subject)","agent":"moss","fingerprint":"f",\
      "expires_ms":\(Fixture.nowMs + 90_000)},{"id":"b","kind":"question","subject":"why?","fingerprint":"g"}],\
      "can_answer":true}
      """
    var fixture = Fixture()
    var facts = fixture.facts()
    facts.kind = state == nil ? .clanky : .openclaw
    if state != nil { facts.control = ControlBoard(try JSONValue.parse(Array(text.utf8))) }
    facts.attention = state
    facts.status.overall = isLive ? .live : .reconnecting
    return facts
  }

  private func state(_ level: AttentionLevel, cards: [String] = []) -> AttentionState {
    var state = AttentionState()
    state.level = level
    state.cards = cards
    state.hasStrip = level >= .active
    return state
  }

  private func frame(
    _ facts: ViewContext, _ width: Int, _ height: Int, keys: String = "",
    symbols: SymbolSet = .unicode
  ) -> (frame: Frame, shell: CockpitShell, text: [String]) {
    let size = Size(width: width, height: height)
    var shell = CockpitShell(size: size)
    _ = shell.update(facts, size: size)
    for key in keys {
      let before = shell.render(facts, size: size, symbols: symbols)
      _ = shell.handle(.key(.char(key), []), on: facts, frame: before)
    }
    let frame = shell.render(facts, size: size, symbols: symbols)
    let text = (0..<height).map { y in
      String((0..<width).map { Character(Unicode.Scalar(frame.canvas[$0, y].glyph.base) ?? " ") })
    }
    return (frame, shell, text)
  }

  @Test(
    "the card stands between the tab and the hints, and the tab ends above it",
    arguments: [(80, 24), (120, 40), (200, 60)])
  func card(width: Int, height: Int) throws {
    let facts = try facts(state(.interrupt, cards: ["a", "b"]))
    let (frame, shell, text) = frame(facts, width, height)
    #expect(frame.cardRows == 3)
    let top = try #require(text.firstIndex { $0.contains("A COMMAND of moss WAITS") })
    #expect(text[top].contains("1m30s left, 1 more"))
    #expect(text[top + 1].contains(Self.subject) && text[top + 2].contains("! answers"))
    let tab = shell.layout(alertRows: frame.alertRows).tab
    #expect(tab.maxY == top && top + 3 + frame.alertRows == height - 1)
    #expect(!text[(top + 3)...].contains { $0.contains(Self.subject) }, "said once")
  }

  @Test("keys go on to the tab, ! opens what waits, and there the card is gone")
  func keys() throws {
    let facts = try facts(state(.interrupt, cards: ["a"]))
    #expect(frame(facts, 120, 40, keys: "5").shell.tab == .cmd)
    let (frame, shell, _) = frame(facts, 120, 40, keys: "!")
    #expect(shell.isControlOpen && frame.cardRows == 0)
  }

  @Test("no card on a short screen, whose line says the same, nor without a connection")
  func line() throws {
    let short = frame(try facts(state(.interrupt, cards: ["a"])), 80, 19)
    #expect(short.frame.cardRows == 0 && short.text.contains { $0.contains(Self.subject) })
    let lost = frame(try facts(state(.interrupt, cards: ["a"]), isLive: false), 80, 24)
    #expect(lost.frame.cardRows == 0 && !lost.text.contains { $0.contains("WAITS") })
  }

  @Test("the badge has a mark for each level", arguments: AttentionLevel.allCases)
  func badge(level: AttentionLevel) throws {
    let facts = try facts(state(level))
    let count = level.rawValue
    let dots = String(repeating: "●", count: count) + String(repeating: "○", count: 4 - count)
    let marks = String(repeating: "!", count: count) + String(repeating: ".", count: 4 - count)
    // A narrow screen has no room for what is not filled.
    let short = frame(facts, 80, 24).text[0]
    #expect(short.contains(String(repeating: "●", count: count)) && !short.contains("○"))
    for width in [120, 200] {
      #expect(frame(facts, width, 24).text[0].contains(dots), "\(width)")
      #expect(frame(facts, width, 24, symbols: .ascii).text[0].contains(" \(marks)"), "\(width)")
    }
    let header = frame(facts, 120, 24).frame.canvas
    let isReversed = (0..<120).allSatisfy { header[$0, 0].attributes.contains(.reverse) }
    #expect(isReversed == (level >= .active))
  }

  @Test("a frame of a tick is drawn whole when a card comes or goes")
  func tick() throws {
    let size = Size(width: 120, height: 40)
    let calm = try facts(state(.passive))
    let asking = try facts(state(.interrupt, cards: ["a"]))
    let shell = CockpitShell(size: size)
    let before = shell.render(calm, size: size)
    #expect(shell.render(asking, size: size, tickAfter: before) == nil)
    #expect(shell.render(calm, size: size, tickAfter: shell.render(asking, size: size)) == nil)
  }

  @Test("a Clanky bot has none of it")
  func clanky() throws {
    let (frame, _, text) = frame(try facts(nil), 120, 40)
    #expect(frame.cardRows == 0 && !text[0].contains("○"))
  }
}
