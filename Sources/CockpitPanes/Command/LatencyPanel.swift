import ClankyWire
import CockpitStores
import CockpitText
import TerminalCore

/// How long text replies took, by phase, as the backend sums up its last 24 hours, and the counts of 24 hours.
@MainActor
struct LatencyPanel {
  let facts: ViewContext
  /// Columns.
  var width: Int

  /// `24h at the backend`: the window of the table, and whose it is.
  var trailing: PlainText {
    guard let latency else { return "" }
    return PlainText("\(latency.hours)h at the backend")
  }

  private var latency: ReplyLatency? {
    (facts.stats?.stats?.performance).flatMap(ReplyLatency.init)
  }

  var rows: [CommandRow] { table + counts }

  private var table: [CommandRow] {
    guard let latency else { return CommandRow.note(nothing, width: width, limit: 3) }
    var rows = [heading, row(.total, latency), row(.processing, latency)]
    if latency.hasPhases {
      rows += ReplyLatency.Phase.parts.map { row($0, latency) }
    } else {
      rows += CommandRow.note("This backend does not tell the phases apart.", width: width)
    }
    let isFew = ReplyLatency.Phase.allCases.contains(where: latency.isFew)
    let few =
      isFew ? "~ fewer than \(ReplyLatency.few): a p95 is the slowest or nearly so. " : ""
    return rows
      + CommandRow.note(
        PlainText(few) + (latency.counted.map { $0 + ", all in the figures; a" } ?? "A")
          + " phase that did not happen counts as 0.", width: width, limit: 4
      )
  }

  /// Why there is no table.
  private var nothing: PlainText {
    guard let envelope = facts.stats else { return "Reply latency is not known yet." }
    guard envelope.stats != nil, let name = facts.scopeName else {
      return envelope.stats == nil && !facts.scope.isAll
        ? "Not known." : "This backend does not serve reply latency."
    }
    return "This backend does not serve reply latency of " + name + "."
  }

  // MARK: The table

  private static let columns = 7
  /// Without the mean where it does not fit.
  private var hasMean: Bool { width >= CommandRow.labelWidth + 4 * (Self.columns + 1) }

  private func cell(_ text: PlainText, _ role: Role = .number) -> VoiceLine.Span {
    .init(text: text.leftPadded(to: Self.columns), role: role)
  }

  private var heading: CommandRow {
    let words: [PlainText] = hasMean ? ["p50", "p95", "avg", "n"] : ["p50", "p95", "n"]
    return CommandRow(
      [.label(PlainText("").padded(to: CommandRow.labelWidth))] + words.map { cell($0, .muted) })
  }

  private func row(_ phase: ReplyLatency.Phase, _ latency: ReplyLatency) -> CommandRow {
    let metric = latency[phase]
    var spans = [
      VoiceLine.Span(
        text: phase.title.padded(to: CommandRow.labelWidth),
        role: phase == .total || phase == .processing ? .heading : .muted),
      cell(duration(metric.p50Ms.map(Double.init))), cell(duration(metric.p95Ms.map(Double.init))),
    ]
    if hasMean { spans.append(cell(duration(metric.avgMs))) }
    let isFew = latency.isFew(phase)
    spans.append(
      cell((isFew ? "~" : "") + Figures.count(metric.count), isFew ? .warning : .number))
    return CommandRow(spans, item: behind(phase))
  }

  private func duration(_ ms: Double?) -> PlainText { Figures.duration(ms: ms) }

  /// The rows behind a phase, as far as any are here.
  private func behind(_ phase: ReplyLatency.Phase) -> CommandItem {
    guard hasRows else {
      return .figure(
        RowsBehind(
          none: "the bot's own figures of " + PlainText(phase.member, limit: 20)
            + " in 24 hours; no row of them is here"))
    }
    return .rows(
      "kind:" + ReplyLatency.kinds.sorted().joined(separator: "|")
        + " meta.performance.\(phase.member)>=0 since:"
        + facts.clock.queryZone.text(ms: facts.minuteMs - WindowCounts.day),
      remark: "the bot's own figures of 24 hours; these are the rows of it that are here")
  }

  private var hasRows: Bool {
    let log = facts.activity.log
    let labels = facts.scope.isAll ? log.labels() : log.labels(in: facts.windowCounts)
    return labels.contains { ReplyLatency.kinds.contains($0.label.kind) }
  }

  // MARK: Counts

  private static let figures: [(title: PlainText, group: ChipGroup, role: Role)] = [
    ("ACTIONS", .all, .number), ("VOICE", .voice, .voice), ("LLM", .llm, .llm),
    ("ERRORS", .error, .negative), ("TOOLS", .tool, .tool), ("MEMORY", .memory, .memory),
  ]

  /// The counts of 24 hours, of the rows here: a shorter window stands beside its figure.
  private var counts: [CommandRow] {
    let counts = facts.windowCounts
    let heading = CommandRow([
      .init(text: "COUNTS 24 H", role: .heading), .label("of the rows here"),
    ])
    guard facts.hasActivity else {
      return [heading, CommandRow([.label("not known yet")])]
    }
    let columns = max(1, min(3, width / 22))
    let cell = width / columns
    var rows: [CommandRow] = []
    for start in stride(from: 0, to: Self.figures.count, by: columns) {
      let figures = Self.figures[start..<min(start + columns, Self.figures.count)]
      var row = CommandRow()
      for (place, figure) in figures.enumerated() {
        let begin = counts.beginMs(figure.group)
        let window: PlainText = counts.isWhole(figure.group) ? "" : facts.window(begin)
        let value =
          (begin == nil ? "-" : Figures.count(counts.count(figure.group))) + window
        let role: Role =
          figure.group == .error && counts.count(.error) == 0 ? .positive : figure.role
        row.line.spans += [
          .label(figure.title.padded(to: 8)),
          .init(text: value.padded(to: max(value.columns, cell - 10)), role: role),
        ]
        guard let begin, begin > 0 else { continue }
        let query =
          (figure.group == .all ? "" : "chip:\(figure.group.name) ") + "since:"
          + facts.clock.queryZone.text(ms: begin)
        if columns == 1 {
          row.item = .rows(query)
        } else {
          row.parts.append(
            .init(
              columns: place * cell..<(place + 1) * cell - 1, behind: RowsBehind(query)))
        }
      }
      rows.append(row)
    }
    return [heading] + rows
  }
}
