internal import ClankyWire

/// The fields of a query term.
enum QueryField: String, CaseIterable, Sendable {
  case kind, domain, chip, event, text, user, channel, guild, message, id, model, provider, tool
  /// Which of several sources a row is of.
  case bot
  case source, session, cost, ms, tokens, severity
  case state = "is"
  case since, before, at
  /// `meta.PATH`
  case meta
  /// A word without a field.
  case word = ""

  /// Names that mean the same.
  private static let aliases: [String: QueryField] = [
    "content": .text, "duration": .ms, "level": .severity, "sev": .severity, "group": .chip,
    "msg": .message, "chan": .channel, "server": .guild, "usd": .cost, "kinds": .kind,
  ]

  init?(name: String) {
    let name = name.lowercased()
    guard !name.isEmpty, let field = QueryField(rawValue: name) ?? Self.aliases[name] else {
      return nil
    }
    self = field
  }

  /// The help text of the completion.
  var help: String {
    switch self {
    case .kind: "kind of the action, such as llm_*"
    case .domain: "part of the bot"
    case .chip: "quick filter"
    case .event: "event in *_runtime, *_error, *_lifecycle rows"
    case .text: "text of the content"
    case .user: "name or id"
    case .channel: "channel name or id"
    case .guild: "server name or id"
    case .message: "message id"
    case .id: "row id"
    case .model: "language model"
    case .provider: "model or service provider"
    case .tool: "tool name"
    case .bot: "the bot or gateway, by the name of its profile"
    case .source: "source in the metadata"
    case .session: "session id"
    case .cost: "US dollars"
    case .ms: "duration in milliseconds"
    case .tokens: "input and output tokens"
    case .severity: "info, warning or error"
    case .state: "error, warning, live, stored, voice, gap, costed"
    case .since: "not older than 15m, 2h, 1d, 14:30, 2026-05-09"
    case .before: "older than 15m, 14:30, 2026-05-09"
    case .at: "the minute 14:30, the day 2026-05-09"
    case .meta: "any metadata, such as meta.usage.inputTokens>1000"
    case .word: ""
    }
  }

  var isNumeric: Bool { self == .cost || self == .ms || self == .tokens || self == .id }
  var isTime: Bool { self == .since || self == .before || self == .at }
}

/// A comparison in a query.
enum QueryComparison: String, Hashable, Sendable {
  case equal = ":"
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  func holds(_ left: Double, _ right: Double) -> Bool {
    switch self {
    case .equal: left == right
    case .less: left < right
    case .lessOrEqual: left <= right
    case .greater: left > right
    case .greaterOrEqual: left >= right
    }
  }
}

/// The values of `is:`.
enum QueryState: String, CaseIterable, Sendable {
  case error, failure, warning, info, live, stored, voice, gap, costed
}

/// A test of a number: one bound, or two.
struct NumberTest: Hashable, Sendable {
  var comparison: QueryComparison
  var value: Double
  /// The upper end of `a..b`.
  var upper: Double?

  func holds(_ number: Double) -> Bool {
    if let upper { return number >= value && number <= upper }
    return comparison.holds(number, value)
  }
}
