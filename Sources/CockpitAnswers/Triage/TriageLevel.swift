/// How bad a trouble is. The raw values are the words of the configuration and of `--json`.
package enum TriageLevel: String, CaseIterable, Comparable, Hashable, Sendable {
  case info, warning, critical

  package static func < (left: TriageLevel, right: TriageLevel) -> Bool {
    left.order < right.order
  }

  private var order: Int {
    switch self {
    case .info: 0
    case .warning: 1
    case .critical: 2
    }
  }
}

/// Which rules apply, and how bad what they find is: the table `[triage]` of the configuration.
package struct TriageSettings: Hashable, Sendable {
  /// Rules that never fire, by name.
  package var denied: Set<String> = []
  /// Levels that replace those of the rules, by name.
  package var levels: [String: TriageLevel] = [:]
  /// US dollars per UTC day; nil for no budget.
  package var budgetUSD: Double?

  package init() {}

  /// - Parameters:
  ///   - words: for a rule by its name `off`, `on` or a level; other words are ignored.
  ///   - budgetUSD: US dollars per UTC day; nil for no budget.
  package init(words: [String: String], budgetUSD: Double? = nil) {
    for (name, word) in words {
      if word == "off" { denied.insert(name) }
      levels[name] = TriageLevel(rawValue: word)
    }
    self.budgetUSD = budgetUSD
  }
}
