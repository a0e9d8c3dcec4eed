/// Says each alarm once, and once that it is over. Pure and without a clock; kept in a file, it does so across restarts.
package struct AlarmLatch: Hashable, Sendable {
  /// An alarm that was seen and is not known to be over.
  package struct Entry: Hashable, Sendable {
    package var key: String
    package var rule: String
    /// Unique for every occurrence.
    package var id: String
    package var level: TriageLevel
    package var sentence: String
    package var recovery: String
    /// Its onset, in ms since 1970.
    package var sinceMs: Int64
    /// When it was first and last seen.
    package var firstMs: Int64
    package var lastMs: Int64
    /// Whether it was said; otherwise it waits: silenced, limited, or too young.
    package var isSaid = false
    /// Whether it may be said: one that only history tells of is not.
    package var isLive = false

    package init(
      key: String, rule: String, id: String, level: TriageLevel, sentence: String,
      recovery: String, sinceMs: Int64, firstMs: Int64, lastMs: Int64, isSaid: Bool = false,
      isLive: Bool = false
    ) {
      self.key = key
      self.rule = rule
      self.id = id
      self.level = level
      self.sentence = sentence
      self.recovery = recovery
      self.sinceMs = sinceMs
      self.firstMs = firstMs
      self.lastMs = lastMs
      self.isSaid = isSaid
      self.isLive = isLive
    }
  }

  package enum Event: Hashable, Sendable {
    /// - Parameter heldBack: alarms that the limits held back since the last one.
    case began(Alarm, id: String, heldBack: Int)
    case over(Entry, atMs: Int64)
    /// The limits hold alarms back from now on; said once until they do not.
    case limited(heldBack: Int)
  }

  package struct Limits: Hashable, Sendable {
    /// Between two alarms of one rule, in ms.
    package var perRuleMs: Int64 = 300_000
    /// In all, within an hour.
    package var perHour = 20
    /// What is worse is said, and what is milder is not.
    package var least = TriageLevel.warning

    package init() {}
  }

  /// It must be gone for so long before it is over, in ms.
  package static let overAfterMs: Int64 = 60_000
  /// Our own connection comes back by itself mostly, so its loss must last so long, in ms.
  package static let connectionMs: Int64 = 30_000
  private static let hourMs: Int64 = 3_600_000
  /// Bounds the file; a hostile backend can name many subjects.
  private static let mostEntries = 200

  package private(set) var entries: [String: Entry] = [:]
  /// When alarms were said within the last hour.
  package private(set) var saidMs: [Int64] = []
  /// When each rule last said one.
  package private(set) var lastOfRule: [String: Int64] = [:]
  /// Alarms held back since the last one that was said.
  package private(set) var heldBack: Set<String> = []
  private var isLimited = false

  package init() {}

  package init(
    entries: [Entry], saidMs: [Int64], lastOfRule: [String: Int64], heldBack: Set<String> = []
  ) {
    for entry in entries.prefix(Self.mostEntries) { self.entries[entry.key] = entry }
    self.saidMs = Array(saidMs.suffix(1000))
    self.lastOfRule = lastOfRule
    self.heldBack = heldBack
  }

  /// Takes what is wrong now.
  ///
  /// - Parameters:
  ///   - coveredFromMs: from when on no row is missing; nil if unknown.
  ///   - nowMs: never before that of an earlier call; a clock that was set back makes nothing wait for it.
  package mutating func step(
    _ alarms: [Alarm], silences: AlarmSilences, limits: Limits, coveredFromMs: Int64?, nowMs: Int64
  ) -> [Event] {
    var events: [Event] = []
    // After a clock was set back, what is said to be later is from now.
    saidMs = saidMs.filter { $0 <= nowMs && nowMs - $0 < Self.hourMs }
    lastOfRule = lastOfRule.filter { $0.value <= nowMs && nowMs - $0.value < Self.hourMs }
    let found = Dictionary(alarms.map { ($0.key, $0) }) { first, _ in first }
    for key in entries.keys.sorted() where found[key] == nil {
      guard let entry = entries[key] else { continue }
      if nowMs < entry.lastMs { entries[key]?.lastMs = nowMs }
      guard entry.rule == Alarm.waitsRule || nowMs - entry.lastMs >= Self.overAfterMs else {
        continue
      }
      entries[key] = nil
      heldBack.remove(key)
      if entry.isSaid { events.append(.over(entry, atMs: entry.lastMs)) }
    }
    for alarm in alarms.sorted(by: { TriageTrouble.isWorse($0.trouble, $1.trouble) })
    where alarm.trouble.level >= limits.least && found[alarm.key] == alarm {
      if let entry = entries[alarm.key], isAnother(alarm, entry, coveredFromMs) {
        entries[alarm.key] = nil
        if entry.isSaid { events.append(.over(entry, atMs: entry.lastMs)) }
      }
      note(alarm, nowMs)
      if let event = say(alarm, silences, limits, nowMs) { events.append(event) }
    }
    if heldBack.isEmpty {
      isLimited = false
    } else if !isLimited {
      isLimited = true
      events.append(.limited(heldBack: heldBack.count))
    }
    return events
  }

  /// Whether the one that was seen has ended unseen, and this one began later. Where rows in between may be missing,
  /// or the onset is not known, it is the same.
  private func isAnother(_ alarm: Alarm, _ entry: Entry, _ coveredFromMs: Int64?) -> Bool {
    let trouble = alarm.trouble
    guard !trouble.mayBeOlder, alarm.source != .promise, let coveredFromMs,
      coveredFromMs <= entry.lastMs
    else { return false }
    return trouble.sinceMs > entry.lastMs + 2 * Self.overAfterMs
  }

  private mutating func note(_ alarm: Alarm, _ nowMs: Int64) {
    let trouble = alarm.trouble
    if entries[alarm.key] == nil {
      guard entries.count < Self.mostEntries else { return }
      entries[alarm.key] = Entry(
        key: alarm.key, rule: alarm.rule, id: "\(alarm.key)@\(trouble.sinceMs)",
        level: trouble.level, sentence: trouble.answer.sentence, recovery: trouble.recovery,
        sinceMs: trouble.sinceMs, firstMs: nowMs, lastMs: nowMs)
    }
    entries[alarm.key]?.lastMs = nowMs
    if alarm.isLive { entries[alarm.key]?.isLive = true }
    // Until it is said it is what it is now.
    if entries[alarm.key]?.isSaid == false {
      entries[alarm.key]?.sentence = trouble.answer.sentence
      entries[alarm.key]?.level = trouble.level
    }
  }

  private mutating func say(
    _ alarm: Alarm, _ silences: AlarmSilences, _ limits: Limits, _ nowMs: Int64
  ) -> Event? {
    guard let entry = entries[alarm.key], !entry.isSaid, entry.isLive else { return nil }
    if alarm.trouble.isOfConnection, nowMs - entry.firstMs < Self.connectionMs { return nil }
    guard !silences.isSilent(entry, nowMs: nowMs) else { return nil }
    let isRecent =
      alarm.rule != Alarm.waitsRule
      && lastOfRule[alarm.rule].map { nowMs - $0 < limits.perRuleMs } ?? false
    guard !isRecent, saidMs.count < limits.perHour else {
      heldBack.insert(alarm.key)
      return nil
    }
    heldBack.remove(alarm.key)
    let count = heldBack.count
    entries[alarm.key]?.isSaid = true
    saidMs.append(nowMs)
    lastOfRule[alarm.rule] = nowMs
    return .began(alarm, id: entry.id, heldBack: count)
  }
}

/// Which rules are to be silent, and which alarms were acknowledged. The cockpit and `watch` share it.
package struct AlarmSilences: Hashable, Sendable {
  /// Rules that say nothing until they are unmuted.
  package var muted: Set<String> = []
  /// Rules that say nothing until a time, in ms since 1970.
  package var snoozedUntilMs: [String: Int64] = [:]
  /// Alarms that somebody has seen, by key, with the onset of the occurrence.
  package var acknowledged: [String: Int64] = [:]

  private static let most = 500

  package init() {}

  package func isMuted(_ rule: String) -> Bool { muted.contains(rule) }

  package func isSnoozed(_ rule: String, nowMs: Int64) -> Bool {
    snoozedUntilMs[rule].map { $0 > nowMs } ?? false
  }

  /// An acknowledgement holds for its occurrence, whose onset an incomplete look may tell a little later.
  package func isAcknowledged(key: String, sinceMs: Int64) -> Bool {
    acknowledged[key].map { sinceMs <= $0 } ?? false
  }

  func isSilent(_ entry: AlarmLatch.Entry, nowMs: Int64) -> Bool {
    isMuted(entry.rule) || isSnoozed(entry.rule, nowMs: nowMs)
      || isAcknowledged(key: entry.key, sinceMs: entry.sinceMs)
  }

  /// Whether a trouble stays off the line.
  package func isSilent(_ trouble: TriageTrouble, nowMs: Int64) -> Bool {
    isMuted(trouble.rule) || isSnoozed(trouble.rule, nowMs: nowMs)
      || isAcknowledged(key: Alarm.key(trouble.id), sinceMs: trouble.sinceMs)
  }

  /// Acknowledges what is open now.
  package mutating func acknowledge(_ trouble: TriageTrouble, nowMs: Int64) {
    acknowledged[Alarm.key(trouble.id)] = max(trouble.sinceMs, nowMs)
    if acknowledged.count > Self.most, let oldest = acknowledged.min(by: { $0.value < $1.value }) {
      acknowledged[oldest.key] = nil
    }
  }

  /// Why a trouble stays off the line: `ack`, `muted` or `snoozed`; nil if it does not.
  package func reason(_ trouble: TriageTrouble, nowMs: Int64) -> StaticString? {
    if isMuted(trouble.rule) { return "muted" }
    if isSnoozed(trouble.rule, nowMs: nowMs) { return "snoozed" }
    return isSilent(trouble, nowMs: nowMs) ? "ack" : nil
  }

  /// Ends all that keeps a rule silent: mute, snooze and acknowledgements.
  package mutating func unmute(_ rule: String) {
    muted.remove(rule)
    snoozedUntilMs[rule] = nil
    acknowledged = acknowledged.filter { $0.key != rule && !$0.key.hasPrefix(rule + "/") }
  }

  /// Forgets snoozes that are over.
  package mutating func expire(nowMs: Int64) {
    snoozedUntilMs = snoozedUntilMs.filter { $0.value > nowMs }
  }
}

extension TriageReport {
  /// The same without what is silent.
  package func without(_ silences: AlarmSilences, nowMs: Int64) -> TriageReport {
    guard silences != AlarmSilences() else { return self }
    return TriageReport(
      isKnown: isKnown, open: open.filter { !silences.isSilent($0, nowMs: nowMs) }, over: over,
      asOfMs: asOfMs, atMs: atMs,
      suspected: suspected.filter { !silences.isSilent($0, nowMs: nowMs) })
  }
}
