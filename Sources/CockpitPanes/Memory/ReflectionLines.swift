import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The bot's reflection runs over a day: what each saved and skipped, and why.
@MainActor
struct ReflectionLines {
  /// Runs that are unfolded, by their keys.
  let openRuns: Set<String>
  let mask: OwnerMask
  let caches: MemoryCaches
  let facts: ViewContext
  /// The guild whose facts are listed; nil for all.
  var guild: String?
  let width: Int

  /// One line per run; Enter opens the view.
  var short: [MemoryLine] {
    let load = facts.memory.reflections
    guard let page = load.value else {
      return MemoryLine.state(load, "reflections", facts, width: width)
    }
    guard !page.runs.isEmpty || page.omitted > 0 else {
      return MemoryLine.wrapped(none, .muted, width: width)
    }
    return page.runs.prefix(50).enumerated().map { index, run in
      MemoryLine(head(run, isShort: true), link: .run(key(run, index)))
    }
  }

  /// All runs on one line.
  var strip: [MemoryLine] {
    guard let runs = facts.memory.reflections.value?.runs, !runs.isEmpty else { return short }
    let spans = runs.prefix(12).enumerated().flatMap { index, run in
      (index > 0 ? [StyledText("|", .border)] : []) + head(run, isShort: true)
    }
    return [MemoryLine(spans, link: .run(key(runs[0], 0)))]
  }

  var lines: [MemoryLine] {
    let load = facts.memory.reflections
    var lines = MemoryLine.state(load, "reflections", facts, width: width)
    guard let page = load.value else { return lines }
    guard !page.runs.isEmpty else {
      lines += MemoryLine.wrapped(none, .muted, width: width)
      guard writesNone else { return lines }
      return lines
        + MemoryLine.wrapped(
          "Facts are written as people talk instead: PULSE shows them with kind:memory_fact.",
          .muted, width: width)
        + written
    }
    for (index, run) in page.runs.prefix(100).enumerated() {
      let key = key(run, index)
      let isOpen = openRuns.contains(key)
      let sign = StyledText(isOpen ? "-" : "+", .focus, .bold)
      lines.append(MemoryLine([sign] + head(run, isShort: false), link: .run(key)))
      if isOpen { lines += content(run) }
    }
    if page.omitted > 0 {
      lines.append(MemoryLine(PlainText("\(page.omitted) runs could not be read"), .warning))
    }
    return lines
  }

  /// How many facts stand for the runs that a backend does not write.
  private static let mostWritten = 50

  /// What was learnt last, of a backend without runs: its newest facts.
  private var written: [MemoryLine] {
    let newest = facts.memory.facts.entries.values.lazy
      .filter { entry in guild.map(entry.guilds.contains) ?? true }
      .compactMap { entry in entry.fact.createdAt.map { (at: $0.milliseconds, fact: entry.fact) } }
      .sorted { ($1.at, $1.fact.id ?? 0) < ($0.at, $0.fact.id ?? 0) }
    guard !newest.isEmpty else { return [] }
    let shown = newest.prefix(Self.mostWritten)
    let title =
      shown.count < newest.count
      ? PlainText("NEWEST \(shown.count) OF \(newest.count) FACTS HERE")
      : PlainText("NEWEST FACTS HERE \(newest.count)")
    return [MemoryLine(""), .heading(title)]
      + shown.flatMap { at, fact -> [MemoryLine] in
        let head = facts.clock.day(ms: at) + " " + facts.clock.time(ms: at).prefix(columns: 5)
        let link = fact.id.map { MemoryLine.Link.fact($0) }
        guard !mask.hides(fact) else {
          return [
            MemoryLine(
              [StyledText(head, .muted), StyledText(OwnerMask.text(facts.keys), .warning)],
              link: .unmask)
          ]
        }
        let subject =
          PlainText(fact.subject.map { facts.names.subject($0) } ?? "-", limit: 40)
          + "/" + PlainText(fact.factType?.rawValue ?? "-", limit: 20)
        var lines = [
          MemoryLine(
            [
              StyledText(head, .muted), StyledText(subject, .memory),
              StyledText(Figures.unit(fact.confidence), .number),
              StyledText(PlainText(fact.fact ?? "-", limit: 600)),
            ], link: link)
        ]
        if let words = fact.evidenceText, !words.isEmpty {
          lines += MemoryLine.wrapped(
            "said: \"" + PlainText(words, limit: 300) + "\"", .muted, width: width, indent: 6)
        }
        return lines
      }
  }

  /// The text if there are none.
  private var none: PlainText {
    writesNone
      ? "No runs: this backend no longer writes reflection runs."
      : "No runs yet; r loads them anew."
  }

  /// Whether the backend is known to write no more runs (contract 6.5): according to its facts or,
  /// if it has none, by a route introduced with that change.
  private var writesNone: Bool {
    if facts.memory.facts.entries.values.lazy.prefix(50).contains(where: { $0.fact.dialect == .may }
    ) {
      return true
    }
    if case .loaded = facts.command.accounts { return facts.memory.facts.count == 0 }
    return false
  }

  private func key(_ run: ReflectionRun, _ index: Int) -> String { run.runID ?? "\(index)" }

  /// The newest run, for the summary.
  static func newest(_ facts: ViewContext) -> ReflectionRun? {
    facts.memory.reflections.value?.runs.first
  }

  static func time(_ run: ReflectionRun) -> WireTime? {
    run.completedAt ?? run.erroredAt ?? run.startedAt
  }

  private func head(_ run: ReflectionRun, isShort: Bool) -> [StyledText] {
    var spans: [StyledText] = []
    if let at = Self.time(run)?.milliseconds {
      let day = isShort ? "" : facts.clock.day(ms: at) + " "
      spans.append(StyledText(day + facts.clock.time(ms: at).prefix(columns: 5), .muted))
    } else {
      spans.append(StyledText(PlainText(run.dateKey ?? "-", limit: 20), .muted))
    }
    switch run.status {
    case .error?: spans.append(StyledText("ERROR", .negative, .bold))
    case .running?: spans.append(StyledText("running", .warning))
    default: break
    }
    if run.status == .error, run.factsSaved == nil {
      let error = PlainText(run.errorContent ?? "it says nothing more", limit: 200)
      return spans + [StyledText(isShort ? error.cut(to: 24) : error, .negative)]
    }
    spans.append(StyledText(Figures.count(run.factsSaved) + " saved", .positive))
    spans.append(StyledText(Figures.count(run.factsSkipped) + " skipped", .muted))
    if !isShort {
      spans.append(
        StyledText(
          "of " + Figures.count(run.factsExtracted) + " from "
            + Figures.count(run.journalEntryCount) + " entries", .muted))
      spans.append(StyledText(Figures.duration(ms: run.durationMs.map(Double.init)), .number))
    }
    spans.append(StyledText(Figures.cost(run.usdCost), .cost))
    if !isShort, let model = run.model ?? run.extractorModel {
      spans.append(StyledText(PlainText(model, limit: 40), .llm))
    }
    return spans
  }

  private func content(_ run: ReflectionRun) -> [MemoryLine] {
    var lines: [MemoryLine] = []
    if let error = run.errorContent, !error.isEmpty {
      lines += MemoryLine.wrapped(
        PlainText(error, limit: 600), .negative, width: width, indent: 1)
    }
    if run.status == .running {
      lines += MemoryLine.wrapped(
        "its end is missing: still running, or its last row was lost", .muted, width: width,
        indent: 1)
    }
    for (title, list, role) in [
      ("SAVED" as PlainText, run.savedFacts, Role.positive),
      ("SKIPPED", run.skippedFacts, .warning),
    ] where !list.isEmpty {
      lines.append(MemoryLine(title + PlainText(" \(list.count)"), role, .bold, indent: 1))
      for fact in list.prefix(200) { lines += self.fact(fact) }
    }
    if run.savedFacts.isEmpty, run.skippedFacts.isEmpty {
      lines += MemoryLine.wrapped("it names no facts", .muted, width: width, indent: 1)
    }
    return lines
  }

  private func fact(_ found: ReflectionFact) -> [MemoryLine] {
    let subject = found.storedSubject ?? found.subjectOverride ?? found.userID
    let isPrivate =
      !mask.isLifted
      && (found.scope == .owner || subject == FactSubject.owner.rawValue)
    guard !isPrivate else {
      return [MemoryLine(OwnerMask.text(facts.keys), .warning, indent: 2, link: .unmask)]
    }
    let name = found.subjectName ?? subject.map { facts.names.subject($0) } ?? "-"
    let text = found.storedFact ?? found.fact ?? "-"
    let id = caches.fact(saying: text, in: facts.memory.facts)
    let head =
      PlainText(name, limit: 40) + "/" + PlainText(found.type?.rawValue ?? "-", limit: 20) + " "
      + Figures.unit(found.confidence) + "  "
    var lines = MemoryLine.wrapped(
      head + PlainText(text, limit: 600), width: width, indent: 2, link: id.map { .fact($0) })
    if let reason = found.saveReason, !reason.isEmpty {
      lines += MemoryLine.wrapped(
        "reason: " + PlainText(reason, limit: 300), .muted, width: width, indent: 3)
    }
    return lines
  }
}
