/// What one list of stored rows proves: every row of some kinds, from a time on, is in it or came live
/// after it was asked for.
package struct RowClaim: Sendable, Equatable {
  /// Exact names of kinds; nil for all kinds, unknown ones included.
  package let kinds: Set<String>?
  /// Only rows of this guild; nil for all of them, and rows without a guild.
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

  /// What an answer proves; nil when it proves nothing.
  ///
  /// A full list holds the newest rows, and nothing says how many more there are. Rows of one millisecond
  /// come in ascending order, so of its oldest millisecond the newest ids may be cut off
  /// (wire contract 3.2).
  ///
  /// - Parameters:
  ///   - part: what was asked for.
  ///   - limit: the most rows that the list could have.
  ///   - sinceMs: server time from which on rows were asked for; nil for all that there are.
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
