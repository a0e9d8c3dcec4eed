import ClankyWire
import CockpitStores
import TerminalCore

/// MEMORY: what the bot remembers, and correcting it.
///
/// What is so stands in the stores; here is only what the user looks at and has typed.
package struct MemoryPane: TabPane {
  /// What answers to the mouse.
  package enum Target: Hashable, Sendable {
    case subject(String?)
    case fact(Int)
  }

  /// How the list is narrowed and ordered; the program keeps `Facts.factView` in step with it.
  package internal(set) var query = FactViewQuery()
  /// What lies over the list and has the keys.
  package internal(set) var dialog: MemoryDialog?
  package internal(set) var notice: PlainText?
  /// The fact that another tab wants to be seen, until it is here.
  package internal(set) var wantedFact: FactReference?

  package init() {}

  package var isTyping: Bool { dialog != nil }

  package var hints: [CockpitCommand] {
    [.help, .search, .find, .edit, .delete, .undo, .select, .nextPanel, .quit]
  }

  /// Shows a fact as soon as it is here.
  mutating func reveal(_ fact: FactReference) { wantedFact = fact }

  @MainActor package mutating func perform(
    _ command: CockpitCommand, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect]? { nil }

  @MainActor package mutating func press(
    _ target: Target, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] { [] }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: Facts, body: Rect, screen: Size
  ) {}

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: Facts, body: Rect, screen: Size
  ) -> [Effect] {
    guard dialog != nil else { return [] }
    return finish(dialog?.press(press, on: facts))
  }

  @MainActor package mutating func paste(_ text: String, on facts: Facts) {
    dialog?.paste(text, on: facts)
  }

  /// Takes what came back from the user's editor; nil when it was left without saving.
  @MainActor mutating func edited(_ text: String?, on facts: Facts) -> [Effect] {
    finish(dialog?.edited(text, on: facts))
  }

  @MainActor package mutating func settle(_ facts: Facts, body: Rect, screen: Size) {}

  @MainActor package func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {
    MemoryPreview().render(facts, in: body, into: &frame)
    dialog?.render(facts, in: body, into: &frame)
  }

  private mutating func finish(_ outcome: MemoryDialog.Outcome?) -> [Effect] {
    switch outcome {
    case nil: return []
    case .stay(let effects): return effects
    case .become(let next, let effects):
      dialog = next
      return effects
    case .close(let effects):
      dialog = nil
      return effects
    }
  }
}
