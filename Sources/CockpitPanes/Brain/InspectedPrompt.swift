import LenientJSON
import ClankyWire
import CockpitStores
import TerminalCore

/// A prompt under inspection: one version, its predecessor, and its origin.
struct InspectedPrompt {
  var title: PlainText
  /// The name of this text for caches.
  var owner: String
  var content: PromptContent
  var previousOwner: String?
  var previous: PromptContent?
  /// The label of the previous version: `v11`, `the call before`.
  var previousName: PlainText = ""
  /// Number of this version and of the newest, of a live prompt.
  var number: Int?
  var newest: Int?
  /// Captures in a row that had this same text.
  var captures = 1
  var updatedMs: Int64?
  var source: String?
  /// UTF-16 units of the first version there ever was.
  var firstLength: Int?

  /// Its parts in order; compared with the previous one also those that went away altogether, which are empty.
  func texts(isComparing: Bool) -> [PromptPart] {
    guard isComparing, let previous else { return content.parts }
    return content.parts
      + previous.parts.filter { content[$0.key] == nil }.map { PromptPart($0.key, "") }
  }

  /// The growth in length against the previous version; nil if there is none.
  func growth(_ part: PromptPart) -> Int? {
    previous.map { part.length - ($0[part.key]?.length ?? 0) }
  }
}
