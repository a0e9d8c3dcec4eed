import ClankyWire
import CockpitStores
import TerminalCore

/// Masks the owner's private facts on the screen until they are revealed.
struct OwnerMask: Hashable, Sendable {
  /// Whether the facts may be read.
  var isLifted = false

  /// The placeholder of a masked text.
  static func text(_ keys: KeyTable) -> PlainText { "•••••••• " + keys.text(.open) + " shows" }

  /// Whether a fact is private to the owner and hidden.
  func hides(_ fact: Fact) -> Bool { !isLifted && fact.isOwnerPrivate }
}
