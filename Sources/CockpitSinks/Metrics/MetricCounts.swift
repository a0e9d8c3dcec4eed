internal import ClankyWire
internal import LenientJSON

/// Counters and histograms, added up from rows. Labels have a bounded number of values, and none is a person, a channel,
/// a guild or a session.
struct MetricCounts: Sendable {
  /// The upper borders of the histograms, in seconds.
  static let borders = [0.25, 0.5, 1, 2.5, 5, 10, 20, 40]

  struct Histogram: Hashable, Sendable {
    /// By border, each with those below it; the last one counts all.
    var buckets = [Double](repeating: 0, count: MetricCounts.borders.count + 1)
    var sum = 0.0
  }

  /// By metric, then by the labels as they are written.
  private(set) var counters: [String: [String: Double]] = [:]
  private(set) var histograms: [String: [String: Histogram]] = [:]

  /// The values that a label may have; further ones count as `other`.
  private static let maxValues = 50

  init() {}

  // MARK: rows

  mutating func add(_ row: SinkRow) {
    let domain = row.label.domain.rawValue
    count(.actions, [("domain", domain)])
    if row.isFailure { count(.errors, [("domain", domain), ("kind", row.label.kind)]) }
    addOutcome(row)
    addSpending(row)
    addTimes(row)
  }

  mutating func add(_ incident: SinkIncident) {
    count(
      .anomalies, [("rule", Self.code(incident.rule)), ("level", Self.code(incident.level))])
  }

  private mutating func addOutcome(_ row: SinkRow) {
    switch row.label.kind {
    case "sent_reply", "sent_message": count(.replies, [("surface", "text")])
    case "voice_turn_out": count(.replies, [("surface", "voice")])
    case "reply_skipped":
      count(.skips, [("surface", "text"), ("reason", Self.code(row.content))])
    default:
      guard row.label.event == "voice_turn_addressing", row.metadata["allow"]?.bool == false else {
        return
      }
      count(
        .skips, [("surface", "voice"), ("reason", Self.code(row.metadata["reason"]?.string))])
    }
  }

  /// The rows of a browser run repeat the costs of its model calls.
  private static let repeatedCosts: Set<String> = [
    "browser_browse_call", "browser_agent_session_turn",
  ]

  private mutating func addSpending(_ row: SinkRow) {
    guard !Self.repeatedCosts.contains(row.label.kind) else { return }
    let model = Self.model(row.metadata["model"]?.string)
    if row.costNanos > 0 {
      count(.cost, [("model", model)], by: Double(row.costNanos) / 1e9)
    }
    let usage = row.metadata["usage"] ?? row.metadata["responseUsage"]
    for (direction, key) in [
      ("in", "inputTokens"), ("out", "outputTokens"), ("cache_read", "cacheReadTokens"),
      ("cache_write", "cacheWriteTokens"),
    ] {
      guard let tokens = usage?[key]?.double, tokens > 0, tokens < 1e12 else { continue }
      count(.tokens, [("model", model), ("direction", direction)], by: tokens)
    }
  }

  private static let voiceStages = [
    ("asr", "finalizedToAsrStartMs"), ("decision", "asrToGenerationStartMs"),
    ("generation", "generationToReplyRequestMs"), ("audio", "replyRequestToAudioStartMs"),
  ]
  private static let phases = [
    ("total", "totalMs"), ("queue", "queueMs"), ("ingest", "ingestMs"),
    ("memory", "memorySliceMs"), ("model", "llm1Ms"), ("followup", "followupMs"),
    ("typing", "typingDelayMs"), ("send", "sendMs"),
  ]

  private mutating func addTimes(_ row: SinkRow) {
    if row.label.event == "voice_latency_stage",
      row.metadata["stage"]?.string == "audio_started"
    {
      var sum = 0.0
      for (stage, key) in Self.voiceStages {
        guard let ms = Self.ms(row.metadata[key]) else { continue }
        sum += ms
        observe(.voiceStage, [("stage", stage)], ms: ms)
      }
      if sum > 0 { observe(.voiceTurn, [], ms: sum) }
    }
    if row.label.kind == "sent_reply" || row.label.kind == "sent_message",
      let performance = row.metadata["performance"]
    {
      for (phase, key) in Self.phases {
        if let ms = Self.ms(performance[key]) { observe(.reply, [("phase", phase)], ms: ms) }
      }
    }
    if row.label.chips.contains(.tool), let ms = row.durationMs, ms >= 0 {
      let tool =
        row.metadata["toolName"]?.string ?? row.metadata["tool"]?.string ?? row.label.title
      observe(.tool, [("tool", tool), ("ok", row.isFailure ? "false" : "true")], ms: Double(ms))
    }
  }

  private static func ms(_ value: JSONValue?) -> Double? {
    guard let ms = value?.double, ms >= 0, ms < 1e12 else { return nil }
    return ms
  }

  /// A reason as a label: only what the bot's own code writes.
  private static func code(_ text: String?) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= 48, text.utf8.allSatisfy(isCode) else {
      return "other"
    }
    return text
  }

  private static func isCode(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func model(_ text: String?) -> String {
    guard let text, !text.isEmpty, text.utf8.count <= 80 else { return "none" }
    return text
  }

  // MARK: adding

  private mutating func count(
    _ metric: MetricName, _ labels: [(String, String)], by amount: Double = 1
  ) {
    let key = bounded(metric, labels, counters[metric.rawValue])
    counters[metric.rawValue, default: [:]][key, default: 0] += amount
  }

  private mutating func observe(_ metric: MetricName, _ labels: [(String, String)], ms: Double) {
    let key = bounded(metric, labels, histograms[metric.rawValue])
    var histogram = histograms[metric.rawValue]?[key] ?? Histogram()
    let seconds = ms / 1000
    for (index, border) in Self.borders.enumerated() where seconds <= border {
      histogram.buckets[index] += 1
    }
    histogram.buckets[Self.borders.count] += 1
    histogram.sum += seconds
    histograms[metric.rawValue, default: [:]][key] = histogram
  }

  /// The labels as they are written. A new value beyond the limit becomes `other`, where strangers could make any number
  /// of them.
  private func bounded<Value>(
    _ metric: MetricName, _ labels: [(String, String)], _ known: [String: Value]?
  ) -> String {
    let text = MetricText.labels(labels)
    guard let known, known[text] == nil, known.count >= Self.maxValues * 4 else { return text }
    return MetricText.labels(labels.map { ($0.0, Self.open.contains($0.0) ? "other" : $0.1) })
  }

  /// Labels whose values come from outside.
  private static let open: Set<String> = ["kind", "reason", "model", "tool"]

  // MARK: keeping

  /// JSON, from which the counters continue.
  var json: String {
    let counts = counters.sorted { $0.key < $1.key }.map { name, values in
      (
        key: name,
        value: JSONValue?.some(
          .body(values.sorted { $0.key < $1.key }.map { ($0.key, JSONValue.finite($0.value)) }))
      )
    }
    let times = histograms.sorted { $0.key < $1.key }.map { name, values in
      (
        key: name,
        value: JSONValue?.some(
          .body(
            values.sorted { $0.key < $1.key }.map { labels, histogram in
              let numbers = (histogram.buckets + [histogram.sum]).map {
                JSONValue.finite($0) ?? .null
              }
              return (labels, JSONValue.array(numbers))
            }))
      )
    }
    return JSONValue.body([("counters", .body(counts)), ("histograms", .body(times))]).serialized()
  }

  /// From `json`; what cannot be read begins at 0, a reset that `rate()` knows.
  init(json text: String) {
    guard let json = try? JSONValue.parse(Array(text.utf8)) else { return }
    for member in json["counters"]?.object?.members ?? [] {
      for value in member.value.object?.members ?? [] {
        counters[member.key, default: [:]][value.key] = value.value.double ?? 0
      }
    }
    for member in json["histograms"]?.object?.members ?? [] {
      for value in member.value.object?.members ?? [] {
        let numbers = (value.value.array ?? []).compactMap(\.double)
        guard numbers.count == Self.borders.count + 2 else { continue }
        histograms[member.key, default: [:]][value.key] = Histogram(
          buckets: Array(numbers.dropLast()), sum: numbers[numbers.count - 1])
      }
    }
  }
}
