/// Running totals behind `/api/stats` (contract 5.1), kept incrementally because they are sent
/// after every single action.
struct StatsTotals {
  /// Exactly the 17 counters of the contract, in wire order.
  static let counted = [
    "sent_reply", "sent_message", "initiative_post", "reacted", "llm_call", "image_call",
    "gif_call", "search_call", "video_context_call", "asr_call", "voice_session_start",
    "voice_session_end", "voice_intent_detected", "voice_turn_in", "voice_turn_out",
    "voice_soundboard_play", "voice_error",
  ]
  static let timed: Set<String> = ["sent_reply", "sent_message", "reply_skipped"]
  static let phases = [
    "queueMs", "ingestMs", "memorySliceMs", "llm1Ms", "followupMs", "typingDelayMs", "sendMs",
  ]

  private var counts: [String: Int] = [:]
  /// Counted rows of the last 24 hours in time order; entries before `head` have expired.
  private var recent: [(ms: Int64, kind: String)] = []
  private var head = 0
  private var samples: [(ms: Int64, kind: String, values: [String: Int])] = []
  private var costByDay: [String: Double] = [:]
  private var total: Double = 0
  private var performance: DemoJSON?
  private var dayStart: Int64 = .min
  private var dayText = ""

  private static let counters = Set(counted)

  mutating func add(kind: String, ms: Int64, cost: Double, timings: [String: Int]?) {
    total += cost
    if ms < dayStart || ms >= dayStart &+ DemoTime.day {
      dayStart = ms - ms % DemoTime.day
      dayText = DemoTime.utcDay(ms)
    }
    costByDay[dayText, default: 0] += cost
    if Self.counters.contains(kind) {
      counts[kind, default: 0] += 1
      recent.append((ms, kind))
    }
    if Self.timed.contains(kind), let timings {
      samples.append((ms, kind, timings))
      performance = nil
    }
  }

  /// Replaces the money totals after rows were deleted.
  mutating func setCosts(total: Double, byDay: [String: Double]) {
    self.total = total
    costByDay = byDay
  }

  private mutating func expire(now: Int64) {
    let limit = now - DemoTime.day
    while head < recent.count, recent[head].ms < limit {
      counts[recent[head].kind, default: 0] -= 1
      head += 1
    }
    if head > 4096, head * 2 > recent.count {
      recent.removeFirst(head)
      head = 0
    }
    if let first = samples.first, first.ms < limit {
      samples.removeAll { $0.ms < limit }
      performance = nil
    }
  }

  mutating func json(now: Int64) -> DemoJSON {
    expire(now: now)
    let days = costByDay.sorted { $0.key > $1.key }.prefix(14)
    let metrics = performance ?? makePerformance().frozen
    performance = metrics
    return [
      "last24h": .object(
        .init(Self.counted.map { .init(key: $0, value: .int(counts[$0] ?? 0)) })),
      "totalCostUsd": .double(total),
      "dailyCost": .array(days.map { ["day": .string($0.key), "usd": .double($0.value)] }),
      "performance": metrics,
    ]
  }

  private func makePerformance() -> DemoJSON {
    // 4000 newest samples, as upstream limits its query.
    let window = samples.suffix(4000)
    func metric(_ key: String) -> DemoJSON { Self.metric(window.compactMap { $0.values[key] }) }
    func count(_ kind: String) -> DemoJSON { .int(window.count { $0.kind == kind }) }
    return [
      "windowHours": 24, "sampleLimit": 4000,
      "sampleCount": .int(window.count { $0.values["totalMs"] != nil }),
      "byKind": [
        "sent_reply": count("sent_reply"), "sent_message": count("sent_message"),
        "reply_skipped": count("reply_skipped"),
      ],
      "totalMs": metric("totalMs"), "processingMs": metric("processingMs"),
      "phases": .object(.init(Self.phases.map { .init(key: $0, value: metric($0)) })),
    ]
  }

  /// Nearest-rank percentiles; everything null without values.
  private static func metric(_ values: [Int]) -> DemoJSON {
    let sorted = values.sorted()
    guard let first = sorted.first, let last = sorted.last else {
      return [
        "count": 0, "minMs": nil, "p50Ms": nil, "p95Ms": nil, "avgMs": nil, "maxMs": nil,
      ]
    }
    func rank(_ share: Double) -> Int {
      sorted[min(sorted.count, max(1, Int((share * Double(sorted.count)).rounded(.up)))) - 1]
    }
    let average = Double(sorted.reduce(0, +)) / Double(sorted.count)
    return [
      "count": .int(sorted.count), "minMs": .int(first), "p50Ms": .int(rank(0.5)),
      "p95Ms": .int(rank(0.95)), "avgMs": .double((average * 10).rounded() / 10),
      "maxMs": .int(last),
    ]
  }

  /// The values of a `performance` object that are times, in ms by key. As upstream a null counts as 0, and what is
  /// negative is left out.
  static func timings(_ performance: DemoJSON) -> [String: Int]? {
    guard case .object(let object) = performance else { return nil }
    var result: [String: Int] = [:]
    for member in object.members {
      guard member.key.hasSuffix("Ms") else { continue }
      switch member.value {
      case .int(let value) where value >= 0: result[member.key] = value
      case .null: result[member.key] = 0
      default: break
      }
    }
    return result
  }
}
