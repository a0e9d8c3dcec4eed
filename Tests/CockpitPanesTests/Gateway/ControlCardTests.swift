import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// What keys do to a card: nothing is sent that was not seen, chosen and confirmed.
@MainActor
@Suite struct ControlCardTests {
  private static let size = Size(width: 100, height: 30)

  private func board(_ cards: [(id: String, print: String)]) throws -> ControlBoard {
    let waiting = cards.map { card in
      #"{"id":"\#(card.id)","kind":"exec","subject":"make \#(card.id)","fingerprint":"\#(card.print)","choices":["allow-once","deny"]}"#
    }
    return try read(waiting)
  }

  private func read(_ waiting: [String]) throws -> ControlBoard {
    let text =
      #"{"waiting":[\#(waiting.joined(separator: ","))],"can_answer":true,"can_stop":true}"#
    return try #require(ControlBoard(JSONValue.parse(Array(text.utf8))))
  }

  /// The facts some ms after the card was opened.
  private func facts(_ board: ControlBoard, ms: UInt64 = 0, isLive: Bool = true) -> ViewContext {
    var fixture = Fixture(rows: [])
    var facts = fixture.facts()
    facts.kind = .openclaw
    facts.control = board
    facts.monotonicNs = Fixture.monotonicNs + ms * 1_000_000
    facts.status.overall = isLive ? .live : .reconnecting
    return facts
  }

  private func card(_ board: ControlBoard) -> ControlCard {
    var card = ControlCard(nowNs: Fixture.monotonicNs)
    card.clampSelection(facts(board), screen: Self.size)
    return card
  }

  private func press(_ card: inout ControlCard, _ key: Key, _ facts: ViewContext) -> LayerOutcome {
    card.clampSelection(facts, screen: Self.size)
    return card.press(KeyPress(key, []), on: facts)
  }

  private func sent(_ outcome: LayerOutcome) -> ControlDecision? {
    guard case .effects(let effects) = outcome, case .control(let decision)? = effects.first else {
      return nil
    }
    return decision
  }

  @Test("a choice and Enter send an answer for the card and the text that were seen")
  func send() throws {
    let board = try board([("a", "f1")])
    var card = card(board)
    #expect(sent(press(&card, .enter, facts(board, ms: 500))) == nil)
    _ = press(&card, .char("a"), facts(board, ms: 500))
    let decision = sent(press(&card, .enter, facts(board, ms: 600)))
    #expect(
      decision == ControlDecision(item: "a", fingerprint: "f1", choice: .offered("allow-once")))
    // Not a second time.
    #expect(sent(press(&card, .enter, facts(board, ms: 700))) == nil)
  }

  @Test("Enter is dead for 400 ms after the card appears", arguments: [0, 200, 399, 400, 5_000])
  func dead(ms: Int) throws {
    let board = try board([("a", "f1")])
    var card = card(board)
    let facts = facts(board, ms: UInt64(ms))
    _ = press(&card, .char("d"), facts)
    #expect((sent(press(&card, .enter, facts)) != nil) == (ms >= 400))
  }

  @Test("a card that changes, ends or comes before another is disarmed")
  func changed() throws {
    let first = try board([("a", "f1")])
    for next in [try board([("a", "f2")]), try board([("b", "f9")])] {
      var card = card(first)
      _ = press(&card, .char("a"), facts(first, ms: 500))
      #expect(sent(press(&card, .enter, facts(next, ms: 600))) == nil)
      #expect(card.remark != nil || card.armed == nil)
      // Nor after the pause: it has to be chosen anew.
      #expect(sent(press(&card, .enter, facts(next, ms: 2_000))) == nil)
    }
    // The chosen card stays chosen when another one comes.
    var card = card(first)
    _ = press(&card, .char("a"), facts(first, ms: 500))
    let both = try board([("0", "f0"), ("a", "f1")])
    #expect(sent(press(&card, .enter, facts(both, ms: 600)))?.item == "a")
  }

  @Test("nothing is sent that is not offered, without a connection, or read-only")
  func hindered() throws {
    let board = try board([("a", "f1")])
    var card = card(board)
    _ = press(&card, .char("A"), facts(board, ms: 500))
    #expect(card.armed == nil)
    _ = press(&card, .char("a"), facts(board, ms: 500, isLive: false))
    #expect(card.armed == nil)
    var readOnly = facts(board, ms: 500)
    readOnly.isReadOnly = true
    _ = press(&card, .char("a"), readOnly)
    #expect(card.armed == nil)
  }

  @Test("three ! within two seconds stop everything, the first of which opened the card")
  func panic() throws {
    let board = try board([])
    func run(_ times: [UInt64], other: Bool = false) -> Bool {
      var card = card(board)
      var isStopped = false
      for (index, ms) in times.enumerated() {
        if other, index == 1 { _ = press(&card, .char("j"), facts(board, ms: ms)) }
        let outcome = press(&card, .char("!"), facts(board, ms: ms))
        if outcome == .effects([.stopEverything]) { isStopped = true }
      }
      return isStopped
    }
    #expect(run([500, 1_000]))
    #expect(!run([500]) && !run([500, 2_600]) && !run([500, 1_000], other: true))
    #expect(!run([500, 2_600, 2_700]) && run([2_600, 2_700, 2_800]))
  }

  @Test("the keys of a gateway are those that do something, and help says what they do there")
  func keys() throws {
    let facts = facts(try board([]))
    let keys = KeyTable.standard.working(on: facts)
    #expect(keys.binding(for: .settings) != nil && keys.binding(for: .joinVoice) == nil)
    #expect(keys.binding(for: .triage)?.hint == "control")
    var ofBot = facts
    ofBot.kind = .clanky
    let onlyHere: [KeyAction] = [.chat, .chatToggle]
    #expect(
      KeyTable.standard.working(on: ofBot).bindings
        == KeyTable.standard.bindings.filter { !onlyHere.contains($0.command) })
    var shell = CockpitShell(keys: keys, size: Self.size)
    // Those that have a name on the line say it.
    for command in KeyAction.allCases where command.isOfBotAlone {
      shell.note(nil)
      _ = shell.perform(command, facts)
      #expect(shell.message == "an OpenClaw gateway has nothing of the kind", "\(command)")
    }
  }

  @Test("a question is sent when every part has an answer; a secret is never drawn")
  func question() throws {
    let board = try read([
      #"{"id":"q","kind":"question","fingerprint":"f","subject":"?","questions":[{"id":"shelf","question":"Which shelf?","options":["Upper","Lower"]},{"id":"key","question":"The key?","options":[],"other":true,"secret":true}]}"#
    ])
    var card = card(board)
    _ = press(&card, .char("2"), facts(board, ms: 500))
    #expect(card.armed == nil)
    _ = press(&card, .char("t"), facts(board, ms: 500))
    for letter in "tops3cret" { _ = press(&card, .char(letter), facts(board, ms: 500)) }
    var shell = CockpitShell(size: Self.size)
    for isTyping in [true, false] {
      if !isTyping { _ = press(&card, .enter, facts(board, ms: 500)) }
      shell.layers = LayerStack()
      shell.layers.push(card)
      let frame = shell.render(facts(board, ms: 600), size: Self.size)
      let text = (0..<Self.size.height).map { frame.canvas.text(row: $0) }.joined()
      #expect(!text.contains("tops3cret") && text.contains("*********"))
    }
    let decision = sent(press(&card, .enter, facts(board, ms: 600)))
    #expect(decision?.choice == .answers(["shelf": ["Lower"], "key": ["tops3cret"]]))
  }

  @Test("everything of a card is shown with every character visible, at any size")
  func drawing() throws {
    let board = try read([
      #"{"id":"a","kind":"exec","fingerprint":"f","subject":"rm \u001b[2K\u202e x","details":[{"name":"later","value":"\u200bz"}],"choices":["deny"]}"#
    ])
    for size in [
      Size(width: 100, height: 30), Size(width: 40, height: 10), Size(width: 200, height: 60),
    ] {
      var shell = CockpitShell(size: size)
      shell.layers.push(card(board))
      let frame = shell.render(facts(board, ms: 600), size: size)
      let text = (0..<size.height).map { frame.canvas.text(row: $0) }.joined(separator: "\n")
      #expect(text.contains(#"rm \u{1B}[2K\u{202E} x"#), "\(text)")
    }
  }
}
