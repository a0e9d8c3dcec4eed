/// The service levels that an owner promises: the table `[slo]` of the configuration.
package struct PromiseSettings: Hashable, Sendable {
  /// How much may go wrong.
  package enum Allowance: Hashable, Sendable {
    /// Of all, 0 to 1.
    case share(Double)
    /// So many within the window.
    case count(Int)
  }

  /// The time that promises are about, except the cost, which is that of the UTC day; in ms.
  package var windowMs: Int64 = 86_400_000
  /// 95 of 100 text answers come within this time, in ms.
  package var textMs: Int?
  /// The same for spoken answers, from the end of speech to the first sound.
  package var voiceMs: Int?
  /// Messages that were meant for the bot and that nothing answered.
  package var unanswered: Allowance?
  /// US dollars per UTC day.
  package var costPerDayUSD: Double?
  /// The share of decided messages for which the bot chose silence, 0 to 1.
  package var skip: ClosedRange<Double>?

  package init() {}

  /// Whether nothing is promised.
  package var isEmpty: Bool {
    textMs == nil && voiceMs == nil && unanswered == nil && costPerDayUSD == nil && skip == nil
  }

  /// What is promised, in the order of the screen.
  package var kinds: [Promise.Kind] {
    var kinds: [Promise.Kind] = []
    if textMs != nil { kinds.append(.text) }
    if voiceMs != nil { kinds.append(.voice) }
    if unanswered != nil { kinds.append(.unanswered) }
    if costPerDayUSD != nil { kinds.append(.cost) }
    if skip != nil { kinds.append(.skip) }
    return kinds
  }
}
