/// Runs the rules over events: the same events give the same incidents, in whatever order and however often they
/// come.
///
/// Rules see events in order. Copies of their states are kept as checkpoints: an event that comes late goes back
/// to the last one before it, and all since is judged again, which may make incidents or withdraw them.
package struct RuleEngine: Sendable {
  /// Incidents that late events have withdrawn, newest at the end.
  package private(set) var withdrawn: [Incident] = []
  /// Events that came too late to be judged: older than what is kept.
  package private(set) var tooLate = 0
  /// Changes with the incidents.
  package private(set) var revision = 0
  package private(set) var router: RuleRouter
  package let rules: [Rule]

  private let levels: [RuleLevel?]
  /// Events in order, since the first checkpoint.
  private var events: [RuleEvent] = []
  /// How many of them were judged.
  private var judged = 0
  private var now: State
  private var checkpoints: [Checkpoint]
  /// Whether the first checkpoint is the beginning.
  private var isWhole = true

  private struct State: Sendable {
    var rules: [any RuleState]
    var deadlines: [Int64]
    var nextDeadline = Int64.max
    var timeMs = Int64.min
    var findings = Findings()
    /// By rule: whether an event reached it.
    var isFed: [Bool]
  }

  private struct Checkpoint: Sendable {
    /// Events before it.
    var place: Int
    var state: State
  }

  /// Events between two checkpoints.
  private let checkpointEvents: Int
  /// Events that are kept for late ones, unless a caller wants fewer.
  package static let keptEvents = 16_384
  private let keptEvents: Int
  static let keptIncidents = 2000
  private static let keptWithdrawn = 100
  /// An incident that is withdrawn later than this after its end was not seen live, in ms.
  private static let freshMs: Int64 = 900_000

  /// - Parameters:
  ///   - table: the rules, of which those that the settings switch off do not run.
  ///   - checkpointEvents: after how many events the states are copied. More of them cost less while events come in
  ///     order, and more for each that comes late; the results are the same.
  ///   - keptEvents: events that are kept for late ones, half a kilobyte each.
  package init(
    _ settings: RuleSettings = RuleSettings(), table: [Rule] = RuleTable.all,
    checkpointEvents: Int = 256, keptEvents: Int = RuleEngine.keptEvents
  ) {
    self.checkpointEvents = checkpointEvents
    self.keptEvents = keptEvents
    let rules = table.filter { !settings[$0.id].isOff }
    self.rules = rules
    levels = rules.map { settings[$0.id].level }
    router = RuleRouter(rules.map(\.input))
    let states = rules.map {
      $0.begin(
        RuleValues(
          $0.limits, settings[$0.id].values, hours: settings.hours, spend: settings.spend))
    }
    now = State(
      rules: states, deadlines: states.map { $0.deadlineMs ?? .max },
      isFed: states.map { _ in false })
    checkpoints = [Checkpoint(place: 0, state: now)]
  }

  // MARK: results

  /// The incidents, newest first; ended ones too.
  package var incidents: [Incident] {
    now.findings.incidents.values.sorted {
      ($0.toMs, $0.fromMs, $0.id) > ($1.toMs, $1.fromMs, $1.id)
    }
  }

  package subscript(id: Incident.ID) -> Incident? { now.findings.incidents[id] }

  /// Up to where everything was judged, ms since 1970.
  package var judgedToMs: Int64? { now.timeMs == .min ? nil : now.timeMs }

  /// Whether each rule could judge.
  package var judgements: [(rule: Rule, judgement: Judgement)] {
    rules.indices.compactMap { place in
      guard now.isFed[place] || !rules[place].input.isOfGateway else { return nil }
      if let unknown = now.rules[place].unknown { return (rules[place], .unknown(unknown)) }
      return (rules[place], now.isFed[place] ? .judged : .idle)
    }
  }

  // MARK: events

  package mutating func withRouter<Result>(_ body: (inout RuleRouter) -> Result) -> Result {
    body(&router)
  }

  /// Takes events in any order.
  ///
  /// A row that is here already, such as the stored twin of a live one, is not counted twice.
  package mutating func take(_ batch: [RuleEvent]) {
    let batch = fresh(batch)
    guard let first = batch.first else { return }
    if first.timeMs > now.timeMs || isNext(first) {
      events += batch
      return judge()
    }
    let before = now.findings.incidents
    goBack(to: first)
    let kept = batch.filter { event in
      isWhole || !(events.first.map { RuleEvent.precedes(event, $0) } ?? false)
    }
    tooLate += batch.count - kept.count
    events = Self.merged(events, kept)
    judge()
    if passedMs > now.timeMs { pass(passedMs) }
    noteWithdrawn(before)
  }

  package mutating func take(_ event: RuleEvent) { take([event]) }

  /// The events of a batch that are not known yet, in order.
  private func fresh(_ batch: [RuleEvent]) -> [RuleEvent] {
    let newest = events.last?.timeMs ?? .min
    // Most batches are one row that is newer than all others.
    if batch.count == 1, batch[0].timeMs > newest { return batch }
    var fresh: [RuleEvent] = []
    fresh.reserveCapacity(batch.count)
    for event in batch.sorted(by: RuleEvent.precedes) {
      if let row = event.row {
        if event.timeMs <= newest, holds(row) { continue }
        // The sort is stable, and twins have the same place in the order.
        let equals = fresh.reversed().prefix { !RuleEvent.precedes($0, event) }
        if equals.contains(where: { $0.row?.isTwin(of: row) ?? false }) { continue }
      }
      fresh.append(event)
    }
    return fresh
  }

  private func holds(_ row: RuleRow) -> Bool {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].timeMs < row.timeMs { low = middle + 1 } else { high = middle }
    }
    while low < events.count, events[low].timeMs == row.timeMs {
      if events[low].row?.isTwin(of: row) ?? false { return true }
      low += 1
    }
    return false
  }

  /// No event before `nowMs` is to be expected: deadlines until then pass.
  package mutating func advance(to nowMs: Int64) {
    passedMs = max(passedMs, nowMs)
    guard nowMs > now.timeMs else { return }
    pass(nowMs)
  }

  /// How far `advance` went.
  private var passedMs = Int64.min

  private func isNext(_ event: RuleEvent) -> Bool {
    event.timeMs == now.timeMs && passedMs < event.timeMs
      && (events.last.map { !RuleEvent.precedes(event, $0) } ?? true)
  }

  // MARK: judging

  private mutating func judge() {
    let before = now.findings.incidents.count
    while judged < events.count {
      if judged - (checkpoints.last?.place ?? 0) >= checkpointEvents {
        checkpoints.append(Checkpoint(place: judged, state: now))
      }
      let event = events[judged]
      judged += 1
      pass(event.timeMs)
      let places = router.rules(for: event)
      for place in places {
        prepare(place)
        now.rules[place].take(event, &now.findings)
        if event.row != nil || !rules[place].input.isOfGateway { now.isFed[place] = true }
        note(place)
      }
      if !places.isEmpty { revision += 1 }
    }
    if now.findings.incidents.count != before { now.findings.keep(Self.keptIncidents) }
    forget()
  }

  /// Deadlines before a time pass, in their order.
  private mutating func pass(_ nowMs: Int64) {
    while now.nextDeadline <= nowMs {
      let due = now.nextDeadline
      for place in now.rules.indices where now.deadlines[place] <= due {
        prepare(place)
        now.rules[place].pass(due, &now.findings)
        // A rule that leaves its deadline where it was would be asked for ever.
        let next = now.rules[place].deadlineMs ?? .max
        assert(next > due, "\(rules[place].id) has left its deadline where it was")
        now.deadlines[place] = next > due ? next : .max
      }
      now.nextDeadline = now.deadlines.min() ?? .max
      revision += 1
    }
    now.timeMs = max(now.timeMs, nowMs)
  }

  private mutating func prepare(_ place: Int) {
    now.findings.rule = rules[place].id
    now.findings.advice = rules[place].advice
    now.findings.levelOfRule = levels[place]
  }

  private mutating func note(_ place: Int) {
    let deadline = now.rules[place].deadlineMs ?? .max
    guard deadline != now.deadlines[place] else { return }
    now.deadlines[place] = deadline
    now.nextDeadline = now.deadlines.min() ?? .max
  }

  // MARK: late events

  private mutating func goBack(to event: RuleEvent) {
    while checkpoints.count > 1, let last = checkpoints.last,
      last.state.timeMs >= event.timeMs
        || last.place > 0 && !RuleEvent.precedes(events[last.place - 1], event)
    {
      checkpoints.removeLast()
    }
    guard let last = checkpoints.last else { return }
    now = last.state
    judged = last.place
  }

  private mutating func noteWithdrawn(_ before: [Incident.ID: Incident]) {
    let after = now.findings.incidents
    // What was found in rows that were fetched piece by piece was never certain.
    let freshMs = passedMs == .min ? Int64.max : passedMs - Self.freshMs
    let gone = before.values.filter { after[$0.id] == nil && $0.toMs > freshMs }
      .sorted { $0.toMs < $1.toMs }
    withdrawn += gone
    withdrawn.removeAll { after[$0.id] != nil }
    if withdrawn.count > Self.keptWithdrawn {
      withdrawn.removeFirst(withdrawn.count - Self.keptWithdrawn)
    }
    revision += 1
  }

  /// Forgets the oldest events, up to a checkpoint.
  private mutating func forget() {
    guard events.count > keptEvents + keptEvents / 4 else { return }
    let surplus = events.count - keptEvents
    guard let first = checkpoints.lastIndex(where: { $0.place <= surplus }), first > 0 else {
      return
    }
    let place = checkpoints[first].place
    checkpoints.removeFirst(first)
    for index in checkpoints.indices { checkpoints[index].place -= place }
    events.removeFirst(place)
    judged -= place
    isWhole = false
  }

  private static func merged(_ left: [RuleEvent], _ right: [RuleEvent]) -> [RuleEvent] {
    var result: [RuleEvent] = []
    result.reserveCapacity(left.count + right.count)
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      if RuleEvent.precedes(right[j], left[i]) {
        result.append(right[j])
        j += 1
      } else {
        result.append(left[i])
        i += 1
      }
    }
    result += left[i...]
    result += right[j...]
    return result
  }
}
