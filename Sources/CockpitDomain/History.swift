package import Networking

/// A request for older rows.
package struct HistoryRequest: Sendable, Hashable {
  /// Exact names of kinds; nil for all of them.
  package var kinds: Set<String>?
  /// Only rows of this guild; nil for all of them.
  package var guild: String?
  /// Server time in ms since 1970 from which on they are wanted; `.min` for all that the backend keeps.
  package var sinceMs: Int64
  /// Whether a person waits for them: then large rows are fetched in any number too.
  package var isAsked: Bool

  /// What a person asks for, by default.
  package init(
    kinds: Set<String>? = nil, guild: String? = nil, sinceMs: Int64, isAsked: Bool = true
  ) {
    self.kinds = kinds
    self.guild = guild
    self.sinceMs = sinceMs
    self.isAsked = isAsked
  }

  /// Whether another wish asks for nothing that this one does not.
  package func contains(_ other: HistoryRequest) -> Bool {
    guard sinceMs <= other.sinceMs, isAsked || !other.isAsked, guild == nil || guild == other.guild
    else { return false }
    guard let kinds else { return true }
    return other.kinds?.isSubset(of: kinds) ?? false
  }
}

/// What a request for past rows is for, in the words of the screen.
package enum HistoryTopic: String, Sendable, Hashable {
  case events = "errors, sessions, memory"
  case newest = "the newest 1,000 rows"
  case calls = "service calls"
  case models = "model calls"
  case replies = "replies"
  case voice = "voice events"
  case others = "other kinds"
}

/// Rows that the backend has and does not give: it gives the newest 1,000 of a list of kinds and a guild,
/// and nothing tells it to go further back (wire contract 3.2).
package struct HistoryLimit: Sendable, Equatable {
  package var part: FillPart
  /// Server time in ms since 1970 before which they are; nil where no row of them was given.
  package var beforeMs: Int64?
  /// The answer would have too many bytes rather than too many rows.
  package var isTooLarge: Bool

  /// Takes all three.
  package init(part: FillPart, beforeMs: Int64?, isTooLarge: Bool) {
    self.part = part
    self.beforeMs = beforeMs
    self.isTooLarge = isTooLarge
  }
}

/// How far the past has been fetched.
package struct HistoryProgress: Sendable, Equatable {
  /// Why no more is fetched than was.
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
  /// Whether something is wanted that has not been fetched: it waits for its turn, or for the connection.
  package var isWanted = false
  /// What the backend has and does not give.
  package var limits: [HistoryLimit] = []
  package var stop: Stop?
  /// What has been fetched as far as that was possible.
  package var done: [HistoryRequest] = []

  package init() {}

  /// Whether everything has been asked for that a wish can bring.
  package func isDone(_ wish: HistoryRequest) -> Bool {
    done.contains { $0.contains(wish) }
  }
}
