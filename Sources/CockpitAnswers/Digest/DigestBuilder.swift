internal import ClankyWire
internal import CockpitStores
internal import CockpitText

/// Makes a digest: a pure function of its input.
@MainActor
package struct DigestBuilder {
  let input: DigestInput
  private var entries: ArraySlice<ExchangeRows.Entry>
  var exchanges: [Why] = []

  package init(_ input: DigestInput) {
    self.input = input
    // An exchange begins at the earliest with its first row.
    entries = input.rows.entries().filter { $0.timeMs <= input.toMs }[...]
  }

  /// Reads some exchanges.
  ///
  /// - Returns: whether there are more.
  package mutating func read(exchanges count: Int = .max) -> Bool {
    let rows = input.rows
    for entry in entries.prefix(count) {
      guard let exchange = rows.exchange(entry.key), rows.scope.holds(exchange.guildID),
        exchange.startMs >= input.fromMs, exchange.startMs <= input.toMs
      else { continue }
      exchanges.append(Why(exchange))
    }
    entries = entries.dropFirst(count)
    return !entries.isEmpty
  }

  /// The digest, once all exchanges are read.
  package var digest: Digest {
    let troubles = failureGroups
    let cost = DigestCost(input)
    let lines =
      [
        answers, silences, unanswered, unknown, incidents, errors(troubles), sessions,
        self.lines(of: cost), automations, facts,
      ].flatMap { $0 }
    let isComplete = input.missing.isEmpty
    let hasRows = !input.inside { _ in true }.isEmpty
    return Digest(
      beginning: input.beginning,
      answer: Answer(
        sentence(lines, troubles, cost, hasRows: hasRows),
        state: hasRows || isComplete ? .observed : .unknown,
        evidence: Array(lines.filter(\.isTrouble).flatMap(\.evidence).prefix(5)),
        coverage: .init(fromMs: input.fromMs, toMs: input.toMs, isComplete: isComplete)),
      lines: lines, tallies: tallies, missing: input.missing)
  }

  // MARK: What was said and not said

  private var tallies: [Digest.Tally] {
    struct Key: Hashable {
      var medium: Exchange.Medium
      var outcome: WhyRule.Outcome
      var reason: String?
    }
    var counts: [Key: Int] = [:]
    for why in exchanges {
      let key = Key(medium: why.exchange.medium, outcome: why.outcome, reason: why.reason)
      counts[key, default: 0] += 1
    }
    return counts.map {
      Digest.Tally(
        medium: $0.key.medium, outcome: $0.key.outcome, reason: $0.key.reason, count: $0.value)
    }.sorted {
      ($0.medium.rawValue, $0.outcome.rawValue, -$0.count, $0.reason ?? "")
        < ($1.medium.rawValue, $1.outcome.rawValue, -$1.count, $1.reason ?? "")
    }
  }

  private var answers: [Digest.Line] {
    let groups = groups(DigestWords.answers) { DigestWords.answer($0) }
    return lines(.answers, groups, none: none)
  }

  private var silences: [Digest.Line] {
    let groups = groups(DigestWords.silences, name: DigestWords.silence)
    return lines(.silences, groups, none: none)
  }

  private var unanswered: [Digest.Line] {
    let groups = groups(DigestWords.failures) { DigestWords.outcome($0) }
    return lines(.failures, groups, none: none, isTrouble: true)
  }

  /// Exchanges that no row ends; no line where there are none.
  private var unknown: [Digest.Line] {
    let groups = groups(DigestWords.unknown) { DigestWords.outcome($0) }
    return groups.isEmpty ? [] : lines(.unknown, groups, none: "")
  }

  /// Where rows are missing, what is not here may have been.
  private var none: String { input.missing.isEmpty ? "none" : "none here" }

  private typealias Group = (name: String, exchanges: [Why])

  /// The exchanges that ended so, by name; the largest group first.
  private func groups(
    _ outcomes: Set<WhyRule.Outcome>, name: (Why) -> String
  ) -> [Group] {
    var groups: [String: [Why]] = [:]
    for why in exchanges where outcomes.contains(why.outcome) {
      groups[name(why), default: []].append(why)
    }
    return groups.map { ($0.key, $0.value) }.sorted {
      (-$0.exchanges.count, $0.name) < (-$1.exchanges.count, $1.name)
    }
  }

  private func lines(
    _ topic: Digest.Topic, _ groups: [Group], none: String, isTrouble: Bool = false
  ) -> [Digest.Line] {
    let all = groups.flatMap(\.exchanges)
    var head = Digest.Line(topic: topic, count: all.count, text: none)
    head.evidence = evidence(all)
    head.isTrouble = isTrouble && !all.isEmpty
    guard !groups.isEmpty else { return [head] }
    head.text = DigestWords.list(groups.map { ($0.exchanges.count, $0.name) })
    return [head]
      + groups.map { group in
        var line = Digest.Line(
          topic: topic, name: group.name, count: group.exchanges.count,
          text: DigestWords.example(group.exchanges, input.clock))
        line.evidence = evidence(group.exchanges)
        line.isTrouble = isTrouble
        return line
      }
  }

  /// The row of each exchange that carries its verdict.
  private func evidence(_ exchanges: [Why]) -> [Answer.Evidence] {
    exchanges.sorted { $0.exchange.startMs < $1.exchange.startMs }
      .compactMap { $0.answer.evidence.first }
  }

  // MARK: Troubles

  private var failureGroups: [TriageBoard.Failures] {
    var now = TriageInput(nowMs: input.toMs)
    now.names = input.rows.names
    return TriageBoard(settings: input.triage, scope: input.rows.scope).failures(
      in: input.log, fromMs: input.fromMs, toMs: input.toMs, now)
  }

  private func errors(_ groups: [TriageBoard.Failures]) -> [Digest.Line] {
    let count = groups.reduce(0) { $0 + $1.rows.count }
    let troubles = groups.flatMap(\.troubles).sorted(by: TriageTrouble.isWorse)
    var head = Digest.Line(topic: .errors, count: count, text: none)
    head.isTrouble = count > 0
    head.evidence = groups.flatMap(\.rows).compactMap(evidence).sorted {
      ($0.timeMs ?? 0, $0.rowID ?? 0) < ($1.timeMs ?? 0, $1.rowID ?? 0)
    }
    guard count > 0 || !troubles.isEmpty else { return [head] }
    let kinds = DigestWords.list(
      groups.filter { !$0.rows.isEmpty }.map { ($0.rows.count, DigestWords.name(of: $0)) })
    let open = troubles.count { $0.endedMs == nil }
    let sum =
      troubles.isEmpty
      ? "no lasting trouble"
      : DigestWords.count(troubles.count, "trouble")
        + (open > 0 ? ", \(open) without an end on record" : "")
    head.text = kinds.isEmpty ? sum : sum + ": " + kinds
    return [head]
      + groups.map { group in
        var line = Digest.Line(
          topic: .errors, name: DigestWords.name(of: group), count: group.rows.count,
          text: group.troubles.isEmpty
            ? DigestWords.single(group.rows.compactMap(input.log.row), input.clock)
            : group.troubles.sorted(by: TriageTrouble.isWorse)
              .map { DigestWords.trouble($0, input.clock) }.joined(separator: " "))
        line.isTrouble = true
        line.evidence = group.rows.compactMap(evidence)
        return line
      }
  }

  private func evidence(_ row: RowID) -> Answer.Evidence? {
    input.log.row(row).map { Answer.Evidence($0, $0.label.title) }
  }

  // MARK: Incidents

  /// What the rules found; no line where they did not run, or found nothing.
  private var incidents: [Digest.Line] {
    guard let findings = input.findings, !findings.isEmpty else { return [] }
    var head = Digest.Line(topic: .incidents, count: findings.count, text: "")
    let levels = ["critical", "warning", "info"].compactMap { level -> (Int, String)? in
      let count = findings.count { $0.level == level }
      return count == 0 ? nil : (count, level)
    }
    head.text = DigestWords.list(levels)
    head.isTrouble = findings.contains { $0.level == "critical" }
    head.evidence = findings.flatMap(\.evidence)
    var rules: [String: [DigestInput.Finding]] = [:]
    for finding in findings { rules[finding.rule, default: []].append(finding) }
    let groups = rules.sorted { (-$0.value.count, $0.key) < (-$1.value.count, $1.key) }
    return [head]
      + groups.map { rule, found in
        var line = Digest.Line(
          topic: .incidents, name: rule, count: found.count,
          text: found.last.map { finding in
            "\(input.clock.time(ms: finding.atMs)) \(finding.sentence)"
              + (finding.often.map { " (\($0))" } ?? "")
          } ?? "")
        line.isTrouble = found.contains { $0.level == "critical" }
        line.evidence = found.flatMap(\.evidence)
        return line
      }
  }

  // MARK: Voice sessions

  private var sessions: [Digest.Line] {
    let records = (input.rows.voice?.log.records.values.map { $0 } ?? []).filter { record in
      guard let span = record.span, input.rows.scope.holds(record.guildID) else { return false }
      let endMs = record.endedAt ?? span.upperBound
      return endMs >= input.fromMs && (record.startedAt ?? span.lowerBound) <= input.toMs
    }.sorted { ($0.span?.lowerBound ?? 0) < ($1.span?.lowerBound ?? 0) }
    let parts = records.map { DigestWords.session($0, input.rows.names, toMs: input.toMs) }
    var head = Digest.Line(topic: .sessions, count: records.count, text: none)
    head.evidence = records.flatMap(sessionEvidence)
    if !parts.isEmpty { head.text = parts.joined(separator: "; ") }
    guard !records.isEmpty else { return [head] }
    return [head]
      + zip(records, parts).map { record, part in
        var line = Digest.Line(
          topic: .sessions,
          name: "\(input.clock.time(ms: record.startedAt ?? record.span?.lowerBound ?? 0))",
          text: "\(part), \(DigestWords.count(record.turns.count, "turn"))")
        line.evidence = sessionEvidence(record)
        return line
      }
  }

  /// The rows of its beginning and end.
  private func sessionEvidence(_ record: VoiceSessionRecord) -> [Answer.Evidence] {
    guard let span = record.span else { return [] }
    let rows = input.rows.rows(from: span.lowerBound, to: span.upperBound) { row in
      row.kind == "voice_session_start" || row.kind == "voice_session_end"
    }
    return rows.filter { $0.string("sessionId") == record.sessionID }.map { row in
      let source = row.source()
      return Answer.Evidence(
        rowID: source.row, actionID: source.actionID, timeMs: source.timeMs, kind: source.kind,
        claim: source.kind == "voice_session_start" ? "it began" : "it ended")
    }
  }

  // MARK: Automations

  private var automations: [Digest.Line] {
    let runs = exchanges.filter { $0.exchange.medium == .automation }
    let failed = runs.filter { $0.outcome == .failed || $0.outcome == .modelFailed }
    let missed = missedAutomations
    let ran = runs.count - failed.count
    var head = Digest.Line(topic: .automations, count: runs.count, text: "")
    head.evidence = evidence(runs)
    head.isTrouble = !failed.isEmpty || !(missed ?? []).isEmpty
    // A recorded list may be of some time before the end.
    let listed = input.automations.map { heard in
      input.toMs - heard.atMs > Self.listedMs
        ? ", as listed at \(input.clock.time(ms: heard.atMs))" : ""
    }
    let known =
      missed.map { "\($0.count) missed\(listed ?? "")" }
      ?? "whether any was missed is not known here"
    head.text = "\(ran) ran, \(failed.count) failed, \(known)"
    head.state = missed == nil ? .unknown : .observed
    var lines = [head]
    for (name, group) in [("failed", failed), ("ran", runs.filter { !failed.contains($0) })]
    where !group.isEmpty {
      var line = Digest.Line(
        topic: .automations, name: name, count: group.count,
        text: DigestWords.automations(group))
      line.evidence = evidence(group)
      line.isTrouble = name == "failed"
      lines.append(line)
    }
    if let missed, !missed.isEmpty, let atMs = input.automations?.atMs {
      var line = Digest.Line(
        topic: .automations, name: "missed", count: missed.count,
        text: missed.map {
          "\(DigestWords.automation($0.id ?? 0, $0.title)) due \(input.clock.time(ms: $0.nextRunAt?.milliseconds ?? atMs))"
        }
        .joined(separator: ", "))
      line.isTrouble = true
      line.evidence = missed.map {
        Answer.Evidence(
          timeMs: $0.nextRunAt?.milliseconds, claim: "its time is past, and no run is on record")
      }
      lines.append(line)
    }
    return lines
  }

  /// Those that were due in the time and had not run when they were listed; nil if they are not known.
  private var missedAutomations: [Automation]? {
    // A list of before the time says nothing about it.
    guard let heard = input.automations, heard.atMs >= input.fromMs else { return nil }
    return heard.value.filter { automation in
      guard automation.status == .active, automation.isRunning != true,
        input.rows.scope.holds(automation.guildID), let due = automation.nextRunAt?.milliseconds
      else { return false }
      return due >= input.fromMs && due + Self.graceMs < heard.atMs
    }
  }

  /// The scheduler of the backend looks every half minute or so.
  private static let graceMs: Int64 = 2 * 60_000
  /// `record` fetches the list every ten minutes.
  private static let listedMs: Int64 = 15 * 60_000

  // MARK: Facts

  private var facts: [Digest.Line] {
    let learned = input.rows.rows(from: input.fromMs, to: input.toMs) { row in
      row.kind == "memory_fact" && row.isIn(input.rows.scope)
    }
    let evidence = learned.map { row in
      let source = row.source()
      return Answer.Evidence(
        rowID: source.row, actionID: source.actionID, timeMs: source.timeMs, kind: source.kind,
        claim: "a fact was written")
    }
    var head = Digest.Line(topic: .facts, count: learned.count, text: "")
    head.evidence = evidence
    let lost =
      input.facts.map {
        "\($0.lost.count) lost between the lists of \(input.clock.time(ms: $0.beforeMs)) and \(input.clock.time(ms: $0.afterMs))"
      } ?? "what was lost is not known: no list of before is here"
    head.text = "\(learned.count) learned, \(lost)"
    head.state = input.facts == nil ? .unknown : .observed
    var lines = [head]
    if let last = learned.last {
      var line = Digest.Line(
        topic: .facts, name: "learned", count: learned.count,
        text: "last " + WhyWords.quote(last.string("fact") ?? last.content ?? ""))
      line.evidence = evidence
      lines.append(line)
    }
    if let lost = input.facts?.lost, let first = lost.first {
      lines.append(
        Digest.Line(
          topic: .facts, name: "lost", count: lost.count,
          text: (lost.count > 1 ? "such as " : "")
            + (first.isOwnerPrivate ? "a private one" : WhyWords.quote(first.fact ?? "")),
          state: .inferred))
    }
    return lines
  }
}
