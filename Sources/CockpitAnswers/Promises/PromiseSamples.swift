internal import ClankyWire
internal import CockpitStores
internal import LenientJSON

/// What rows say about the promises, each row read once. Rows come in any order.
struct PromiseSamples {
  struct Sample: Hashable {
    var ms: Int64
    var row: RowID
    /// The duration in ms, billionths of a dollar, or 1 for a silence.
    var value: Int64
  }

  /// A message that was meant for the bot.
  struct Call: Hashable {
    var ms: Int64
    var row: RowID
    /// When the first row named it that answers it or says why not.
    var answeredMs: Int64?
  }

  /// The kinds of rows that are read.
  static let kinds: Set<String> = CostAccumulator.kinds.union([
    "sent_reply", "sent_message", "reply_skipped", "reacted", "text_runtime", "voice_runtime",
  ])
  /// Of each figure; bounds the memory that a hostile backend can use.
  private static let limit = 50_000

  private(set) var text: [Sample] = []
  private(set) var voice: [Sample] = []
  private(set) var decided: [Sample] = []
  private(set) var costs: [Sample] = []
  private(set) var calls: [String: Call] = [:]
  /// Answers that came before their admission was read.
  private var answers: [String: Int64] = [:]
  /// Replies that were read: the backend logs some rows twice.
  private var seen: Set<String> = []

  init() {}

  mutating func read(_ row: ActionRowView, _ wanted: PromiseSettings) {
    if wanted.costPerDayUSD != nil, let usd = row.costUSD, usd > 0, usd < 1e6,
      CostAccumulator.kinds.contains(row.kind)
    {
      Self.insert(Sample(row, Int64((usd * 1e9).rounded())), into: &costs)
    }
    switch row.kind {
    case "sent_reply", "reply_skipped": decision(row, wanted)
    case "sent_message", "reacted": answer(row, row.metadata(), wanted)
    case "text_runtime": admission(row, wanted)
    case "voice_runtime": latency(row, wanted)
    default: break
    }
  }

  private mutating func decision(_ row: ActionRowView, _ wanted: PromiseSettings) {
    guard wanted.textMs != nil || wanted.skip != nil || wanted.unanswered != nil else { return }
    let metadata = row.metadata()
    let triggers = answer(row, metadata, wanted)
    let key = "\(row.kind) \(triggers.first ?? "\(row.timeMs) \(row.channelID ?? "")")"
    guard seen.insert(key).inserted else { return }
    let isSkip = row.kind == "reply_skipped"
    if wanted.skip != nil { Self.insert(Sample(row, isSkip ? 1 : 0), into: &decided) }
    if wanted.textMs != nil, !isSkip, let ms = metadata["performance"]?["totalMs"]?.int,
      Self.durations.contains(ms)
    {
      Self.insert(Sample(row, Int64(ms)), into: &text)
    }
  }

  /// The messages that a row answers, or says why it does not.
  @discardableResult
  private mutating func answer(
    _ row: ActionRowView, _ metadata: JSONValue, _ wanted: PromiseSettings
  ) -> [String] {
    let ids = RowTriggers.ids(kind: row.kind, messageID: row.messageID, metadata: metadata)
    guard wanted.unanswered != nil else { return ids }
    for id in ids {
      if let call = calls[id] {
        calls[id]?.answeredMs = min(call.answeredMs ?? .max, row.timeMs)
      } else if answers.count < Self.limit {
        answers[id] = min(answers[id] ?? .max, row.timeMs)
      }
    }
    return ids
  }

  private mutating func admission(_ row: ActionRowView, _ wanted: PromiseSettings) {
    guard wanted.unanswered != nil, row.label.event == "reply_admission_decision" else { return }
    let metadata = row.metadata()
    guard metadata["allow"]?.bool == true,
      metadata[path: "addressSignal", "direct"]?.bool == true
        || metadata["attentionReason"]?.string == "direct_address",
      let id = RowTriggers.ids(
        kind: row.kind, messageID: row.messageID, metadata: metadata
      ).first, calls[id] == nil, calls.count < Self.limit
    else { return }
    calls[id] = Call(ms: row.timeMs, row: row.id, answeredMs: answers.removeValue(forKey: id))
  }

  private mutating func latency(_ row: ActionRowView, _ wanted: PromiseSettings) {
    guard wanted.voiceMs != nil, row.label.event == "voice_latency_stage" else { return }
    let metadata = row.metadata()
    guard metadata["stage"]?.string == "audio_started" else { return }
    let stages = [
      "finalizedToAsrStartMs", "asrToGenerationStartMs", "generationToReplyRequestMs",
      "replyRequestToAudioStartMs",
    ].compactMap { metadata[$0]?.int }.filter(Self.durations.contains)
    guard !stages.isEmpty else { return }
    Self.insert(Sample(row, Int64(stages.reduce(0, +))), into: &voice)
  }

  /// The wire's odd values of the size of the clock are no durations.
  private static let durations = 0..<86_400_000

  /// In the order of time; the oldest leaves where there are too many.
  private static func insert(_ sample: Sample, into samples: inout [Sample]) {
    var place = samples.count
    while place > 0, samples[place - 1].ms > sample.ms { place -= 1 }
    samples.insert(sample, at: place)
    if samples.count > limit { samples.removeFirst(limit / 10) }
  }

  /// Forgets what is older.
  mutating func forget(before ms: Int64) {
    for path in [\Self.text, \Self.voice, \Self.decided, \Self.costs] {
      let old = self[keyPath: path].prefix { $0.ms < ms }.count
      if old > 0 { self[keyPath: path].removeFirst(old) }
    }
    if calls.values.contains(where: { $0.ms < ms }) { calls = calls.filter { $0.value.ms >= ms } }
    if answers.count > 2000 { answers = answers.filter { $0.value >= ms } }
    // Only neighbours are twins.
    if seen.count > Self.limit { seen = [] }
  }
}

extension PromiseSamples.Sample {
  fileprivate init(_ row: ActionRowView, _ value: Int64) {
    self.init(ms: row.timeMs, row: row.id, value: value)
  }
}
