import CockpitAnswers
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

extension CompareCard {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let page = page(facts, in: body)
    let area = page.area
    frame.canvas.clear(area)
    let lines = lines(facts)
    let shown = lines.indices.dropFirst(first).prefix(page.room)
    let place: PlainText =
      lines.count > page.room
      ? PlainText("\(first + 1)-\(first + shown.count)/\(lines.count)") : ""
    frame.canvas.panel(title, trailing: place, in: area, isFocused: true) { canvas in
      canvas.inside(Rect(x: 1, width: max(0, area.width - 4), height: max(0, area.height - 2))) {
        draw(page, lines, shown, facts, into: &$0)
      }
    }
    for (y, line) in shown.enumerated() {
      frame.mark(
        Rect(x: area.x + 1, y: area.y + 2 + page.head.count + y, width: area.width - 2, height: 1),
        .overlay(line))
    }
  }

  @MainActor private func draw(
    _ page: Page, _ lines: [Line], _ shown: Range<Int>.SubSequence, _ facts: ViewContext,
    into canvas: inout Canvas
  ) {
    for (y, line) in page.head.enumerated() {
      let isSentence = y < page.sentence
      canvas.write(
        line, x: 0, y: y, role: isSentence ? .text : .muted,
        attributes: isSentence ? .bold : [])
    }
    guard let comparison = facts.compare?.comparison else { return }
    let columns = Columns(canvas.bounds.width)
    let top = page.head.count
    for (text, x) in [
      ("figure", columns.title), ("A", columns.a), ("B", columns.b),
      ("B against A", columns.difference), ("verdict", columns.verdict),
    ] as [(PlainText, Int)] { canvas.write(text, x: x, y: top, role: .key) }
    if let sparks = columns.sparks {
      canvas.write("A", x: sparks.a, y: top, role: .key)
      canvas.write("B", x: sparks.b, y: top, role: .key)
    }
    for (y, index) in shown.enumerated() {
      draw(
        lines[index], isSelected: index == cursor, y: top + 1 + y, comparison, facts, columns,
        &canvas)
    }
    let foot = canvas.bounds.height - Self.footRows
    for (y, line) in page.foot.enumerated() {
      canvas.write(line, x: 0, y: foot + y, role: .muted)
    }
  }

  @MainActor private func draw(
    _ line: Line, isSelected: Bool, y: Int, _ comparison: Comparison, _ facts: ViewContext,
    _ columns: Columns, _ canvas: inout Canvas
  ) {
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      canvas.placeCursor(y: y)
      canvas.fill(Rect(y: y, width: canvas.bounds.width, height: 1), background: back)
      canvas.write(">", x: 0, y: y, role: .focus, background: back)
    }
    switch line {
    case .heading(let text):
      canvas.write(text, x: 0, y: y, role: .key, attributes: .bold, background: back)
    case .figure(let index):
      draw(comparison.figures[index], isSelected: isSelected, y: y, columns, &canvas)
    case .share(let index):
      let share = comparison.shares[index]
      draw(
        share.name,
        [CompareText.count(share.a, share.ofA), CompareText.count(share.b, share.ofB)],
        share.difference, isSelected: isSelected, y: y, columns, &canvas)
    case .incident(let index):
      let rate = comparison.incidents[index]
      draw(
        rate.rule,
        [CompareText.rate(rate.a, rate.turnsA), CompareText.rate(rate.b, rate.turnsB)],
        rate.difference, isSelected: isSelected, y: y, columns, &canvas)
    case .change(let index):
      canvas.write(
        CompareText.line(comparison.changes[index], facts.clock)
          .cut(to: canvas.bounds.width - columns.title),
        x: columns.title, y: y, role: .text, background: back)
    }
  }

  /// A line below the figures: a name, the values of both sides, and how they differ.
  @MainActor private func draw(
    _ name: String, _ values: [PlainText], _ difference: Comparison.Difference?, isSelected: Bool,
    y: Int, _ columns: Columns, _ canvas: inout Canvas
  ) {
    let back: Role? = isSelected ? .selection : nil
    canvas.write(
      PlainText(name, limit: 80).cut(to: columns.a - columns.title - 1), x: columns.title, y: y,
      role: .text, background: back)
    for (value, x) in zip(values, [columns.a, columns.b]) {
      canvas.write(value.cut(to: columns.value), x: x, y: y, role: .muted, background: back)
    }
    canvas.write(
      CompareText.difference(difference, isShort: !columns.isWide).cut(to: columns.differenceWidth),
      x: columns.difference, y: y, role: .muted, background: back)
  }

  @MainActor private func draw(
    _ figure: Comparison.Figure, isSelected: Bool, y: Int, _ columns: Columns,
    _ canvas: inout Canvas
  ) {
    let back: Role? = isSelected ? .selection : nil
    let role: Role =
      switch figure.verdict {
      case .worse: .negative
      case .better: .positive
      case .same: .text
      case .tooLittle: .muted
      }
    canvas.write(
      PlainText(figure.title).cut(to: columns.a - columns.title - 1), x: columns.title, y: y,
      role: role, attributes: figure.verdict == .worse ? .bold : [], background: back)
    for (value, x, isFirst) in [(figure.a, columns.a, true), (figure.b, columns.b, false)] {
      let isChosen = isSelected && isFirst == isOnFirst
      canvas.write(
        CompareText.value(value, figure.unit, isShort: !columns.isWide).cut(to: columns.value),
        x: x, y: y, role: isChosen ? .focus : value.value == nil ? .muted : .text,
        attributes: isChosen ? .underline : [], background: back)
    }
    if let sparks = columns.sparks {
      let peak = (figure.a.trend + figure.b.trend).compactMap { $0 }.max() ?? 0
      for (trend, x) in [(figure.a.trend, sparks.a), (figure.b.trend, sparks.b)] {
        spark(trend, peak: peak, x: x, y: y, width: columns.sparkWidth, back, &canvas)
      }
    }
    canvas.write(
      CompareText.difference(figure.difference, isShort: !columns.isWide)
        .cut(to: columns.differenceWidth),
      x: columns.difference, y: y, role: .text, background: back)
    canvas.write(
      columns.sparks == nil ? Self.short(figure) : PlainText(figure.words), x: columns.verdict,
      y: y, role: role, background: back)
  }

  /// The verdict in ten columns; what is only perhaps so has a question mark.
  private static func short(_ figure: Comparison.Figure) -> PlainText {
    switch figure.verdict {
    case .worse, .better:
      PlainText(figure.verdict.rawValue) + (figure.isAlone ? "?" : "")
    case .same: "none shown"
    case .tooLittle: "too little"
    }
  }

  /// Both sides on one scale.
  private func spark(
    _ trend: [Double?], peak: Double, x: Int, y: Int, width: Int, _ back: Role?,
    _ canvas: inout Canvas
  ) {
    guard !trend.isEmpty, peak > 0 else { return }
    let count = min(width, trend.count)
    for column in 0..<count {
      let part = trend[
        column * trend.count
          / count..<max(column * trend.count / count + 1, (column + 1) * trend.count / count)]
      let known = part.compactMap { $0 }
      guard !known.isEmpty else { continue }
      let mean = known.reduce(0, +) / Double(known.count)
      let level = mean <= 0 ? 0 : max(1, Int((mean / peak * 8).rounded()))
      canvas.symbol(
        .spark(level), x: x + column, y: y, role: level == 0 ? .faint : .info, background: back)
    }
  }
}

extension CockpitShell {
  /// Compares what is selected: on the session of CMD, on ranges between marks of PULSE, else the last hour; with
  /// the same hours before where there is one side only.
  @MainActor mutating func openCompare(_ facts: ViewContext) -> [Effect] {
    var windows: [CompareWindow] = []
    switch tab {
    case .pulse: windows = pulse.markedRanges.suffix(2).map { CompareWindow(.range($0)) }
    case .cmd:
      if let id = command.selectedSession(facts) { windows = [CompareWindow(.session(id))] }
    case .voice, .brain, .memory: break
    }
    if windows.isEmpty { windows = [CompareWindow(.last(ms: 3_600_000))] }
    if windows.count == 1 { windows.insert(CompareWindow(.sameHoursBefore), at: 0) }
    layers.push(CompareCard())
    return [.compare(.load(windows[0], windows[1]))]
  }
}
