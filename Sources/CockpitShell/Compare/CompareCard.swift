import CockpitAnswers
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Two windows side by side: a figure a line, then shares and changes. Enter shows the rows behind a number.
package struct CompareCard: Overlay {
  /// The selected line, by its place among all.
  private var cursor = 0
  private var first = 0
  private var room = 1
  /// Whether the number of the first side is selected, else that of the other.
  private var isOnFirst = false

  package init() {}

  package var title: PlainText { "compare" }

  package var keyLine: PlainText {
    "j k move  h l side  Enter shows the rows  Tab swaps  y copies  Esc closes"
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    let count = lines(facts).count
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return Self.closed
    case (.down, []), (.char("j"), []): move(1, count)
    case (.up, []), (.char("k"), []): move(-1, count)
    case (.pageDown, _), (.char("d"), .ctrl), (.char(" "), []): move(room, count)
    case (.pageUp, _), (.char("u"), .ctrl): move(-room, count)
    case (.char("g"), []), (.home, []): move(-count, count)
    case (.char("G"), _), (.end, []): move(count, count)
    case (.char("h"), []), (.left, []): isOnFirst = true
    case (.char("l"), []), (.right, []): isOnFirst = false
    case (.tab, _): return .effects([.compare(.swap)])
    case (.enter, []): return open(facts)
    case (.char("y"), []): return copy(facts)
    default:
      if case .command(.compare) = facts.keys.match([press]) { return Self.closed }
    }
    return .stay
  }

  private static var closed: LayerOutcome { .done([.compare(.stop)]) }

  private mutating func move(_ steps: Int, _ count: Int) {
    cursor = min(max(0, cursor + steps), max(0, count - 1))
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    if item == cursor { return open(facts) }
    cursor = item
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    move(lines.signum(), self.lines(facts).count)
  }

  /// Shows the rows behind the selected number: here where any of them is here, else in the past.
  @MainActor private func open(_ facts: ViewContext) -> LayerOutcome {
    guard let evidence = evidence(facts) else { return .stay }
    guard let newest = evidence.max(by: { ($0.timeMs ?? 0) < ($1.timeMs ?? 0) }) else {
      return .effects([.say("no row stands behind this number")])
    }
    let log = facts.activity.log
    let rows = evidence.map { item in
      item.actionID.flatMap { id in
        log.rowID(actionID: id).flatMap { row in
          // Ids start anew with a replaced log.
          log.row(row)?.timeMs == item.timeMs ? row : nil
        }
      }
    }
    if rows.contains(where: { $0 != nil }) {
      let behind = RowsBehind(Array(rows.suffix(Self.rowLimit)), "rows")
      return .done(behind.effects(facts) + [.compare(.stop)])
    }
    let request: ReplayRequest =
      if facts.replay == nil, let id = newest.actionID {
        .seekRow(id: id)
      } else {
        .seek(ms: newest.timeMs ?? facts.nowMs)
      }
    return .done([.replay(request), .compare(.stop)])
  }

  /// A filter names so many rows at most.
  private static let rowLimit = 200

  /// nil where the line has no number.
  @MainActor private func evidence(_ facts: ViewContext) -> [Answer.Evidence]? {
    guard let comparison = facts.compare?.comparison, let line = lines(facts)[safe: cursor] else {
      return nil
    }
    switch line {
    case .figure(let index):
      let figure = comparison.figures[index]
      return isOnFirst ? figure.a.evidence : figure.b.evidence
    case .change(let index): return [comparison.changes[index].evidence]
    case .share, .heading: return nil
    }
  }

  @MainActor private func copy(_ facts: ViewContext) -> LayerOutcome {
    guard let comparison = facts.compare?.comparison else { return .stay }
    let text = CompareText(comparison, clock: facts.clock).lines(width: 100)
      .map(\.description).joined(separator: "\n")
    return .effects([.copy(text: text, what: "the comparison, as text")])
  }

  // MARK: Layout

  private enum Line {
    case figure(Int)
    case heading(PlainText)
    case share(Int)
    case change(Int)
  }

  /// Everything below the head: figures, shares by topic, changes.
  @MainActor private func lines(_ facts: ViewContext) -> [Line] {
    guard let comparison = facts.compare?.comparison else { return [] }
    var lines = comparison.figures.indices.map { Line.figure($0) }
    for topic in Comparison.Share.Topic.allCases {
      let places = comparison.shares.indices.filter { comparison.shares[$0].topic == topic }
        .prefix(Self.shareLimit)
      guard !places.isEmpty else { continue }
      lines.append(.heading(CompareText.title(topic)))
      lines += places.map { .share($0) }
    }
    if !comparison.changes.isEmpty {
      lines.append(.heading("changed meanwhile"))
      lines += comparison.changes.indices.suffix(12).map { .change($0) }
    }
    return lines
  }

  private static let shareLimit = 6

  /// The columns of the table.
  private struct Columns {
    var title = 2
    var a: Int
    var b: Int
    /// Where the sparks begin; nil without room for them.
    var sparks: (a: Int, b: Int)?
    var difference: Int
    var verdict: Int
    /// Whether intervals are written.
    var isWide: Bool

    init(_ width: Int) {
      isWide = width >= 170
      if isWide {
        (a, b, sparks, difference, verdict) = (28, 62, (96, 114), 132, 160)
      } else if width >= 112 {
        (a, b, sparks, difference, verdict) = (29, 42, (55, 64), 73, 95)
      } else {
        (a, b, sparks, difference, verdict) = (24, 36, nil, 48, 66)
      }
    }

    var sparkWidth: Int { isWide ? 16 : 8 }
    /// Room of a value.
    var value: Int { b - a - 1 }
    var differenceWidth: Int { verdict - difference - 1 }
  }

  private struct Page {
    var head: [PlainText]
    /// How many rows of the head are the sentence.
    var sentence: Int
    var area: Rect
    var room: Int
    /// What the selected line says besides, at the foot.
    var foot: [PlainText]
  }

  private static func width(in body: Rect) -> Int { min(body.width, 184) }
  private static let footRows = 2

  @MainActor private func page(_ facts: ViewContext, in body: Rect) -> Page {
    let width = Self.width(in: body)
    let inner = max(1, width - 4)
    var head: [PlainText] = []
    var sentence = 0
    switch facts.compare?.phase {
    case .ready(let sides):
      let text = CompareText(sides.comparison, clock: facts.clock)
      head = PlainText(sides.comparison.answer.sentence, limit: 2000)
        .wrapped(to: inner, limit: body.height < 30 ? 3 : 5)
      sentence = head.count
      head.append(("A: " + text.about(sides.comparison.a)).cut(to: inner))
      head.append(("B: " + text.about(sides.comparison.b)).cut(to: inner))
    case .loading(let words):
      head = words.wrapped(to: inner, limit: 2)
      sentence = head.count
    case .failed(let words):
      head = words.wrapped(to: inner, limit: 4)
      sentence = head.count
    case nil: head = ["nothing was asked for yet"]
    }
    let count = lines(facts).count
    // The row of column names, and the foot.
    let fixed = head.count + (count == 0 ? 2 : 3 + Self.footRows)
    let height = min(body.height, fixed + count)
    let area = Rect(x: body.maxX - width, y: body.y, width: width, height: height)
    return Page(
      head: head, sentence: sentence, area: area, room: max(1, height - fixed),
      foot: foot(facts, inner))
  }

  @MainActor private func foot(_ facts: ViewContext, _ width: Int) -> [PlainText] {
    guard let comparison = facts.compare?.comparison, let line = lines(facts)[safe: cursor],
      case .figure(let index) = line
    else { return [] }
    let figure = comparison.figures[index]
    if let remark = figure.remark {
      return PlainText(remark, limit: 300).wrapped(to: width, limit: Self.footRows)
    }
    let text =
      "A " + CompareText.value(figure.a, figure.unit) + ", B "
      + CompareText.value(figure.b, figure.unit) + " " + PlainText(figure.things)
    return text.wrapped(to: width, limit: Self.footRows)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    room = page(facts, in: body).room
    let count = lines(facts).count
    cursor = min(max(0, cursor), max(0, count - 1))
    first = min(max(min(first, cursor), cursor - room + 1), max(0, count - room))
  }

  // MARK: Drawing

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
      canvas.write(
        PlainText(share.name, limit: 80).cut(to: columns.a - columns.title - 1), x: columns.title,
        y: y, role: .text, background: back)
      for (count, all, x) in [(share.a, share.ofA, columns.a), (share.b, share.ofB, columns.b)] {
        canvas.write(
          CompareText.count(count, all).cut(to: columns.value), x: x, y: y, role: .muted,
          background: back)
      }
      canvas.write(
        CompareText.difference(share.difference, isShort: !columns.isWide)
          .cut(to: columns.differenceWidth),
        x: columns.difference, y: y, role: .muted, background: back)
    case .change(let index):
      canvas.write(
        CompareText.line(comparison.changes[index], facts.clock)
          .cut(to: canvas.bounds.width - columns.title),
        x: columns.title, y: y, role: .text, background: back)
    }
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
