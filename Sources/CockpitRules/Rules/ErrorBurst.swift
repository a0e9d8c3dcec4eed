internal import Foundation

/// Ours: more goes wrong than the last day makes plausible.
struct ErrorBurst: RuleState {
  static let rule = Rule(
    id: .errorBurst, level: .critical,
    condition: "3 failures in 5 min, improbable (p < 0.001) after the last 24 h",
    advice: "Open the failures; the same provider or tool in most of them is where to look.",
    input: RuleInput(
      names: ["llm_call", "reply_admission_decision", "voice_activity_started", "bot_logged_in"],
      failures: true, health: true, outages: true),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "failures at least"),
      RuleLimit(name: "within_ms", unit: .ms, standard: 300_000, meaning: "the window"),
      RuleLimit(name: "p", unit: .ratio, standard: 0.001, meaning: "the probability by chance"),
    ],
    begin: { ErrorBurst($0) })

  private let count: Int
  private let withinMs: Int64
  private let p: Double
  /// Since when everything is known.
  private var sinceMs: Int64?
  private var recent = RecentRows()
  /// Failures by slot, slots since 1970, in order.
  private var slots: [(slot: Int64, count: Int)] = []
  /// The failures that were told last, while the burst lasts.
  private var told = 0

  private static let dayMs: Int64 = 86_400_000
  private static let slotMs: Int64 = 60_000
  /// A shorter stretch tells nothing of the usual.
  private static let leastMs: Int64 = 1_800_000

  init(_ values: RuleValues) {
    count = max(1, values.count("count"))
    withinMs = max(1, values.ms("within_ms"))
    p = values["p"]
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    if case .outage(_, let toMs, _) = event.body {
      // What was before it is not the last 24 hours any more.
      sinceMs = max(sinceMs ?? toMs, toMs)
      slots = []
      return
    }
    if sinceMs == nil { sinceMs = event.timeMs }
    guard let row = event.row, row.isFailure, let sinceMs else { return }
    recent.add(row, withinMs: withinMs)
    if recent.count < count { told = 0 }
    defer { note(row.timeMs) }
    let fromMs = row.timeMs - withinMs
    let coveredMs = fromMs - max(sinceMs, fromMs - Self.dayMs)
    guard recent.count >= max(count, told * 2), coveredMs >= Self.leastMs else { return }
    let before = usual(beforeMs: fromMs)
    // Failures come in groups; a group counts as one.
    let now = Int((Double(recent.count) / before.spread).rounded(.down))
    let then = Int((Double(before.count) / before.spread).rounded(.up))
    let share = Double(withinMs) / Double(withinMs + coveredMs)
    guard Self.atLeast(now, of: now + then, share) < p else { return }
    told = recent.count
    found.report(
      .init(
        .critical,
        "\(recent.count) failures within \(RuleWords.duration(withinMs)), "
          + "\(before.count) in the \(RuleWords.duration(coveredMs)) before", recent.citations,
        about: nil, subject: "burst", cause: Self.most(recent.rows)))
  }

  private mutating func note(_ timeMs: Int64) {
    let slot = timeMs / Self.slotMs
    if slots.last?.slot == slot {
      slots[slots.count - 1].count += 1
    } else {
      slots.append((slot, 1))
    }
    let first = (timeMs - Self.dayMs - withinMs) / Self.slotMs
    if let old = slots.first, old.slot < first - 60 { slots.removeAll { $0.slot < first } }
  }

  /// How many failures the last 24 hours had, and the variance over the mean of five-minute counts, 1 at least.
  private func usual(beforeMs: Int64) -> (count: Int, spread: Double) {
    let first = (beforeMs - Self.dayMs) / Self.slotMs
    let last = beforeMs / Self.slotMs
    var groups: [Int64: Int] = [:]
    var count = 0
    for entry in slots where entry.slot >= first && entry.slot < last {
      count += entry.count
      groups[entry.slot / 5, default: 0] += entry.count
    }
    guard count > 0, let sinceMs else { return (0, 1) }
    let places = max(1, Double(min(Self.dayMs, beforeMs - sinceMs)) / Double(5 * Self.slotMs))
    let mean = Double(count) / places
    let squares = groups.values.reduce(0) { $0 + Double($1 * $1) }
    let variance = squares / places - mean * mean
    return (count, max(1, variance / mean))
  }

  /// The name that most of the rows have.
  private static func most(_ rows: [RuleRow]) -> String? {
    var counts: [String: Int] = [:]
    for row in rows { counts[row.name, default: 0] += 1 }
    let first = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return first.map { "\($0.value) of \(rows.count) are \($0.key)" }
  }

  /// The probability of at least `hits` of `n`, if each is one with probability `share`.
  static func atLeast(_ hits: Int, of n: Int, _ share: Double) -> Double {
    guard hits > 0 else { return 1 }
    guard hits <= n, share > 0 else { return 0 }
    guard share < 1 else { return 1 }
    var sum = 0.0
    for k in hits...n {
      let choose = lgamma(Double(n + 1)) - lgamma(Double(k + 1)) - lgamma(Double(n - k + 1))
      let term = exp(choose + Double(k) * log(share) + Double(n - k) * log1p(-share))
      sum += term
      // Past the mean the terms only fall.
      if Double(k) > Double(n) * share, term < sum * 1e-12 { break }
    }
    return min(1, sum)
  }
}
