import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The model calls of the feed: time, model, tools, tokens, cached tokens, cost. A call has no
/// duration on the wire (contract 4.5), so there is no column for it.
struct CallsPanel {
  let lines: [BrainCallLine]
  let order: LlmCallOrder
  let isGrouped: Bool
  let closedModels: Set<String?>
  /// The selected line, nil if none is; and the one at the top.
  let selected: Int?
  let top: Int
  let hasFocus: Bool

  /// The columns that fit, most useful first.
  private struct Columns {
    var time = ClockFormat.Style.clock.columns
    var model = 0
    var tokens = false
    var cost = false
    var cache = false
    var tools = false
    var source = 0

    /// - Parameter hasDates: whether some calls need their date beside the time.
    init(width: Int, isGrouped: Bool, hasDates: Bool) {
      if hasDates, width >= 36 { time = ClockFormat.rowColumns(.clock) }
      var rest = width - 2 - time - (isGrouped ? 2 : 0)
      func take(_ columns: Int, _ keep: Int) -> Bool {
        guard rest - columns >= keep else { return false }
        rest -= columns
        return true
      }
      tokens = take(10, 8)
      cost = take(8, 8)
      cache = take(5, 9)
      tools = take(4, 9)
      model = min(rest, 22)
      if rest - model >= 8 {
        source = rest - model - 1
      } else {
        model = rest
      }
    }
  }

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    let calls = facts.calls.calls(in: facts.activity.log, by: .time).count
    let more = facts.calls.isComplete ? "" : "+"
    let count: PlainText = facts.hasActivity ? " " + Figures.count(calls) + PlainText(more) : ""
    var trailing: PlainText =
      isGrouped ? "grouped by model" : "sort \(PlainText(order.rawValue))"
    var title = "llm calls" + count
    let since = since(facts)
    // Frame and gaps take eight columns, the number of a panel that is alone four.
    let room = layout.calls.width - (layout.isSingle ? 12 : 8)
    // A count without its window would look like the day's; the default order needs no label.
    if !isGrouped, order == .time,
      title.columns + since.columns + trailing.columns > room
    {
      trailing = ""
    }
    if title.columns + since.columns + trailing.columns <= room { title += since }
    let area = layout.draw(
      .calls, title, trailing: trailing, hasFocus: hasFocus,
      behind: (calls == 0 ? nil : behind(facts), nil), into: &frame)
    guard !area.isEmpty else { return }
    let header = layout.calls
    let mark = Rect(
      x: header.maxX - trailing.columns - 3, y: header.y, width: trailing.columns + 2, height: 1)
    if !layout.isSingle, !trailing.isEmpty { frame.mark(mark, .brain(.order)) }
    guard !lines.isEmpty else {
      frame.canvas.inside(area) { canvas in
        let text: PlainText =
          facts.isUnheard
          ? facts.whyNothingCame + " Calls of the model stand here."
          : facts.reach(of: LlmCallTable.kinds).map {
            $0.isEmpty ? "no model call" : "no model call " + $0
          }
            ?? "no model call in the rows here"
        for (y, line) in text.wrapped(to: area.width).enumerated() {
          canvas.write(line, y: y, role: .muted)
        }
      }
      return
    }
    let hasDates = lines.dropFirst(top).prefix(area.height).contains { line in
      if case .call(let call) = line {
        !ClockFormat.isNear(call.timeMs, facts.minuteMs)
      } else {
        false
      }
    }
    let columns = Columns(width: area.width, isGrouped: isGrouped, hasDates: hasDates)
    for (offset, line) in lines.dropFirst(top).prefix(area.height).enumerated() {
      let row = Rect(x: area.x - 1, y: area.y + offset, width: area.width + 1, height: 1)
      frame.mark(row, .brain(.call(line.id)))
      let isSelected = top + offset == selected
      frame.canvas.inside(row) { canvas in
        switch line {
        case .model(let group): draw(group, isSelected: isSelected, into: &canvas)
        case .call(let call):
          draw(call, columns, isSelected: isSelected, facts, into: &canvas)
        }
      }
    }
  }

  /// ` since 10:46`: from when on the calls are all there were; empty without a row.
  @MainActor private func since(_ facts: ViewContext) -> PlainText {
    let log = facts.activity.log
    guard log.count > 0 else { return "" }
    let first = log.row(at: log.count - 1).timeMs
    let begin = facts.coverageBegin(kinds: LlmCallTable.kinds) ?? first
    var oldest = max(first, begin)
    let calls = facts.calls.calls(in: log, by: .time)
    // Older ones are in PULSE alone.
    if calls.count >= LlmCallTable.limit, let last = calls.last {
      oldest = max(oldest, last.timeMs)
    }
    return " since " + facts.clock.shortTime(ms: oldest, now: facts.minuteMs)
  }

  /// The rows of the calls that are counted.
  @MainActor private func behind(_ facts: ViewContext) -> RowsBehind {
    let calls = facts.calls.calls(in: facts.activity.log, by: .time)
    let kinds = "kind:" + LlmCallTable.kinds.sorted().joined(separator: "|")
    guard calls.count >= LlmCallTable.limit, let last = calls.last else { return RowsBehind(kinds) }
    return RowsBehind(kinds + " since:" + facts.clock.queryZone.text(ms: last.timeMs))
  }

  private func background(_ isSelected: Bool, _ canvas: inout Canvas) -> Role? {
    guard isSelected else { return nil }
    if hasFocus { canvas.placeCursor() }
    canvas.fill(canvas.bounds, background: .selection)
    canvas.write(">", role: .focus, attributes: .bold, background: .selection)
    return .selection
  }

  @MainActor private func draw(
    _ call: LlmCall, _ columns: Columns, isSelected: Bool, _ facts: ViewContext,
    into canvas: inout Canvas
  ) {
    let back = background(isSelected, &canvas)
    if !isSelected {
      if call.kind == .error {
        canvas.write("!", role: .negative, attributes: .bold)
      } else {
        canvas.symbol(.accent, x: 0, y: 0, role: call.kind == .toolCall ? .tool : .llm)
      }
    }
    var x = isGrouped ? 3 : 1
    let time = facts.clock.rowTime(ms: call.timeMs, now: facts.minuteMs, columns: columns.time)
    canvas.write(time, x: x, role: .muted, background: back)
    x += columns.time + 1
    let model = PlainText((call.model ?? "-").without(prefix: "claude-"), limit: 60)
    canvas.write(model.cut(to: columns.model), x: x, role: .heading, background: back)
    x += columns.model + 1
    if let failure = call.failure {
      let room = canvas.bounds.width - x
      canvas.write(
        ("ERR " + PlainText(failure, limit: 200)).cut(to: max(0, room)), x: x, role: .negative,
        background: back)
      return
    }
    if columns.source > 0 {
      canvas.write(
        PlainText(call.source ?? "-", limit: 60).cut(to: columns.source), x: x, role: .muted,
        background: back)
      x += columns.source + 1
    }
    if columns.tools {
      let count = call.toolCount ?? (call.tools.isEmpty ? nil : call.tools.count)
      canvas.write(
        (count.map { PlainText("\(min($0, 99))t") } ?? "-").leftPadded(to: 3), x: x,
        role: (count ?? 0) > 0 ? .tool : .faint, background: back)
      x += 4
    }
    if columns.tokens {
      let known = call.tokens != nil
      let text =
        known
        ? Figures.short(call.inputTokens.map(Double.init)) + ">"
          + Figures.short(call.outputTokens.map(Double.init)) : "-"
      canvas.write(
        text.leftPadded(to: 9), x: x, role: known ? .number : .faint, background: back)
      x += 10
    }
    if columns.cache {
      let share = Figures.percent(call.cacheShare)
      canvas.write(
        share.leftPadded(to: 4), x: x, role: call.cacheShare == nil ? .faint : .info,
        background: back)
      x += 5
    }
    if columns.cost {
      canvas.write(
        Figures.cost(call.costUSD).leftPadded(to: 7), x: x,
        role: call.costUSD == nil ? .faint : .cost, background: back)
    }
  }

  private func draw(_ group: LlmModelGroup, isSelected: Bool, into canvas: inout Canvas) {
    let back = background(isSelected, &canvas)
    let isClosed = closedModels.contains(group.model)
    canvas.symbol(isClosed ? .folded : .unfolded, x: 1, y: 0, role: .focus, background: back)
    var right = Figures.cost(group.costUSD).leftPadded(to: 8)
    if group.inputTokens != nil || group.outputTokens != nil {
      right =
        Figures.short(group.inputTokens.map(Double.init)) + ">"
        + Figures.short(group.outputTokens.map(Double.init)) + " "
        + Figures.percent(group.cacheShare).leftPadded(to: 4) + right
    }
    var name =
      PlainText((group.model ?? "no model named").without(prefix: "claude-"), limit: 60)
      + "  \(group.calls.count)"
    if group.failures > 0 { name += "  !\(group.failures)" }
    canvas.write(
      name.cut(to: max(4, canvas.bounds.width - right.columns - 4)), x: 3, role: .heading,
      attributes: .bold, background: back)
    canvas.writeRight(right, role: .number, background: back)
  }
}
