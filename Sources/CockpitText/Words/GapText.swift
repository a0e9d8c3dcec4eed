import CockpitStores
import TerminalCore

/// The text of a gap or another mark in the log, for all outputs.
package struct GapText {
  private let gap: IDGapRow

  package init(_ gap: IDGapRow) { self.gap = gap }

  /// `499 rows`, `1 row`.
  private func rows(_ count: Int) -> PlainText {
    count == 1 ? "1 row" : Figures.count(count) + " rows"
  }

  /// `40 of the old log`.
  package static func former(_ count: Int) -> PlainText { Figures.count(count) + " of the old log" }

  private var ids: PlainText {
    gap.from == gap.to ? PlainText("id \(gap.from)") : PlainText("ids \(gap.from) to \(gap.to)")
  }

  private var isOne: Bool { gap.count == 1 }

  /// The description, for a row of the feed.
  package var sentence: PlainText {
    switch gap.kind {
    case .filled(let count): return rows(count) + " backfilled"
    case .lost where gap.isOutOfReach:
      return rows(gap.count) + " cannot be had: more than 1,000 of this kind (" + ids + ")"
    case .lost, .unanswered:
      let why: PlainText =
        gap.kind == .lost
        ? (isOne ? "the backend no longer gives it" : "the backend no longer gives them")
        : "the backend did not answer and is asked again"
      return rows(gap.count) + (isOne ? " is" : " are") + " missing (" + ids + "); " + why
    case .replaced(let count):
      let old: PlainText = count == 0 ? "" : "; " + rows(count) + " of the old one are in no figure"
      return "the backend's log was replaced" + old
    }
  }

  /// The same in full sentences, for the detail.
  package var explanation: PlainText {
    switch gap.kind {
    case .filled(let count):
      return "The connection was lost here. " + rows(count)
        + (count == 1 ? " that came meanwhile was" : " that came meanwhile were")
        + " fetched afterwards; nothing is missing."
    case .unanswered:
      return subject
        + " The backend was asked for them and gave no answer that could be used; it is asked again with every comparison."
    case .lost where gap.isOutOfReach:
      return subject
        + " The backend may have them, but gives the newest 1,000 rows of a kind and guild at the most, and these are older."
    case .lost:
      return subject
        + " The backend was asked for them and no longer gives them: it keeps 14 days."
    case .replaced(let count):
      let old: PlainText =
        count == 0
        ? ""
        : " " + rows(count)
          + " of the old log stay here in grey and are in no figure; those that the new log has too are found again."
      return "The backend has another log than before: its ids have started anew." + old
    }
  }

  private var subject: PlainText {
    rows(gap.count) + (isOne ? " is" : " are") + " missing here (" + ids + ")."
  }
}
