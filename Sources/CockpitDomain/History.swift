package import Networking

/// A request for older rows.
package struct HistoryRequest: Sendable, Hashable {
  /// Exact names of kinds; nil for all of them.
  package var kinds: Set<String>?
  /// Only rows of this guild; nil for all of them.
  package var guild: String?
  /// Server time in ms since 1970 from which on they are wanted; `.min` for all that the backend keeps.
  package var sinceMs: Int64
  /// Whether the user is waiting for the rows: then large rows are fetched without a limit.
  package var isUserRequested: Bool

  /// Defaults to a request by the user.
  package init(
    kinds: Set<String>? = nil, guild: String? = nil, sinceMs: Int64, isUserRequested: Bool = true
  ) {
    self.kinds = kinds
    self.guild = guild
    self.sinceMs = sinceMs
    self.isUserRequested = isUserRequested
  }

  /// Whether this request covers everything that `other` asks for.
  package func contains(_ other: HistoryRequest) -> Bool {
    guard sinceMs <= other.sinceMs, isUserRequested || !other.isUserRequested,
      guild == nil || guild == other.guild
    else { return false }
    guard let kinds else { return true }
    return other.kinds?.isSubset(of: kinds) ?? false
  }
}

/// The subject of a history request, as shown on screen.
package enum HistoryTopic: String, Sendable, Hashable {
  case events = "errors, sessions, memory"
  case newest = "the newest 1,000 rows"
  case calls = "service calls"
  case models = "model calls"
  case replies = "replies"
  case voice = "voice events"
  case others = "other kinds"
}

/// Rows that the backend has but cannot return: it serves only the newest 1,000 per list of kinds
/// and guild (wire contract 3.2).
package struct HistoryLimit: Sendable, Equatable {
  package var part: FillPart
  /// Server time in ms since 1970; the missing rows are older. nil if no row of the part was
  /// returned.
  package var beforeMs: Int64?
  /// The answer would have too many bytes rather than too many rows.
  package var isTooLarge: Bool

  package init(part: FillPart, beforeMs: Int64?, isTooLarge: Bool) {
    self.part = part
    self.beforeMs = beforeMs
    self.isTooLarge = isTooLarge
  }
}

/// How far back history has been fetched.
package struct HistoryProgress: Sendable, Equatable {
  /// Why fetching stopped early.
  package enum Stop: Sendable, Equatable {
    /// There is no room for older rows beside the newer ones.
    case memory
    /// The backend did not answer.
    case failure(LinkFailure)
  }

  /// What is being fetched; nil while nothing is.
  package var topic: HistoryTopic?
  /// Since when, server time in ms since 1970; `.min` for all that the backend keeps.
  package var sinceMs = Int64.max
  /// Whether a request is still queued, waiting for its turn or for the connection.
  package var isWanted = false
  /// Rows that the backend has but cannot return.
  package var limits: [HistoryLimit] = []
  package var stop: Stop?
  /// Completed requests.
  package var done: [HistoryRequest] = []

  package init() {}

  /// Whether everything that `request` can bring has been requested.
  package func isDone(_ request: HistoryRequest) -> Bool {
    done.contains { $0.contains(request) }
  }
}
