internal import ClankyWire
package import CockpitStores

/// What rows alone tell of a stretch of time: states of then are not among them.
extension TriageBoard {
  /// Failures of one sort, whether they made a trouble or not.
  package struct Failures: Hashable, Sendable {
    /// The rule that reads them; nil for rows that no rule reads.
    package var rule: String?
    /// The kind or event of rows that no rule reads.
    package var event: String = ""
    /// All of them, oldest first.
    package var rows: [RowID] = []
    /// Those that were more than an accident, by their onsets.
    package var troubles: [TriageTrouble] = []
  }

  /// The failures between two times, both included: troubles first, the worst of them on top, then by their number.
  ///
  /// - Parameter input: as of the end of the time.
  package func failures(
    in log: ActionLog, fromMs: Int64, toMs: Int64, _ input: TriageInput
  ) -> [Failures] {
    var groups: [String: Failures] = [:]
    var histories: [TriageTrouble.ID: OutcomeHistory] = [:]
    var last: [TriageTrouble.ID: OutcomeHistory.Run] = [:]
    var index = log.count
    // Oldest first; what is before the time tells whether a run had begun.
    while index > 0 {
      index -= 1
      let row = log.row(at: index)
      guard row.timeMs <= toMs else { break }
      guard !row.isGap, !row.isOfFormerLog, scope.isAll || row.guildID.map(scope.holds) ?? true
      else { continue }
      let isInside = row.timeMs >= fromMs
      var isRead = false
      for place in readers[row.kind] ?? [] {
        let rule = rules[place]
        guard let rows = rule.rows, let outcome = rows.read(row) else { continue }
        let mark: OutcomeHistory.Mark
        let subject: String?
        switch outcome {
        case .failure(let about, let reason, let isForPeople):
          subject = about
          mark = .init(
            ms: row.timeMs, row: row.id, reason: reason, person: isForPeople ? row.userID : nil,
            channel: isForPeople ? row.channelID : nil)
          isRead = true
          if isInside { groups[rule.name, default: Failures(rule: rule.name)].rows.append(row.id) }
        case .success(let about):
          subject = about
          mark = .init(ms: row.timeMs, row: row.id, reason: nil)
        }
        let id = TriageTrouble.ID(rule: rule.name, subject: subject)
        histories[id, default: OutcomeHistory()].add(mark, rows)
        // One row ends one run at most.
        if let run = histories[id]?.finished.last, run != last[id] {
          last[id] = run
          add(run, id, rule, to: &groups, log, fromMs, input)
        }
      }
      if isInside, !isRead, row.isFailure {
        let event = row.label.title
        groups["-" + event, default: Failures(event: event)].rows.append(row.id)
      }
    }
    for (id, history) in histories {
      guard var run = history.run, let rule = rules.first(where: { $0.name == id.rule }),
        let rows = rule.rows, run.isTrouble(rows, atMs: toMs)
      else { continue }
      if toMs > run.lastMs + rows.quietMs { run.endedMs = run.lastMs + rows.quietMs }
      add(run, id, rule, to: &groups, log, fromMs, input)
    }
    return groups.values.map { group in
      var group = group
      group.troubles.sort { ($0.sinceMs, $0.id.subject ?? "") < ($1.sinceMs, $1.id.subject ?? "") }
      return group
    }.sorted(by: Self.isWorse)
  }

  private func add(
    _ run: OutcomeHistory.Run, _ id: TriageTrouble.ID, _ rule: TriageRule,
    to groups: inout [String: Failures], _ log: ActionLog, _ fromMs: Int64, _ input: TriageInput
  ) {
    guard run.endedMs ?? .max >= fromMs else { return }
    groups[rule.name, default: Failures(rule: rule.name)].troubles.append(
      trouble(rule, id, run, nil, input, log))
  }

  private static func isWorse(_ left: Failures, _ right: Failures) -> Bool {
    func worst(_ group: Failures) -> TriageTrouble? {
      group.troubles.min(by: TriageTrouble.isWorse)
    }
    switch (worst(left), worst(right)) {
    case (let first?, let second?): return TriageTrouble.isWorse(first, second)
    case (.some, nil): return true
    case (nil, .some): return false
    case (nil, nil):
      return (-left.rows.count, left.rule ?? left.event)
        < (-right.rows.count, right.rule ?? right.event)
    }
  }
}
