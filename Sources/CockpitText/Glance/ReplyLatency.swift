import ClankyWire
import TerminalCore

/// How long text replies took, by phase, as the backend sums it up (contract 5.1): what screen and `status --json`
/// share.
package struct ReplyLatency: Hashable, Sendable {
  /// The raw values are the keys of `status --json`.
  package enum Phase: String, CaseIterable, Hashable, Sendable {
    case total, processing, queue, ingest, memory, llm
    case followUp = "followup"
    case typing, send

    /// The parts of a reply, in their order.
    package static let parts: [Phase] = [.queue, .ingest, .memory, .llm, .followUp, .typing, .send]

    package var title: PlainText {
      switch self {
      case .total: "TOTAL"
      case .processing: "PROCESSING"
      case .queue: "queue"
      case .ingest: "ingest"
      case .memory: "memory"
      case .llm: "llm"
      case .followUp: "follow-up"
      case .typing: "typing"
      case .send: "send"
      }
    }

    /// Its member in `metadata.performance` of a row.
    package var member: String {
      switch self {
      case .total: "totalMs"
      case .processing: "processingMs"
      case .queue: "queueMs"
      case .ingest: "ingestMs"
      case .memory: "memorySliceMs"
      case .llm: "llm1Ms"
      case .followUp: "followupMs"
      case .typing: "typingDelayMs"
      case .send: "sendMs"
      }
    }
  }

  /// The kinds of rows that are measured.
  package static let kinds: Set<String> = ["sent_reply", "sent_message", "reply_skipped"]
  /// With fewer samples a p95 is the slowest one or nearly so.
  package static let few = 20
  private static let dayMs = 86_400_000

  package let performance: Performance

  /// nil if the backend does not say: it is older or newer than those that do.
  package init?(_ performance: Performance) {
    self.performance = performance
    guard
      performance.sampleCount != nil || Phase.allCases.contains(where: { self[$0].count != nil })
    else { return nil }
  }

  /// Hours that the figures cover; 24 where the backend does not say.
  package var hours: Int { performance.windowHours ?? 24 }

  /// Whether the backend tells the phases apart.
  package var hasPhases: Bool { Phase.parts.contains { self[$0].count != nil } }

  /// The figures of a phase. What cannot be a duration is nil: a reply that was never queued may have a time of the
  /// size of the clock, which spoils the mean and the maximum with it.
  package subscript(phase: Phase) -> Metric {
    let phases = performance.phases
    var metric =
      switch phase {
      case .total: performance.totalMs
      case .processing: performance.processingMs
      case .queue: phases.queueMs
      case .ingest: phases.ingestMs
      case .memory: phases.memorySliceMs
      case .llm: phases.llm1Ms
      case .followUp: phases.followupMs
      case .typing: phases.typingDelayMs
      case .send: phases.sendMs
      }
    func sane(_ value: Int?) -> Int? { value.flatMap { (0...Self.dayMs).contains($0) ? $0 : nil } }
    if metric.maxMs != nil, sane(metric.maxMs) == nil { metric.avgMs = nil }
    metric.minMs = sane(metric.minMs)
    metric.p50Ms = sane(metric.p50Ms)
    metric.p95Ms = sane(metric.p95Ms)
    metric.maxMs = sane(metric.maxMs)
    metric.avgMs = metric.avgMs.flatMap { $0.isFinite && $0 >= 0 ? $0 : nil }
    return metric
  }

  /// Whether so few replies are in a phase that its percentiles say little.
  package func isFew(_ phase: Phase) -> Bool {
    self[phase].count.map { (1..<Self.few).contains($0) } ?? false
  }

  /// What is counted: `41 replies, 3 standalone, 8 skipped`; nil if the backend does not say.
  package var counted: PlainText? {
    let counts = performance.byKind
    guard !counts.isEmpty else { return nil }
    return Figures.count(counts["sent_reply"]) + " replies, "
      + Figures.count(counts["sent_message"])
      + " standalone, " + Figures.count(counts["reply_skipped"]) + " skipped"
  }
}
