import ClankyWire
import CockpitStores
import TerminalCore

/// What lies over MEMORY's list and has all keys: the form, a question, the journal.
package enum MemoryDialog: Hashable, Sendable {
  /// What a key made of it.
  enum Outcome {
    case stay([Effect])
    case become(MemoryDialog, [Effect])
    case close([Effect])
  }

  case journal

  /// The form for a fact, with the draft that was left of it; nil when it cannot be edited.
  @MainActor static func edit(_ fact: Fact, on facts: Facts) -> MemoryDialog? { nil }

  /// The question before deleting; nil when there is nothing to delete.
  @MainActor static func delete(_ factIDs: [Int], on facts: Facts) -> MemoryDialog? { nil }

  /// The question before giving many facts one type.
  @MainActor static func retype(_ factIDs: [Int], on facts: Facts) -> MemoryDialog? { nil }

  @MainActor mutating func press(_ press: KeyPress, on facts: Facts) -> Outcome { .close([]) }

  @MainActor mutating func paste(_ text: String, on facts: Facts) {}

  @MainActor mutating func edited(_ text: String?, on facts: Facts) -> Outcome { .stay([]) }

  /// Draws it into `body`; what lies under it can be seen beside it where there is room.
  @MainActor func render(_ facts: Facts, in body: Rect, into frame: inout Frame) {}
}
