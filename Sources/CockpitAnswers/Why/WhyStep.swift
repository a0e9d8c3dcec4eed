/// One step of an exchange, from what came in to what people saw or heard; the same steps for text and voice.
package struct WhyStep: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Hashable, Sendable {
    case cameIn = "came in"
    case addressed
    case admitted
    case gate
    case model
    case tools
    case generated
    case delivered
    case output
  }

  /// What is known of it; the raw values are the words on screen.
  package enum State: String, Hashable, Sendable {
    /// A row states it.
    case observed
    /// It follows from rows that do not say so themselves.
    case inferred
    /// No row on record states it.
    case unknown
    /// It ended before.
    case notReached = "not reached"
  }

  package var kind: Kind
  package var state: State
  /// A short detail; may quote untrusted text.
  package var detail: String
  /// The row that it rests on.
  package var source: Exchange.Source?
  /// Whether it ended here.
  package var isStop = false

  /// The steps of an exchange.
  ///
  /// - Parameter stop: the step where it ended; nil if an output was delivered.
  static func list(of exchange: Exchange, stop: Kind?) -> [WhyStep] {
    var steps: [WhyStep] =
      exchange.voice != nil
      ? voice(exchange)
      : exchange.medium == .text
        ? text(exchange) : exchange.medium == .request ? request(exchange) : own(exchange)
    let end = stop.flatMap { kind in steps.firstIndex { $0.kind == kind } }
    let last = steps.lastIndex { $0.state == .observed } ?? 0
    for index in steps.indices {
      if let end, index > end {
        // A later step that has a row keeps its own state.
        if steps[index].source == nil {
          steps[index].state = .notReached
          steps[index].detail = ""
        }
      } else if steps[index].state == .unknown, index < last, index != end,
        // Nothing that comes later needs an address.
        steps[index].kind != .addressed
      {
        steps[index].state = .inferred
        steps[index].detail = "no row says so; a later step has one"
      }
      if index == end { steps[index].isStop = true }
    }
    return steps
  }

  init(_ kind: Kind, _ source: Exchange.Source?, _ detail: String, state: State? = nil) {
    self.kind = kind
    self.source = source
    self.detail = detail
    self.state = state ?? (source == nil ? .unknown : .observed)
    if state == nil, source?.link == .time { self.state = .inferred }
  }
}
