internal import ClankyWire
package import CockpitDomain

/// A request for past rows.
package struct HistoryStep: Sendable, Equatable {
  package var topic: HistoryTopic
  package var part: FillPart
  /// The maximum number of rows to request.
  package var limit: Int
}

/// Which requests bring most of a past range with the least work for the backend: light rows first,
/// full lists divided by kind and then by guild, nothing twice.
package struct HistoryPlan: Sendable, Equatable {
  package let request: HistoryRequest
  private let last24h: [String: Int]
  private var queue: [HistoryStep]
  /// Requested kinds that belong to no known group.
  private var named: Set<String> = []
  private var requests = 0
  /// Rows that cannot be fetched.
  package private(set) var limits: [HistoryLimit] = []

  /// Maximum requests for one `HistoryRequest`.
  static let maximumRequests = 24
  /// Maximum expected bytes of one answer, as far as they can be estimated.
  private static let maximumBytes = 16 << 20
  /// Number of large rows to request before their size is known.
  private static let firstOfLarge = 200
  private static let maximumNamed = 40
  /// A kind with more rows per day than this is requested alone if a list is full.
  private static let noisy = 200

  static let models = ["llm_call"]
  static let replies = [
    "sent_reply", "sent_message", "reply_skipped", "initiative_post", "automation_post",
  ]
  static let voice = ["voice_runtime"]
  /// Many and small.
  static let calls = [
    "llm_tool_call", "llm_lifecycle", "memory_embedding_call", "asr_call", "tts_call",
    "text_runtime", "memory_runtime", "stream_discovery",
  ]
  /// Everything else that a release writes, the most telling kinds first: a full list is halved.
  static let events: [String] = {
    let others = Set(models + replies + voice + calls)
    return ActionsRoute.kindGroups.joined().filter { !others.contains($0) }
  }()
  private static let known = Set(ActionsRoute.kindGroups.joined())

  /// - Parameter last24h: how many rows of some kinds the backend counts in its last 24 hours.
  package init(_ request: HistoryRequest, last24h: [String: Int]) {
    self.request = request
    self.last24h = last24h
    let llm = last24h["llm_call"].map { $0 + 50 } ?? 0
    let groups: [(HistoryTopic, [String], Int)] = [
      (.events, Self.events, ActionsRoute.rowLimit), (.calls, Self.calls, ActionsRoute.rowLimit),
      (.voice, Self.voice, ActionsRoute.rowLimit),
      (.models, Self.models, min(ActionsRoute.rowLimit, max(Self.firstOfLarge, llm))),
      (.replies, Self.replies, Self.firstOfLarge),
    ]
    queue = groups.compactMap { topic, kinds, limit in
      let kinds = kinds.filter { request.kinds?.contains($0) ?? true }
      return kinds.isEmpty
        ? nil
        : HistoryStep(
          topic: topic, part: FillPart(kinds: kinds, guild: request.guild), limit: limit)
    }
    if let kinds = request.kinds {
      let others = kinds.subtracting(Self.known).filter(FillPlan.isAskable).sorted()
        .prefix(Self.maximumNamed)
      named.formUnion(others)
      if !others.isEmpty {
        queue.append(
          HistoryStep(
            topic: .others, part: FillPart(kinds: Array(others), guild: request.guild),
            limit: ActionsRoute.rowLimit))
      }
    } else {
      // On a quiet backend one request for all kinds brings everything, and it is the only way to
      // reach unknown kinds.
      let isQuiet = !last24h.isEmpty && last24h.values.reduce(0, +) <= 300
      queue.insert(
        HistoryStep(
          topic: .newest, part: FillPart(guild: request.guild), limit: ActionsRoute.rowLimit),
        at: isQuiet ? 0 : 1)
    }
  }

  /// The next request; nil if there is none.
  ///
  /// - Parameters:
  ///   - seen: kinds and guilds of the rows received so far.
  ///   - beginMs: the time from which rows of some kinds and a guild are stored; nil if unknown.
  package mutating func next(
    _ seen: SeenParts, beginMs: (Set<String>?, String?) -> Int64?
  ) -> HistoryStep? {
    while requests < Self.maximumRequests {
      guard let step = queue.first ?? others(seen) else { return nil }
      if !queue.isEmpty { queue.removeFirst() }
      let kinds = step.part.kinds.isEmpty ? nil : Set(step.part.kinds)
      if let beginMs = beginMs(kinds, step.part.guild), beginMs <= request.sinceMs { continue }
      requests += 1
      return step
    }
    return nil
  }

  /// Kinds missing from the table that rows have been seen with.
  private mutating func others(_ seen: SeenParts) -> HistoryStep? {
    guard request.kinds == nil else { return nil }
    let kinds = seen.kinds.subtracting(Self.known).subtracting(named).filter(FillPlan.isAskable)
      .sorted().prefix(Self.maximumNamed)
    guard !kinds.isEmpty else { return nil }
    named.formUnion(kinds)
    return HistoryStep(
      topic: .others, part: FillPart(kinds: Array(kinds), guild: request.guild),
      limit: ActionsRoute.rowLimit)
  }

  /// An answer has come.
  ///
  /// - Parameters:
  ///   - rows: how many rows it had, and how many bytes.
  ///   - oldestMs: the time of the oldest of them.
  package mutating func answered(
    _ step: HistoryStep, rows: Int, bytes: Int, oldestMs: Int64?, seen: SeenParts
  ) {
    guard rows >= step.limit else { return }
    if step.limit < ActionsRoute.rowLimit {
      // Large rows: only a few were requested at first.
      guard request.isUserRequested else { return }
      let more = min(ActionsRoute.rowLimit, Self.maximumBytes / max(1, bytes / max(1, rows)))
      if more > step.limit {
        queue.insert(HistoryStep(topic: step.topic, part: step.part, limit: more), at: 0)
        return
      }
      // As many rows as an answer may hold, of fewer kinds or of one guild, reach further back.
      divide(step, seen, beforeMs: oldestMs, isTooLarge: true)
      return
    }
    divide(step, seen, beforeMs: oldestMs, isTooLarge: false)
  }

  /// An answer had more bytes than are read.
  package mutating func wasTooLarge(_ step: HistoryStep, seen: SeenParts) {
    guard step.limit <= Self.firstOfLarge else {
      queue.insert(
        HistoryStep(topic: step.topic, part: step.part, limit: Self.firstOfLarge), at: 0)
      return
    }
    divide(step, seen, beforeMs: nil, isTooLarge: true)
  }

  private mutating func divide(
    _ step: HistoryStep, _ seen: SeenParts, beforeMs: Int64?, isTooLarge: Bool
  ) {
    let (kinds, guild) = (step.part.kinds, step.part.guild)
    let noisy = kinds.filter { last24h[$0] ?? 0 > Self.noisy }
    let pieces =
      if kinds.isEmpty {
        [FillPart]()
      } else if !noisy.isEmpty, noisy.count < kinds.count {
        [FillPart(kinds: kinds.filter { !noisy.contains($0) }, guild: guild)]
          + noisy.map { FillPart(kinds: [$0], guild: guild) }
      } else {
        step.part.divided(by: seen)
      }
    if kinds.count == 1 || pieces.isEmpty {
      limits.append(
        HistoryLimit(part: step.part, beforeMs: beforeMs, isTooLarge: isTooLarge))
    }
    queue.append(
      contentsOf: pieces.map { HistoryStep(topic: step.topic, part: $0, limit: step.limit) })
  }
}
