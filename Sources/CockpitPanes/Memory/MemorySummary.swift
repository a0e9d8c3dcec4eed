import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

extension RowsBehind {
  /// Facts are no rows: MEMORY lists them, and its provenance has the rows that wrote and used each.
  static let facts = RowsBehind(
    none: "facts of the memory, listed here; PROVENANCE has the rows of each")
  static let subjects = RowsBehind(
    none: "whom the facts are about; Enter on one in SUBJECTS lists its facts")

  /// The rows of all runs that are listed.
  static func rows(of runs: [ReflectionRun]) -> RowsBehind {
    let ids = runs.compactMap(\.runID)
    guard ids.count == runs.count else { return .list("reflection runs") }
    return RowsBehind(
      "kind:memory_reflection_complete|memory_reflection_error meta.runId:"
        + ids.map(QueryCompletion.quoted).joined(separator: "|"))
  }

  /// The rows of a run of reflections.
  static func rows(of run: ReflectionRun) -> RowsBehind? {
    run.runID.map {
      RowsBehind("kind:memory_reflection_* meta.runId:" + QueryCompletion.quoted($0))
    }
  }
}

/// The first line: which guild, how many facts of how many, the last reflection.
struct MemorySummary {
  /// The guild that is shown; nil for all.
  let guild: String?
  let subjects: SubjectList

  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    var rest = area
    let name = guildName(facts).cut(to: max(8, area.width / 3))
    frame.canvas.write(name, x: area.x + 1, y: area.y, role: .heading, attributes: .bold)
    frame.mark(Rect(x: area.x + 1, y: area.y, width: name.columns, height: 1), .memory(.guild))
    _ = rest.takeLeft(name.columns + 2)
    VoicePills.draw(parts(facts, width: rest.width), in: rest, into: &frame)
  }

  @MainActor private func guildName(_ facts: ViewContext) -> PlainText {
    let guilds = facts.memory.guilds
    guard let guild else {
      return guilds.map { $0.count == 1 ? "1 guild" : PlainText("all \($0.count) guilds") }
        ?? "all guilds"
    }
    let name = PlainText(facts.names.guild(guild), limit: 60)
    guard let guilds else { return name }
    guard let index = guilds.firstIndex(of: guild) else { return name + " (unknown here)" }
    return name + PlainText(" \(index + 1)/\(guilds.count)")
  }

  @MainActor private func parts(_ facts: ViewContext, width: Int) -> [VoicePills.Part] {
    let coverage = facts.memory.coverage(of: guild)
    var parts: [VoicePills.Part] = []
    func add(_ rank: Int, _ spans: VoiceLine.Span..., behind: RowsBehind? = nil) {
      parts.append(VoicePills.Part(rank: rank, spans: spans, behind: behind))
    }
    if facts.isReadOnly {
      add(0, .init(text: "READ-ONLY", role: .warning, attributes: .bold))
    }
    // Without a connection later changes are unknown.
    if !facts.isHeard, coverage.loaded > 0 {
      let asOf = coverage.fetchedAtMs.map { "as of " + facts.clock.time(ms: $0) } ?? "STALE"
      add(0, .init(text: asOf, role: .warning, attributes: .bold))
    }
    parts += count(coverage)
    if subjects.isKnown {
      add(
        5, .init(text: Figures.count(subjects.entries.count), role: .number),
        .label(subjects.entries.count == 1 ? "subject" : "subjects"), behind: .subjects)
    }
    if let problem = coverage.problem {
      parts.append(
        VoicePills.Part(
          rank: 2, spans: [.init(text: PlainText(problem, limit: 200), role: .negative)], least: 20)
      )
    } else if let cut = coverage.cut.first {
      let name = PlainText(facts.names.subject(cut.subject), limit: 30)
      var text = "not served: " + name + PlainText(" \(cut.loaded) of \(cut.counted)")
      if coverage.cut.count > 1 { text += PlainText(" +\(coverage.cut.count - 1)") }
      add(3, .init(text: text, role: .warning))
    }
    if let held = held(facts) {
      add(1, .init(text: held, role: .negative, attributes: .bold))
    } else if let (text, role) = ended(facts) {
      parts.append(
        VoicePills.Part(
          rank: 1, spans: [.init(text: text, role: role, attributes: .bold)], least: 24))
    }
    if let bulk = facts.memory.bulk, bulk.isRunning {
      add(
        1,
        .init(
          text: PlainText("\(bulk.verb.rawValue) \(bulk.done)/\(bulk.total)"), role: .info,
          attributes: .bold))
    }
    if facts.memory.diskProblem != nil {
      add(2, .init(text: "disk: see ]] JOURNAL", role: .negative, attributes: .bold))
    }
    parts.append(reflection(facts))
    return parts
  }

  @MainActor private func held(_ facts: ViewContext) -> PlainText? {
    let held = facts.memory.deletions.filter { $0.state == .held }
    guard let last = held.last else { return nil }
    let count = held.reduce(0) { $0 + $1.count }
    let what =
      switch held.count == 1 ? last.whole?.part : nil {
      case .guild?: "purge"
      case .run?: "run"
      case nil: "\(count)"
      }
    return PlainText(
      "\(what) held \(last.secondsLeft(facts.monotonicNs))s \(facts.keys.text(.undo)) undo")
  }

  /// The outcome of the last deletion while it is recent; failures stay longer.
  @MainActor private func ended(_ facts: ViewContext) -> (PlainText, Role)? {
    guard let last = facts.memory.deletions.last, !last.isPending || last.state == .sending else {
      return nil
    }
    let secondsAgo =
      facts.monotonicNs > last.dueNs ? (facts.monotonicNs - last.dueNs) / 1_000_000_000 : 0
    var text = PlainText(last.sentence, limit: 300)
    // The word that counts stands before what a narrow screen cuts.
    if last.state == .done, case .guild? = last.whole?.part { text = "purged: " + text }
    return switch last.state {
    case .held: nil
    case .sending: (text, .warning)
    case .done: secondsAgo < 30 ? (text, .positive) : nil
    case .failed: secondsAgo < 600 ? (text, .negative) : nil
    }
  }

  private func count(_ coverage: FactCoverage) -> [VoicePills.Part] {
    guard coverage.loaded > 0 || coverage.isLoading || coverage.isComplete else { return [] }
    var spans: [VoiceLine.Span] = [
      .init(text: Figures.count(coverage.loaded), role: .number, attributes: .bold)
    ]
    let isWhole = coverage.isComplete && coverage.cut.isEmpty
    if !isWhole, let expected = coverage.expected, expected > coverage.loaded {
      spans.append(.init(text: "of ~" + Figures.count(expected), role: .warning))
    }
    spans.append(.label(coverage.loaded == 1 ? "fact" : "facts"))
    var parts = [VoicePills.Part(rank: 0, spans: spans, behind: .facts)]
    if coverage.isLoading {
      var text: PlainText = "loading"
      if let expected = coverage.expected, expected > 0 {
        text += " " + Figures.percent(min(1, Double(coverage.loaded) / Double(expected)))
      }
      parts.append(VoicePills.Part(rank: 1, spans: [.init(text: text, role: .info)]))
    } else if !coverage.isComplete, coverage.problem == nil {
      parts.append(
        VoicePills.Part(rank: 1, spans: [.init(text: "not all", role: .warning)]))
      if coverage.unreadable > 0 {
        let text = PlainText("\(coverage.unreadable) could not be read")
        parts.append(VoicePills.Part(rank: 2, spans: [.init(text: text, role: .warning)]))
      }
    }
    return parts
  }

  @MainActor private func reflection(_ facts: ViewContext) -> VoicePills.Part {
    var spans: [VoiceLine.Span] = [.label("REFLECT")]
    var behind: RowsBehind?
    switch facts.memory.reflections {
    case .notServed: spans.append(.init(text: "not served", role: .muted))
    case .none, .loading(nil): spans.append(.init(text: "-", role: .muted))
    default:
      if let run = ReflectionLines.newest(facts) {
        let at = ReflectionLines.time(run)?.milliseconds
        spans.append(
          .init(text: Figures.age(ms: at.map { facts.nowMs - $0 }) + " ago", role: .number))
        if run.status == .error {
          spans.append(.init(text: "ERROR", role: .negative, attributes: .bold))
        }
        spans.append(.init(text: Figures.count(run.factsSaved) + " saved", role: .positive))
        spans.append(.init(text: Figures.count(run.factsSkipped) + " skipped", role: .muted))
        spans.append(.init(text: Figures.cost(run.usdCost), role: .cost))
        behind = .rows(of: run)
      } else {
        spans.append(.init(text: "no runs", role: .muted))
      }
    }
    return VoicePills.Part(rank: 6, spans: spans, behind: behind)
  }
}
