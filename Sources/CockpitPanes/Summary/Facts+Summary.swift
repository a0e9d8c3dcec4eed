import CockpitStores

extension Facts {
  /// The summary of a row, made once while the row is being drawn and the names stay the same.
  func summary(of parsed: ActionCache.Parsed) -> ActionSummary {
    let revision = names.directory.revision
    if let memo = parsed.memo as? SummaryMemo, memo.revision == revision { return memo.summary }
    let summary = ActionSummary(of: parsed.action, metadata: parsed.metadata, names: names)
    parsed.memo = SummaryMemo(revision: revision, summary: summary)
    return summary
  }
}

/// A summary and the names that it was made with.
private struct SummaryMemo: Sendable {
  var revision: Int
  var summary: ActionSummary
}
