import CockpitStores
import TerminalCore

extension Facts {
  /// The summary of a row, made once while the row is being drawn and the names stay the same.
  func summary(of parsed: ActionCache.Parsed) -> ActionSummary { memo(of: parsed).summary }

  /// What is kept of a row while the names stay the same.
  func memo(of parsed: ActionCache.Parsed) -> RowMemo {
    let revision = names.directory.revision
    if let memo = parsed.memo as? RowMemo, memo.revision == revision { return memo }
    let memo = RowMemo(
      revision: revision,
      summary: ActionSummary(of: parsed.action, metadata: parsed.metadata, names: names))
    parsed.memo = memo
    return memo
  }
}

/// What panes have derived from a row and from the names of this revision.
@MainActor
final class RowMemo {
  let revision: Int
  let summary: ActionSummary
  /// The cells of the row in the feed, and everything else that they were made of. With every frame
  /// two rows or three are not as they were.
  var picture: [Cell] = []
  var pictureKey: FeedRow.PictureKey?

  init(revision: Int, summary: ActionSummary) {
    self.revision = revision
    self.summary = summary
  }
}
