/// How strongly a source asks for the owner now, as a screen shows it.
package struct AttentionState: Hashable, Sendable {
  package var level = AttentionLevel.passive
  package var hasStrip = false
  /// What waits and has a card, by its ids, the strongest first, among equals in the order of the source.
  package var cards: [String] = []
  /// The last event, while it has a level.
  package var event: AttentionSignal?
  package var isQuiet = false

  package init() {}
}

/// Decides how strongly a source asks for the owner, and what makes that felt. It knows neither terminal nor clock.
///
/// What waits keeps its level until it is over or was seen; the level of an event falls with time. Each makes a
/// noise once, and once more when its level rises.
package struct AttentionEngine: Hashable, Sendable {
  package struct Moment: Hashable, Sendable {
    /// By the source's clock, ms since 1970.
    package var nowMs: Int64
    /// Local time, minutes since midnight.
    package var minuteOfDay: Int
    /// Whether the terminal has the focus; true if it is not known.
    package var isFocused: Bool
    /// Whether the owner looks at what waits: that acknowledges it.
    package var isSeen: Bool

    package init(nowMs: Int64, minuteOfDay: Int, isFocused: Bool = true, isSeen: Bool = false) {
      self.nowMs = nowMs
      self.minuteOfDay = minuteOfDay
      self.isFocused = isFocused
      self.isSeen = isSeen
    }
  }

  private struct Event: Hashable {
    var signal: AttentionSignal
    var sinceMs: Int64
  }

  package let rules: AttentionRules
  package private(set) var state = AttentionState()
  /// The highest level that was signalled, by the id of each waiting item.
  private var told: [String: AttentionLevel] = [:]
  /// Of what waits: the level at which it was seen.
  private var seen: [String: AttentionLevel] = [:]
  /// The newest event of each level: it outlasts those before it.
  private var events: [AttentionLevel: Event] = [:]
  private var lastBellMs: Int64?
  private var lastNotificationMs: Int64?
  private var held = 0

  package init(rules: AttentionRules) { self.rules = rules }

  /// - Parameters:
  ///   - waiting: everything that waits now, each with an id of its own.
  ///   - happened: the events since the last call, oldest first.
  package mutating func step(
    waiting: [AttentionSignal], happened: [AttentionSignal], at moment: Moment
  ) -> AlertPolicy.Outcome {
    let waiting = waiting.map(capped)
    let fresh = happened.map(capped).filter {
      !$0.isPast && moment.nowMs - $0.atMs <= AlertPolicy.freshMs
    }
    let news = risen(waiting) + fresh
    decay(nowMs: moment.nowMs)
    for signal in fresh where signal.level > .passive {
      events[signal.level] = Event(signal: signal, sinceMs: moment.nowMs)
    }
    if moment.isSeen {
      events = [:]
      for signal in waiting { seen[signal.id] = max(signal.level, seen[signal.id] ?? .passive) }
    }
    let isQuiet = rules.quiet?.holds(minuteOfDay: moment.minuteOfDay) ?? false
    show(waiting, isQuiet: isQuiet, nowMs: moment.nowMs)
    return isQuiet ? AlertPolicy.Outcome() : calls(for: news, moment)
  }

  private func capped(_ signal: AttentionSignal) -> AttentionSignal {
    var signal = signal
    signal.level = min(signal.level, rules.maximum)
    return signal
  }

  /// What has not been told, or at a lower level.
  private mutating func risen(_ waiting: [AttentionSignal]) -> [AttentionSignal] {
    let ids = Set(waiting.map(\.id))
    told = told.filter { ids.contains($0.key) }
    seen = seen.filter { ids.contains($0.key) }
    return waiting.filter { signal in
      let before = told[signal.id]
      if let before, signal.level <= before { return false }
      told[signal.id] = signal.level
      return before != nil || !signal.isPast
    }
  }

  private mutating func decay(nowMs: Int64) {
    for (level, event) in events {
      // A clock that was set back prolongs nothing by more than one decay.
      if nowMs < event.sinceMs { events[level]?.sinceMs = nowMs }
      if current(event, nowMs) == .passive { events[level] = nil }
    }
  }

  private func current(_ event: Event, _ nowMs: Int64) -> AttentionLevel {
    event.signal.level.lowered(by: max(0, nowMs - event.sinceMs) / max(1, rules.decayMs))
  }

  private mutating func show(_ waiting: [AttentionSignal], isQuiet: Bool, nowMs: Int64) {
    let open = waiting.filter { $0.level > seen[$0.id] ?? .passive }
    let past = events.values.map { event in
      var signal = event.signal
      signal.level = current(event, nowMs)
      return signal
    }.sorted { ($0.level, $0.atMs) < ($1.level, $1.atMs) }
    state.isQuiet = isQuiet
    state.level = (open + past).map(\.level).max() ?? .passive
    state.hasStrip = (open + past).contains { rules.effects[$0.level]?.contains(.strip) ?? false }
    let carded = open.filter { rules.effects[$0.level]?.contains(.card) ?? false }
    state.cards = AttentionLevel.allCases.reversed().flatMap { level in
      carded.filter { $0.level == level }.map(\.id)
    }
    state.event = past.last
  }

  private mutating func calls(
    for news: [AttentionSignal], _ moment: Moment
  ) -> AlertPolicy.Outcome {
    var outcome = AlertPolicy.Outcome()
    let effects = news.map { rules.effects(of: $0) }
    let rings = effects.contains { $0.contains(.bell) }
    let flashes = effects.contains { $0.contains(.flash) }
    if rings || flashes,
      AlertPolicy.isDue(lastBellMs, AttentionRules.bellMs, nowMs: moment.nowMs)
    {
      lastBellMs = moment.nowMs
      outcome.rings = rings
      outcome.flashes = flashes
    }
    if moment.isFocused { held = 0 }  // a focused user has seen them
    let wanted = zip(news, effects).filter { signal, effects in
      effects.contains(.notify) && (!moment.isFocused || signal.level == .urgent)
    }.map(\.0)
    guard let best = wanted.max(by: { ($0.level, $0.atMs) < ($1.level, $1.atMs) }) else {
      return outcome
    }
    guard
      AlertPolicy.isDue(lastNotificationMs, rules.notificationMs, nowMs: moment.nowMs)
    else {
      held += wanted.count
      return outcome
    }
    lastNotificationMs = moment.nowMs
    outcome.notification = AlertPolicy.Notification(
      title: best.title, text: best.detail, held: held + wanted.count - 1)
    held = 0
    return outcome
  }
}
