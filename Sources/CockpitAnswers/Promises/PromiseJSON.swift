internal import ClankyWire
package import LenientJSON

extension Promise {
  /// For `--json` outputs: keys as in docs/configuration.md.
  package var json: JSONValue {
    let burning: [(String, JSONValue?)] = [
      ("budget_used", used.map(Self.number) ?? .null),
      ("burn_rate", burn.map { Self.number($0.rate) } ?? .null),
      ("burn_over_ms", burn.map { .integer(Int(clamping: $0.overMs)) } ?? .null),
      ("breach_in_ms", breachInMs.map { .integer(Int(clamping: $0)) } ?? .null),
      ("evidence", .array(evidence.compactMap(\.actionID).map { .integer($0) })),
    ]
    let window: [(String, JSONValue?)] = [
      ("from", .string(WireTime(milliseconds: fromMs).iso)),
      ("to", .string(WireTime(milliseconds: toMs).iso)), ("complete", .bool(isComplete)),
    ]
    let figures: [(String, JSONValue?)] = [
      ("value", value?.json ?? .null), ("measure", .string(value?.name ?? "unknown")),
      ("objective", objective.json), ("n", .integer(n)), ("least_n", .integer(leastN)),
      ("missed", missed.map { .integer($0) } ?? .null),
    ]
    let head: [(String, JSONValue?)] = [
      ("name", .string(kind.rawValue)), ("verdict", .string(verdict.rawValue)),
      ("sentence", .string(PromiseText(self).sentence)),
    ]
    return .body(head + figures + window + burning)
  }

  fileprivate static func number(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    return .number(JSONNumber(text: "\(value)"))
  }
}

extension Promise.Value {
  fileprivate var name: String {
    switch self {
    case .p95: "p95_ms"
    case .worst: "worst_ms"
    case .share: "share"
    case .count: "count"
    case .usd: "usd"
    }
  }

  fileprivate var json: JSONValue {
    switch self {
    case .p95(let ms), .worst(let ms): .integer(ms)
    case .count(let count): .integer(count)
    case .share(let value), .usd(let value): Promise.number(value)
    }
  }
}

extension Promise.Objective {
  fileprivate var json: JSONValue {
    switch self {
    case .milliseconds(let ms): .integer(ms)
    case .count(let count): .integer(count)
    case .share(let value), .usd(let value): Promise.number(value)
    case .range(let range):
      .array([Promise.number(range.lowerBound), Promise.number(range.upperBound)])
    }
  }
}
