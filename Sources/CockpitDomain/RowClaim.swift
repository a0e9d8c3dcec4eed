/// What a list of stored rows proves: every row of these kinds from a time on is in it, or came
/// live after the request was sent.
package struct RowClaim: Sendable, Equatable {
  /// Exact kind names; nil means every kind, unknown ones included.
  package let kinds: Set<String>?
  /// Only rows of this guild; nil means every guild, and rows without one.
  package let guild: String?
  /// Server time in ms since 1970 from which on no row is missing; `.min` for everything that the backend
  /// keeps.
  package let fromMs: Int64

  /// A claim of everything from a time on, by default.
  package init(kinds: Set<String>? = nil, guild: String? = nil, fromMs: Int64) {
    self.kinds = kinds
    self.guild = guild
    self.fromMs = fromMs
  }

  /// What an answer proves; nil if nothing.
  ///
  /// A full list holds the newest rows and does not say how many were cut off. Rows of the same
  /// millisecond are in ascending order, so the newest ids of the oldest millisecond may be missing
  /// (wire contract 3.2).
  ///
  /// - Parameters:
  ///   - part: the requested slice.
  ///   - limit: the maximum number of rows in the list.
  ///   - sinceMs: server time from which rows were requested; nil means all.
  package init?(_ report: RowReport, to part: FillPart = FillPart(), limit: Int, sinceMs: Int64?) {
    guard report.isComplete else { return nil }
    kinds = part.kinds.isEmpty ? nil : Set(part.kinds)
    guild = part.guild
    if report.count < limit {
      fromMs = sinceMs ?? .min
    } else if let oldestMs = report.oldestMs, oldestMs < .max {
      fromMs = max(oldestMs + 1, sinceMs ?? .min)
    } else {
      return nil
    }
  }
}
