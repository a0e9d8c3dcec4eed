import ClankyWire
import CockpitStores
import TerminalCore

/// Warnings in a list of facts.
enum FactBadge: Hashable {
  /// Another fact says the same about the same subject.
  case duplicate
  case lowConfidence
  case stale

  /// Facts below it are doubtful; 0 is the memory tool's default and means nothing (contract 6.1).
  static let doubtful = 0.3
  /// Not touched for longer: after 90 days the backend itself halves its score (contract 6.2).
  static let staleMs: Int64 = 90 * 86_400_000

  var title: PlainText {
    switch self {
    case .duplicate: "DUP"
    case .lowConfidence: "LOWCONF"
    case .stale: "STALE"
    }
  }

  var role: Role { self == .duplicate ? .warning : .muted }

  static func badges(of fact: Fact, isDuplicate: Bool, nowMs: Int64) -> [FactBadge] {
    var badges: [FactBadge] = []
    if isDuplicate { badges.append(.duplicate) }
    if let confidence = fact.confidence, confidence > 0, confidence < doubtful {
      badges.append(.lowConfidence)
    }
    if let at = fact.updatedAt ?? fact.createdAt, nowMs - at.milliseconds > staleMs {
      badges.append(.stale)
    }
    return badges
  }
}
