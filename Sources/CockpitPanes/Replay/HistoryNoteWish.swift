/// Something that the user adds to what is recorded, at the playhead, or now where the live bot is shown.
package enum HistoryNoteWish: Hashable, Sendable {
  case mark(note: String)
  /// Keep the recording from so many ms before, to `afterMs` after.
  case pin(beforeMs: Int64, note: String)

  /// What follows the moment of a pin belongs to it, in ms.
  package static let afterMs: Int64 = 120_000
}
