import CockpitAnswers
import CockpitPanes
import CockpitText
import TerminalCore
import TerminalUI

/// Everything that is wrong, the worst first, and below it what was wrong within the last hour. Enter shows the
/// rows of one.
struct TriageList: Overlay, Hashable {
  private var chosen: TriageTrouble.ID?
  private var line = 0
  private var first = 0

  init() {}

  var title: PlainText { "triage" }
  var keyLine: PlainText {
    "Enter shows its rows  a ack  z snooze 1h  m mute  j k choose  Esc closes"
  }

  // MARK: Keys

  mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    if case .command(.triage) = facts.keys.match([press]) { return .close }
    if let step = press.listStep {
      move(by: step, facts)
      return .stay
    }
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return .close
    case (.enter, []): return open(line, facts)
    case (.char("a"), []):
      return silence(facts) { .acknowledge($0.id) }
    case (.char("z"), []):
      return silence(facts) { .snooze(rule: $0.rule, ms: 3_600_000) }
    case (.char("m"), []):
      return silence(facts) {
        let isSilent = facts.silences.reason($0, nowMs: facts.nowMs) != nil
        return isSilent ? .unmute(rule: $0.rule) : .mute(rule: $0.rule)
      }
    default: break
    }
    return .stay
  }

  /// Something about the chosen trouble, while it lasts.
  @MainActor private func silence(
    _ facts: ViewContext, _ wish: (TriageTrouble) -> AlarmWish
  ) -> LayerOutcome {
    guard let trouble = facts.triage.open[safe: line] else { return .stay }
    return .effects([.alarm(wish(trouble))])
  }

  mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard item == line else {
      line = item
      chosen = Self.troubles(facts.triage)[safe: item]?.id
      return .stay
    }
    return open(item, facts)
  }

  mutating func wheel(_ lines: Int, on facts: ViewContext) { move(by: lines.signum(), facts) }

  @MainActor private mutating func move(by step: Int, _ facts: ViewContext) {
    let troubles = Self.troubles(facts.triage)
    line = max(0, min(troubles.count - 1, line + step))
    chosen = troubles[safe: line]?.id
  }

  @MainActor private func open(_ index: Int, _ facts: ViewContext) -> LayerOutcome {
    guard let trouble = Self.troubles(facts.triage)[safe: index] else { return .close }
    switch trouble.answer.next?.target {
    case .filter(let query): return .done([.rows(query)])
    case .line(let line): return .done([.line(line, isWhole: true)])
    case .row(let row): return .done([.show(row: row)])
    case nil: break
    }
    guard let row = trouble.answer.evidence.lazy.compactMap(\.rowID).first else { return .stay }
    return .done([.show(row: row)])
  }

  /// A new report moves troubles: the cursor stays on the chosen one.
  mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    let troubles = Self.troubles(facts.triage)
    if let chosen, let place = troubles.firstIndex(where: { $0.id == chosen }) { line = place }
    line = max(0, min(troubles.count - 1, line))
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    let rows = rows(facts, width: Self.width(in: body) - 4)
    let room = max(1, min(body.height, rows.count + 2) - 2)
    let own = rows.indices.filter { rows[$0].item == line }
    if let last = own.last, last >= first + room { first = last - room + 1 }
    if let begin = own.first, begin < first { first = begin }
    // With the first trouble its heading is seen.
    if line == 0 { first = 0 }
    first = max(0, min(first, rows.count - room))
  }

  // MARK: Drawing

  private struct Row {
    var text: PlainText
    var role: Role
    /// At the right end.
    var right: PlainText = ""
    /// Which trouble it is of; nil for headings.
    var item: Int?
    var isBold = false
  }

  private static func troubles(_ report: TriageReport) -> [TriageTrouble] {
    report.open + report.over
  }

  private static func width(in body: Rect) -> Int { min(body.width, 110) }

  @MainActor private func rows(_ facts: ViewContext, width: Int) -> [Row] {
    let (report, clock) = (facts.triage, facts.clock)
    var rows: [Row] = []
    if report.open.isEmpty {
      let words = TriageText(report, clock: clock).status
      rows += words.wrapped(to: width, limit: Self.maxRows).map { Row(text: $0, role: .text) }
    }
    for (index, trouble) in report.open.enumerated() {
      let times: PlainText =
        "since " + clock.time(ms: trouble.sinceMs) + (trouble.mayBeOlder ? " or before" : "")
        + (trouble.count > 1 ? ", " + Figures.count(trouble.count) + "x" : "")
        + (facts.silences.reason(trouble, nowMs: facts.nowMs).map { PlainText("  \($0)") } ?? "")
      let mark: PlainText =
        trouble.level == .critical ? "! " : trouble.level == .warning ? "~ " : "  "
      rows += entry(
        mark, PlainText(trouble.answer.sentence, limit: 400), TriageText.role(trouble.level),
        times, index, width)
      if let next = trouble.answer.next {
        rows += PlainText(next.sentence, limit: 400).wrapped(
          to: max(8, width - 4), limit: Self.maxRows
        ).map {
          Row(text: "    " + $0, role: .text, item: index)
        }
      }
    }
    guard !report.over.isEmpty else { return rows }
    if !rows.isEmpty { rows.append(Row(text: "", role: .text)) }
    rows.append(Row(text: "over in the last hour", role: .heading, isBold: true))
    for (index, trouble) in report.over.enumerated() {
      let end = trouble.endedMs.map { clock.time(ms: $0) } ?? "-"
      let times = clock.time(ms: trouble.sinceMs) + " to " + end
      rows += entry(
        "  ", PlainText(trouble.recovery, limit: 200), .muted, times, report.open.count + index,
        width)
    }
    return rows
  }

  /// More rows than the longest sentence has on the narrowest screen.
  private static let maxRows = 16

  /// A sentence in as many rows as it needs: what is wrong, and what to do, are never cut.
  ///
  /// - Parameters:
  ///   - mark: its level, before the first row.
  ///   - right: its times, at the right end of the first row, or in a row of their own below a screen's width
  ///     that has room for both.
  private func entry(
    _ mark: PlainText, _ text: PlainText, _ role: Role, _ right: PlainText, _ item: Int,
    _ width: Int
  ) -> [Row] {
    let isBeside = width - right.columns >= 2 * right.columns
    let room = max(8, width - mark.columns - (isBeside ? right.columns + 2 : 0))
    let indent = PlainText("").padded(to: mark.columns)
    let rows = text.wrapped(to: room, limit: Self.maxRows).enumerated().map { index, part in
      Row(
        text: (index == 0 ? mark : indent) + part, role: role,
        right: isBeside && index == 0 ? right : "", item: item)
    }
    return isBeside ? rows : rows + [Row(text: indent + right, role: .muted, item: item)]
  }

  func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let width = Self.width(in: body)
    let rows = rows(facts, width: width - 4)
    let height = min(body.height, rows.count + 2)
    let area = Rect(
      x: body.x + (body.width - width) / 2, y: body.maxY - height, width: width, height: height)
    frame.canvas.clear(area)
    let open = facts.triage.open.count
    let trailing: PlainText = open == 1 ? "1 trouble" : PlainText("\(open) troubles")
    let asOf: PlainText = facts.triage.asOfMs.map { " as of " + facts.clock.time(ms: $0) } ?? ""
    let title = frame.owned(self.title)
    frame.canvas.panel(title, trailing: trailing + asOf, in: area, isFocused: true) { _ in }
    for (offset, row) in rows.dropFirst(first).prefix(max(0, height - 2)).enumerated() {
      let place = Rect(x: area.x + 1, y: area.y + 1 + offset, width: width - 2, height: 1)
      if let item = row.item { frame.mark(place, .overlay(item)) }
      frame.canvas.inside(place) { canvas in
        let back: Role? = row.item == line && row.item != nil ? .selection : nil
        if back != nil { canvas.fill(canvas.bounds, background: back) }
        canvas.write(
          row.text, x: 1, role: row.role, attributes: row.isBold ? .bold : [], background: back)
        let x = place.width - 1 - row.right.columns
        canvas.write(row.right, x: max(1, x), role: .muted, background: back)
      }
    }
  }
}

extension Array {
  subscript(safe index: Int) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}
