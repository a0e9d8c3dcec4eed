import CockpitRules
import CockpitStores

/// The documents that came since the rules looked last.
@MainActor
final class DocumentQueue {
  private var events: [RuleEvent] = []
  /// Of a bot whose screen does not look for long.
  private static let limit = 400

  init(_ sink: StoreSink) {
    sink.onDocument = { [weak self] in self?.take($0) }
  }

  private func take(_ document: HeardDocument) {
    switch document {
    case .voice(let state, let atMs): events.append(RuleEvent(state, atMs: atMs))
    case .stats(let stats, let atMs): events.append(RuleEvent(stats, atMs: atMs))
    }
    if events.count > Self.limit { events.removeFirst() }
  }

  func drain() -> [RuleEvent] {
    defer { events = [] }
    return events
  }
}
