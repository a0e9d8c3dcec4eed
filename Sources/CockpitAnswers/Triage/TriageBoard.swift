package import ClankyWire
package import CockpitStores

/// Judges the bot and keeps the report between two calls. Each row is read once; states are judged as of
/// the time passed in. The same rows and states give the same report.
@MainActor
package struct TriageBoard {
  /// How long an ended trouble stays in the list, in ms.
  package nonisolated static let keptMs: Int64 = 3_600_000
  /// A state that fails again within this time, in ms, continues the same trouble, and a trouble that ended
  /// within it stays on the line: a reconnect of one second does not flicker.
  package nonisolated static let holdMs: Int64 = 10_000
  /// A watch older than this, in ms, waits for something other than time.
  private static let pendingMs: Int64 = 40_000
  /// Rows read per call: far more than a bot writes in a second.
  private static let rowBudget = 4_000
  /// Subjects tracked per rule; bounds the memory that a hostile backend can use.
  private static let maxSubjects = 64

  package private(set) var report = TriageReport()

  /// Whether a trouble may be confirmed within seconds, so that the next call should be soon.
  package var isPending: Bool {
    watches.values.contains {
      !$0.isConfirmed && $0.endedMs == nil && report.atMs - $0.sinceMs < Self.pendingMs
    }
  }

  /// Whose rows are judged. Rows without a guild are those of the whole bot, and are judged in every scope.
  package let scope: GuildScope
  let rules: [TriageRule]
  private let settings: TriageSettings
  private var cursor = LogCursor(.newest, startsOver: true)
  /// Indices of the rules that read a kind.
  let readers: [String: [Int]]
  private var histories: [TriageTrouble.ID: OutcomeHistory] = [:]
  private var watches: [TriageTrouble.ID: StateWatch] = [:]
  /// Rules whose state was received at least once.
  private var heard: Set<String> = []
  /// Ended troubles, by onset.
  private var ended: [TriageTrouble] = []

  package init(
    settings: TriageSettings = TriageSettings(), rules: [TriageRule] = TriageRule.all,
    scope: GuildScope = .all
  ) {
    self.scope = scope
    self.settings = settings
    self.rules = rules.filter { !settings.denied.contains($0.name) }
    var readers: [String: [Int]] = [:]
    for (index, rule) in self.rules.enumerated() {
      for kind in rule.rows?.kinds ?? [] { readers[kind, default: []].append(index) }
    }
    self.readers = readers
  }

  /// Reads new rows and judges the states.
  ///
  /// - Returns: whether all rows were read; else another look is to follow.
  @discardableResult
  package mutating func judge(_ input: TriageInput, rows log: ActionLog) -> Bool {
    let isComplete = read(log)
    for rule in rules { hear(rule, input) }
    var open: [TriageTrouble] = []
    for rule in rules {
      for id in ids(of: rule) {
        let found = troubles(rule, id, input, log)
        open += found.filter { $0.endedMs == nil }
        for trouble in found where trouble.endedMs != nil { keep(trouble) }
      }
    }
    forget(input.nowMs)
    ended.removeAll { trouble in
      let age = input.nowMs - (trouble.endedMs ?? 0)
      return age > Self.keptMs
        || open.contains { $0.id == trouble.id && $0.sinceMs == trouble.sinceMs }
    }
    report = TriageReport(
      isKnown: input.runtime?.value.isReady != nil || open.contains { !$0.isOfConnection },
      open: open, over: ended, asOfMs: input.asOfMs, atMs: input.nowMs,
      suspected: suspected(input, log))
    return isComplete
  }

  // MARK: Rows

  private mutating func read(_ log: ActionLog) -> Bool {
    let changes = cursor.changes(in: log, budget: Self.rowBudget)
    if changes.isRestart { histories = [:] }
    for range in [changes.newer, changes.older] {
      for id in range { read(id, log) }
    }
    return cursor.isComplete(in: log)
  }

  private mutating func read(_ id: RowID, _ log: ActionLog) {
    guard let row = log.row(id), !row.isGap, !row.isOfFormerLog, let readers = readers[row.kind]
    else { return }
    if !scope.isAll, let guild = row.guildID, !scope.holds(guild) { return }
    for index in readers {
      let rule = rules[index]
      guard let rows = rule.rows, let outcome = rows.read(row) else { continue }
      switch outcome {
      case .failure(let subject, let reason, let isForPeople):
        add(
          .init(
            ms: row.timeMs, row: id, reason: reason, person: isForPeople ? row.userID : nil,
            channel: isForPeople ? row.channelID : nil), rule, rows, subject)
      case .success(let subject):
        add(.init(ms: row.timeMs, row: id, reason: nil), rule, rows, subject)
      }
    }
  }

  private mutating func add(
    _ mark: OutcomeHistory.Mark, _ rule: TriageRule, _ rows: TriageRule.Rows, _ subject: String?
  ) {
    let id = TriageTrouble.ID(rule: rule.name, subject: subject)
    if histories[id] == nil {
      guard histories.keys.count(where: { $0.rule == rule.name }) < Self.maxSubjects else { return }
      histories[id] = OutcomeHistory()
    }
    histories[id]?.add(mark, rows)
  }

  // MARK: States

  private mutating func hear(_ rule: TriageRule, _ input: TriageInput) {
    guard let state = rule.state, let (signs, atMs) = state.read(input) else { return }
    let isFirst = heard.insert(rule.name).inserted
    var wrong: Set<TriageTrouble.ID> = []
    for sign in signs.prefix(Self.maxSubjects) {
      let id = TriageTrouble.ID(rule: rule.name, subject: sign.subject)
      if let watch = watches[id], watch.endedMs.map({ atMs - $0 < Self.holdMs }) ?? true {
        guard watch.endedMs == nil || !sign.onlyKeeps else { continue }
        watches[id]?.hear(sign, state, atMs: atMs)
      } else if !sign.onlyKeeps {
        watches[id] = StateWatch(sign, state, isFirst: isFirst, atMs: atMs)
      } else {
        continue
      }
      wrong.insert(id)
    }
    for id in watches.keys where id.rule == rule.name && !wrong.contains(id) {
      if watches[id]?.endedMs == nil { watches[id]?.endedMs = atMs }
    }
    // A state that does not mention a subject means that it is healthy.
    guard let rows = rule.rows else { return }
    for id in histories.keys where id.rule == rule.name && !wrong.contains(id) {
      guard let run = histories[id]?.run, atMs >= run.lastMs else { continue }
      histories[id]?.add(.init(ms: atMs, row: .max, reason: nil), rows)
    }
  }

  // MARK: Troubles

  private func ids(of rule: TriageRule) -> [TriageTrouble.ID] {
    var ids = Set(histories.keys.filter { $0.rule == rule.name })
    for id in watches.keys where id.rule == rule.name { ids.insert(id) }
    return ids.sorted { ($0.subject ?? "") < ($1.subject ?? "") }
  }

  /// Combines rows and state of one subject.
  private func troubles(
    _ rule: TriageRule, _ id: TriageTrouble.ID, _ input: TriageInput, _ log: ActionLog
  ) -> [TriageTrouble] {
    var found: [TriageTrouble] = []
    let watch = watches[id]
    let isWrong = watch.map { $0.endedMs == nil } ?? false
    let opens = rule.state?.opens ?? false
    if let rows = rule.rows, let history = histories[id] {
      for run in history.finished where input.nowMs - (run.endedMs ?? 0) <= Self.keptMs {
        found.append(trouble(rule, id, run, nil, input, log))
      }
      if var run = history.run {
        if !isWrong {
          let quietMs = run.lastMs + rows.quietMs
          if input.nowMs > quietMs { run.endedMs = quietMs }
        }
        let isStateWrong = isWrong && opens && watch?.isConfirmed == true
        if isStateWrong || run.isTrouble(rows, atMs: input.nowMs) {
          found.append(trouble(rule, id, run, isWrong && opens ? watch : nil, input, log))
          return found
        }
      }
    }
    if opens, let watch, watch.isConfirmed {
      // Rows cover the same trouble and are the better evidence.
      let isTold = found.contains { run in
        (run.endedMs ?? .max) >= watch.sinceMs && run.sinceMs <= watch.endedMs ?? .max
      }
      if !isTold || isWrong { found.append(trouble(rule, id, nil, watch, input, log)) }
    }
    return found
  }

  /// States that have failed for a second or more and may become troubles.
  private func suspected(_ input: TriageInput, _ log: ActionLog) -> [TriageTrouble] {
    watches.compactMap { id, watch in
      guard !watch.isConfirmed, watch.endedMs == nil, input.nowMs - watch.sinceMs >= 1_000,
        let rule = rules.first(where: { $0.name == id.rule }), rule.state?.opens == true
      else { return nil }
      return trouble(rule, id, nil, watch, input, log)
    }
  }

  func trouble(
    _ rule: TriageRule, _ id: TriageTrouble.ID, _ run: OutcomeHistory.Run?, _ watch: StateWatch?,
    _ input: TriageInput, _ log: ActionLog
  ) -> TriageTrouble {
    let sinceMs = min(run?.firstMs ?? .max, watch?.sinceMs ?? .max)
    let reason = watch.map(\.sign.reason).flatMap { $0.isEmpty ? nil : $0 } ?? run?.reason ?? ""
    let count = max(run?.count ?? 1, watch?.count ?? 1)
    let event = TriageRule.Case(
      subject: id.subject, reason: reason, count: count, sinceMs: sinceMs, names: input.names,
      people: run?.people.count ?? 0, channels: run?.channels.count ?? 0)
    let rows = (run?.rows ?? []).reversed().compactMap(log.row)
    let endedMs = run.map(\.endedMs) ?? watch?.endedMs
    // Without rows the evidence is the state that the backend sent.
    let states = watch.map { watch in
      watch.sign.evidence.isEmpty
        ? [Answer.Evidence(timeMs: watch.sinceMs, claim: "a state, not a row")]
        : watch.sign.evidence
    }
    let evidence =
      rows.isEmpty ? states ?? [] : rows.map { Answer.Evidence($0, $0.label.title) }
    let answer = Answer(
      rule.sentence(event), state: .observed,
      evidence: evidence,
      coverage: .init(
        fromMs: sinceMs, toMs: endedMs ?? input.nowMs,
        isComplete: rule.name != "errors" || input.isHourComplete),
      next: rule.next(event))
    return TriageTrouble(
      id: id, level: settings.levels[rule.name] ?? watch?.sign.level ?? rule.level,
      word: rule.word, sinceMs: sinceMs,
      mayBeOlder: run == nil && (watch?.mayBeOlder ?? false), endedMs: endedMs, count: count,
      answer: answer, recovery: rule.recovery)
  }

  /// States that have been well for longer than their end is kept.
  private mutating func forget(_ nowMs: Int64) {
    watches = watches.filter { _, watch in
      guard let ended = watch.endedMs else { return true }
      return nowMs - ended <= (watch.isConfirmed ? Self.keptMs : Self.holdMs)
    }
  }

  /// Keeps an ended trouble once, with its latest end.
  private mutating func keep(_ trouble: TriageTrouble) {
    let place = ended.firstIndex { $0.id == trouble.id && $0.sinceMs == trouble.sinceMs }
    if let place { ended[place] = trouble } else { ended.append(trouble) }
    if ended.count > 200 { ended.removeFirst() }
  }
}

extension TriageReport {
  /// Judges a single state without rows.
  @MainActor
  package static func once(_ runtime: Runtime?, nowMs: Int64) -> TriageReport {
    var input = TriageInput(nowMs: nowMs)
    input.runtime = runtime.map { .init($0, atMs: nowMs) }
    var board = TriageBoard()
    board.judge(input, rows: ActionLog())
    return board.report
  }
}
