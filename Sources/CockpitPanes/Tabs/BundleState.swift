import TerminalCore

/// The bundle that is being made.
package struct BundleState: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// What it would contain is looked up.
    case reading
    /// What it would contain, and what is redacted: to be confirmed.
    case preview([PlainText])
    case writing
    /// Written, read back and checked.
    case done([PlainText])
    case failed(PlainText)
  }

  package var phase: Phase
  /// The file.
  package var path: PlainText
  /// How far back it goes.
  package var length: PlainText
  package var note: PlainText

  package init(_ phase: Phase, path: PlainText, length: PlainText, note: PlainText) {
    self.phase = phase
    self.path = path
    self.length = length
    self.note = note
  }
}

/// What the screen asks for.
package enum BundleWish: Hashable, Sendable {
  /// Show what a bundle of the time before the playhead, or before now, would contain.
  case preview(lengthMs: Int64, note: String)
  case write
  case stop
}
