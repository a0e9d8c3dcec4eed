import CockpitRules
import CockpitStatistics

/// Recordings for the rule about what a day costs.
enum BudgetCases {
  private static let limit = RuleSettings([.budget: .init(values: ["usd": 5])])

  /// Recorded days before: an hour costs some dollars, give or take; or each week three times as much as the last.
  private static func recorded(
    _ usd: Double, days: Int = 40, isRegular: Bool = true
  ) -> RuleSettings {
    let today = 20_458  // 2026-01-05
    var random = SplitMix64(seed: 5)
    var settings = limit
    settings.spend = DayProfile(
      (today - days..<today).map { day in
        let week = (day - (today - days)) / 7
        let level =
          isRegular ? 0.5 + random.unit() : (0..<week).reduce(1.0) { level, _ in level * 3 }
        return DayProfile.Day(
          number: day, hours: (0..<24).map { _ in usd * level * (0.5 + random.unit()) })
      })
    return settings
  }

  private static func spent(_ tape: inout RuleTape, _ at: Double, _ usd: Double, day: String) {
    tape.health(at) { $0.costByDay = [day: usd] }
  }

  static let all: [RuleCase] = [
    .fires(.budget, "stats say so", [.warning], limit) {
      spent(&$0, 0, 4.9, day: "2026-01-05")
      spent(&$0, 60, 5.1, day: "2026-01-05")
      spent(&$0, 120, 5.2, day: "2026-01-05")
    },
    .fires(.budget, "rows add up to it", [.warning], limit) {
      for at in 0..<6 {
        $0.row("llm_call", Double(at) * 60, #""model":"m""#, content: "a:\(at)", cost: 0.9)
      }
    },
    .fires(.budget, "on two days", [.warning, .warning], limit) {
      spent(&$0, 0, 6, day: "2026-01-05")
      spent(&$0, 86_400, 7, day: "2026-01-06")
    },
    .fires(.budget, "recorded days cost more by midnight", [.info], recorded(1)) {
      spent(&$0, 0, 2, day: "2026-01-05")
      spent(&$0, 1000, 2.1, day: "2026-01-05")
    },
    .fires(.budget, "foretold, then over it", [.warning, .info], recorded(1)) {
      spent(&$0, 0, 2, day: "2026-01-05")
      spent(&$0, 9000, 5.5, day: "2026-01-05")
    },
    .quiet(.budget, "recorded days cost less", recorded(0.1)) {
      spent(&$0, 0, 2, day: "2026-01-05")
    },
    .quiet(.budget, "recorded days do not foretell", recorded(1, isRegular: false)) {
      spent(&$0, 0, 2, day: "2026-01-05")
    },
    .quiet(.budget, "six recorded days", recorded(1, days: 6)) {
      spent(&$0, 0, 2, day: "2026-01-05")
    },
    .quiet(.budget, "no budget is set") { spent(&$0, 0, 900, day: "2026-01-05") },
    .quiet(.budget, "just on it", limit) { spent(&$0, 0, 5, day: "2026-01-05") },
    .quiet(.budget, "yesterday was over it", limit) { spent(&$0, 0, 9, day: "2026-01-04") },
    .quiet(.budget, "half on each side of midnight", limit) {
      for at in 0..<8 {
        $0.row(
          "llm_call", 41_000 + Double(at) * 600, #""model":"m""#, content: "a:\(at)", cost: 0.9)
      }
    },
    .quiet(.budget, "browser totals repeat their model calls", limit) {
      for at in 0..<4 {
        $0.row("llm_tool_call", Double(at), content: "a:\(at)", cost: 1)
        $0.row("browser_browse_call", Double(at) + 0.5, content: "b\(at)", cost: 1)
      }
    },
  ]
}
