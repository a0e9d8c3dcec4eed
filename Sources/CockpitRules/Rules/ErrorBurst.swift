internal import CockpitStatistics

/// Ours: more goes wrong than the last day makes plausible.
struct ErrorBurst: RuleState {
  static let rule = Rule(
    id: .errorBurst, level: .critical,
    condition: "3 failures in 5 min, improbable (p < 0.001) after the last 24 h",
    advice: "Open the failures; the same provider or tool in most of them is where to look.",
    input: RuleInput(
      names: ["llm_call", "reply_admission_decision", "voice_activity_started", "bot_logged_in"],
      failures: true, health: true, outages: true, memoryMs: 86_400_000, isOfBoth: true),
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
  private static let groupSlots: Int64 = 5
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
    let test = EventRate.compare(
      before, EventRate(recent.count, per: Double(withinMs), dispersion: before.dispersion))
    guard let test, test.p < p, test.ratio ?? 0 > 1 else { return }
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

  /// The failures of the last 24 hours. They come in groups: the dispersion of five-minute counts tells how much.
  private func usual(beforeMs: Int64) -> EventRate {
    let first = max(sinceMs ?? beforeMs, beforeMs - Self.dayMs) / Self.slotMs
    let last = beforeMs / Self.slotMs
    var counts = [Int](repeating: 0, count: Int(max(0, last - first) / Self.groupSlots) + 1)
    for entry in slots where entry.slot >= first && entry.slot < last {
      counts[Int((entry.slot - first) / Self.groupSlots)] += entry.count
    }
    return EventRate(
      counts.reduce(0, +), per: Double((last - first) * Self.slotMs),
      dispersion: EventRate.dispersion(of: counts))
  }

  /// The name that most of the rows have.
  private static func most(_ rows: [RuleRow]) -> String? {
    var counts: [String: Int] = [:]
    for row in rows { counts[row.name, default: 0] += 1 }
    let first = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }
    return first.map { "\($0.value) of \(rows.count) are \($0.key)" }
  }
}
