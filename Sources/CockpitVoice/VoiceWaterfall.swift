/// One spoken exchange: when each stage was reached, on a monotonic clock.
package struct VoiceExchange: Hashable, Sendable {
  /// A stage of an exchange, in the order in which they follow.
  package enum Stage: Int, CaseIterable, Hashable, Sendable {
    /// The recorder has given its first sample.
    case recording
    /// The speaker has stopped.
    case recorded
    /// The words are known.
    case text
    /// The first word of the answer is here.
    case firstToken
    /// The player has been given the first sample of the answer.
    case firstAudio
  }

  /// A distance between two stages.
  package enum Step: CaseIterable, Hashable, Sendable {
    case record, transcribe, think, speak
    /// From the end of the speech to the first sound of the answer.
    case total

    package var stages: (from: Stage, to: Stage) {
      switch self {
      case .record: (.recording, .recorded)
      case .transcribe: (.recorded, .text)
      case .think: (.text, .firstToken)
      case .speak: (.firstToken, .firstAudio)
      case .total: (.recorded, .firstAudio)
      }
    }
  }

  /// When it began, ms since 1970.
  package var atMs: Int64
  private var times: [Stage: UInt64] = [:]

  package init(atMs: Int64) { self.atMs = atMs }

  /// Keeps the first time of a stage.
  package mutating func reach(_ stage: Stage, atNs: UInt64) {
    if times[stage] == nil { times[stage] = atNs }
  }

  package func has(_ stage: Stage) -> Bool { times[stage] != nil }

  /// In ms; nil if one of both ends was not reached.
  package func ms(_ step: Step) -> Int? {
    let (from, to) = step.stages
    guard let start = times[from], let end = times[to], end >= start else { return nil }
    return Int((end - start) / 1_000_000)
  }
}

/// The last spoken exchanges, and how long their steps took.
package struct VoiceWaterfall: Hashable, Sendable {
  /// Of so many exchanges something is kept.
  package static let kept = 50

  package private(set) var exchanges: [VoiceExchange] = []

  package init() {}

  package mutating func add(_ exchange: VoiceExchange) {
    exchanges.append(exchange)
    if exchanges.count > Self.kept { exchanges.removeFirst() }
  }

  /// A percentile by the nearest rank, with the number of exchanges that it is of.
  package struct Percentile: Hashable, Sendable {
    package var ms: Int
    package var count: Int

    package init(ms: Int, count: Int) {
      self.ms = ms
      self.count = count
    }
  }

  /// - Parameter percent: 1...100.
  /// - Returns: nil where no exchange has this step.
  package func percentile(_ percent: Int, of step: VoiceExchange.Step) -> Percentile? {
    let values = exchanges.compactMap { $0.ms(step) }.sorted()
    guard !values.isEmpty else { return nil }
    let rank = (min(max(1, percent), 100) * values.count + 99) / 100
    return Percentile(ms: values[rank - 1], count: values.count)
  }

  /// From the first to the last exchange that is kept, ms since 1970.
  package var window: ClosedRange<Int64>? {
    guard let first = exchanges.map(\.atMs).min(), let last = exchanges.map(\.atMs).max() else {
      return nil
    }
    return first...last
  }
}
