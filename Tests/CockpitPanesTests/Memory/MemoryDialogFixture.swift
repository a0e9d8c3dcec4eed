import TerminalUI
import ClankyWire
import TerminalCore

@testable import CockpitPanes
@testable import CockpitStores

/// A dialog over a few facts, with what it asked for.
@MainActor
struct DialogFixture {
  var fixture = Fixture()
  var dialog: MemoryDialog?
  var effects: [Effect] = []
  var isClosed = false
  private var known: ViewContext?

  static let guild = "500000000000000001"
  static let james = "700000000000000001"

  static func fact(
    _ id: Int, _ text: String, subject: String = james, type: FactType = .preference,
    evidence: String? = nil, confidence: Double? = 0.825, updated: String = "2026-03-01T12:00:00Z"
  ) -> Fact {
    Fact(
      id: id, createdAt: WireTime(iso: "2026-02-01T10:00:00Z"), updatedAt: WireTime(iso: updated),
      scope: .user, guildID: guild, subject: subject, fact: text, factType: type,
      evidenceText: evidence, confidence: confidence)
  }

  static let plain = fact(
    1042, "Prefers concise responses without unnecessary preamble",
    evidence: "stop being so verbose")

  /// Hostile text: escapes, bidi controls, wide signs, the maximum length.
  static let hostile = Fact(
    id: 66, updatedAt: WireTime(iso: "2026-03-01T14:00:00Z"), guildID: guild,
    subject: "\u{1B}]0;owned\u{7}\u{202E}eve",
    fact:
      "\u{1B}[2J作者喜欢短回答👩‍👩‍👧 \u{202E}gnp.exe\u{202C} "
      + String(repeating: "lorem\u{200B}ipsum ", count: 32) + "ende\u{FFFD}",
    factType: FactType(rawValue: "Weird\u{9B}31m\u{2028}type"), evidenceText: "a\nb\tc \u{7F}d",
    confidence: 1e308)

  init(_ facts: [Fact] = [plain, hostile]) {
    fixture.memory.facts.merge(facts, guild: Self.guild)
    fixture.memory.guilds = [Self.guild]
  }

  var memory: MemoryStore { fixture.memory }
  /// Made once: the stores in it are the fixture's own.
  mutating func facts() -> ViewContext {
    if let known { return known }
    let facts = fixture.facts()
    known = facts
    return facts
  }

  var form: FactForm? { if case .form(let form) = dialog { form } else { nil } }

  mutating func open(_ fact: Fact = plain) { dialog = MemoryDialog.edit(fact, on: facts()) }

  mutating func askToDelete(_ ids: [Int]) { dialog = MemoryDialog.delete(ids, on: facts()) }
  mutating func askToRetype(_ ids: [Int]) { dialog = MemoryDialog.retype(ids, on: facts()) }

  /// Presses keys written as in the key table.
  mutating func type(_ keys: String) {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses { self.press(press) }
    }
  }

  mutating func write(_ text: String) {
    for character in text { press(KeyPress(.char(character))) }
  }

  mutating func press(_ press: KeyPress) {
    let facts = facts()
    if let outcome = dialog?.press(press, on: facts) { take(outcome) }
  }

  mutating func click(_ button: Int) {
    let facts = facts()
    if let outcome = dialog?.click(button, on: facts) { take(outcome) }
  }

  private mutating func take(_ outcome: LayerOutcome) {
    switch outcome {
    case .passed, .stay: break
    case .effects(let new): effects += new
    case .close, .done:
      if case .done(let new) = outcome { effects += new }
      dialog = nil
      isClosed = true
    }
  }

  mutating func paste(_ text: String) {
    let facts = facts()
    effects += dialog?.paste(text, on: facts) ?? []
  }

  mutating func edited(_ text: String?) {
    let facts = facts()
    effects += dialog?.edited(text, on: facts) ?? []
  }

  /// Lets the fact that is edited be in a state of its way to the backend.
  mutating func answer(_ state: FactChange.State) {
    let facts = facts()
    guard let form else { return }
    memory.changes[form.factID] = FactChange(form.draft(facts), state: state)
  }

  /// The dialog alone, where MEMORY would have it.
  mutating func canvas(_ size: Size) -> Canvas {
    var frame = Frame(size: size)
    let body = Rect(y: 1, width: size.width, height: size.height - 2)
    dialog?.render(facts(), in: body, into: &frame)
    return frame.canvas
  }

  mutating func text(_ size: Size = Size(width: 80, height: 24)) -> String { canvas(size).text }

  /// Requests that change something on the backend.
  var writes: [MemoryRequest] {
    effects.compactMap { effect in
      guard case .memory(let request) = effect else { return nil }
      switch request {
      case .send, .delete, .deleteNow, .retype: return request
      default: return nil
      }
    }
  }

  /// The draft that was kept last.
  var kept: FactDraft? {
    for case .memory(.keep(let draft)) in effects.reversed() { return draft }
    return nil
  }
}
