import LenientJSON

/// Latencies of text replies over a window (contract 5.1).
package struct Performance: WireReadable {
  /// Length of the window, in hours.
  package var windowHours: Int?
  /// Maximum number of sampled replies.
  package var sampleLimit: Int?
  /// Number of sampled replies.
  package var sampleCount: Int?
  /// Samples per action kind: `sent_reply`, `sent_message`, `reply_skipped`.
  package var byKind: [String: Int]
  /// From the message to the end of the reply.
  package var totalMs: Metric
  /// The same without the time spent waiting in the queue.
  package var processingMs: Metric
  /// The parts of a reply.
  package var phases: PerformancePhases

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    windowHours: Int? = nil, sampleLimit: Int? = nil, sampleCount: Int? = nil,
    byKind: [String: Int] = [:], totalMs: Metric = Metric(), processingMs: Metric = Metric(),
    phases: PerformancePhases = PerformancePhases()
  ) {
    self.windowHours = windowHours
    self.sampleLimit = sampleLimit
    self.sampleCount = sampleCount
    self.byKind = byKind
    self.totalMs = totalMs
    self.processingMs = processingMs
    self.phases = phases
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    windowHours = fields.int("windowHours")
    sampleLimit = fields.int("sampleLimit")
    sampleCount = fields.int("sampleCount")
    byKind = fields.counts("byKind")
    totalMs = fields.object("totalMs") ?? Metric()
    processingMs = fields.object("processingMs") ?? Metric()
    phases = fields.object("phases") ?? PerformancePhases()
  }
}

/// The parts of a text reply, each in milliseconds (contract 5.1).
package struct PerformancePhases: WireReadable {
  /// Waiting in the reply queue.
  package var queueMs: Metric
  /// Taking in the message.
  package var ingestMs: Metric
  /// Collecting facts and history.
  package var memorySliceMs: Metric
  /// The first model call.
  package var llm1Ms: Metric
  /// Further model calls after tools.
  package var followupMs: Metric
  /// The deliberate typing pause.
  package var typingDelayMs: Metric
  /// Handing the message to Discord.
  package var sendMs: Metric

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    queueMs: Metric = Metric(), ingestMs: Metric = Metric(), memorySliceMs: Metric = Metric(),
    llm1Ms: Metric = Metric(), followupMs: Metric = Metric(), typingDelayMs: Metric = Metric(),
    sendMs: Metric = Metric()
  ) {
    self.queueMs = queueMs
    self.ingestMs = ingestMs
    self.memorySliceMs = memorySliceMs
    self.llm1Ms = llm1Ms
    self.followupMs = followupMs
    self.typingDelayMs = typingDelayMs
    self.sendMs = sendMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    queueMs = fields.object("queueMs") ?? Metric()
    ingestMs = fields.object("ingestMs") ?? Metric()
    memorySliceMs = fields.object("memorySliceMs") ?? Metric()
    llm1Ms = fields.object("llm1Ms") ?? Metric()
    followupMs = fields.object("followupMs") ?? Metric()
    typingDelayMs = fields.object("typingDelayMs") ?? Metric()
    sendMs = fields.object("sendMs") ?? Metric()
  }
}

/// A distribution of durations in milliseconds, nearest-rank percentiles (contract 5.1). All five
/// values are nil if the count is 0.
package struct Metric: WireReadable {
  /// Number of samples.
  package var count: Int?
  /// The shortest.
  package var minMs: Int?
  /// The median.
  package var p50Ms: Int?
  /// The 95th percentile.
  package var p95Ms: Int?
  /// The mean, with one decimal.
  package var avgMs: Double?
  /// The longest.
  package var maxMs: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    count: Int? = nil, minMs: Int? = nil, p50Ms: Int? = nil, p95Ms: Int? = nil,
    avgMs: Double? = nil, maxMs: Int? = nil
  ) {
    self.count = count
    self.minMs = minMs
    self.p50Ms = p50Ms
    self.p95Ms = p95Ms
    self.avgMs = avgMs
    self.maxMs = maxMs
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    count = fields.int("count")
    minMs = fields.int("minMs")
    p50Ms = fields.int("p50Ms")
    p95Ms = fields.int("p95Ms")
    avgMs = fields.double("avgMs")
    maxMs = fields.int("maxMs")
  }
}
