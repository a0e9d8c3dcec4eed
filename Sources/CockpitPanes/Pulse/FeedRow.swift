import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// One line of the feed: accent, time, kind, text, duration, cost.
struct FeedRow {
  /// Shared by all rows of a frame.
  struct Style: Hashable {
    var columns: FeedColumns
    var timeStyle: ClockFormat.Style
    var clock: ClockFormat
    /// Now, in ms since 1970; while paused, when that was. 0 where no age is shown.
    var nowMs: Int64
    /// The minute of now: rows that are a day away show their date.
    var minuteMs: Int64
    var scrollColumns: Int
    /// The search text; nil if there is none.
    var needle: PlainText?
    /// Whether answers say whom they answer.
    var tellsTriggers: Bool
    /// Whether new rows stand out.
    var marksFresh: Bool
  }

  var row: ActionRowView
  var style: Style
  var isSelected: Bool
  /// What the line stands for beside its row.
  var mark: FeedMark
  /// The brackets beside it.
  var gutter: [TurnGutter.Cell] = []
  /// The letter that the user gave it.
  var letter: Character?
  /// Whether the filter hides it: it stands beside a hit.
  var isContext = false
  /// The source, where several are shown.
  var tag: SourceTag?
  /// What the feed calls the row; nil for its own id.
  var feedID: RowID?

  private var columns: FeedColumns { style.columns }

  /// Everything that the cells of a row are made of: a row of the frame before with an equal key is copied.
  private struct Key: Equatable, Sendable {
    var version: ActionRowView.Version
    var namesRevision: Int
    var style: Style
    /// Of a gap. The selection of other rows is laid over them.
    var isSelected: Bool
    var isFresh: Bool
    var isOfFormerLog: Bool
    /// A gap is drawn using its neighbours.
    var gap: IDGapRow?
    var steps: Int
    var repeats: Int
    var isOpen: Bool
    var gutter: [TurnGutter.Cell]
    var letter: Character?
    var isContext: Bool
    var tag: SourceTag?
  }

  /// Draws the row, or copies it from the frame before, and marks it for the mouse.
  @MainActor func draw(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    let hasSelection = isSelected || gutter.contains(where: \.isSelected)
    guard hasSelection, row.gap == nil else {
      draw(facts, in: area, selection: nil, into: &frame)
      return
    }
    var plain = self
    plain.isSelected = false
    for lane in plain.gutter.indices { plain.gutter[lane].isSelected = false }
    plain.draw(facts, in: area, selection: { select(in: &$0) }, into: &frame)
  }

  /// - Parameter selection: laid over the row, so that moving it needs no row to be made anew.
  @MainActor private func draw(
    _ facts: ViewContext, in area: Rect, selection: ((inout Canvas) -> Void)?,
    into frame: inout Frame
  ) {
    let isFresh = style.marksFresh && facts.isFresh(row.id)
    let key = Key(
      version: row.version, namesRevision: facts.names.directory.revision, style: style,
      isSelected: isSelected, isFresh: isFresh, isOfFormerLog: row.isOfFormerLog, gap: row.gap,
      steps: mark.steps, repeats: mark.repeats, isOpen: mark.isOpen, gutter: gutter, letter: letter,
      isContext: isContext, tag: tag)
    let isKnown = frame.copy(area, highlight: selection) { known in
      guard let known = known as? SharedValue<Key> else { return false }
      return known.value == key
    }
    guard !isKnown else { return }
    frame.draw(SharedValue(key), in: area, highlight: selection) { frame in
      frame.mark(area, .pulse(.row(feedID ?? row.id)))
      frame.canvas.inside(area) { render(facts, isFresh: isFresh, into: &$0) }
    }
  }

  /// What the selection changes of a row, or of the brackets beside it.
  private func select(in canvas: inout Canvas) {
    let background: Role? = isSelected ? .selection : nil
    if isSelected {
      canvas.paintRow(0, background: background)
      canvas.write(">", role: .focus, attributes: .bold, background: background)
      if style.needle != nil { canvas.recolor(canvas.bounds, from: .match, to: .currentMatch) }
    }
    for (lane, cell) in gutter.prefix(columns.lanes).enumerated() where cell.isSelected {
      cell.render(x: columns.laneX + lane, background: background, into: &canvas)
    }
    if row.isOfFormerLog || isContext { canvas.recolor(canvas.bounds, role: .muted) }
  }

  @MainActor private func render(_ facts: ViewContext, isFresh: Bool, into canvas: inout Canvas) {
    if let gap = row.gap {
      gapRow(gap, facts, into: &canvas)
      return
    }
    guard let parsed = facts.actions.action(for: row) else { return }
    let summary = facts.summary(of: parsed, tellsTrigger: style.tellsTriggers)
    draw(summary, isFresh: isFresh, facts.names, into: &canvas)
    if row.isOfFormerLog || isContext { canvas.recolor(canvas.bounds, role: .muted) }
  }

  /// Draws every cell of the row.
  private func draw(
    _ summary: ActionSummary, isFresh: Bool, _ names: Names, into canvas: inout Canvas
  ) {
    let accent = Role(row.domain, severity: row.severity)
    canvas.fill(canvas.bounds, background: nil)
    strip(accent, into: &canvas)
    if let tag { canvas.write(tag.letters, x: 1, role: tag.role, attributes: .bold) }
    for (lane, cell) in gutter.prefix(columns.lanes).enumerated() {
      cell.render(x: columns.laneX + lane, background: nil, into: &canvas)
    }
    // Only the head of a new row is bold and coloured. Text that changes its weight while being
    // read is distracting, and costs a second write.
    if isFresh {
      canvas.fill(
        Rect(x: columns.time.x, width: columns.time.width + 1, height: 1), background: .fresh)
    }
    write(
      time, in: columns.time, role: isFresh ? accent : .muted,
      isFresh ? .fresh : nil, isFresh ? .bold : [], into: &canvas)
    let kindText =
      columns.kind.width <= 3 ? PlainText(row.label.code) : summary.label
    write(kindText, in: columns.kind, role: accent, nil, .bold, into: &canvas)
    if let column = columns.channel {
      let channel = row.channelID.map { PlainText("#" + names.channel($0), limit: 40) } ?? ""
      write(channel, in: column, role: .muted, nil, [], into: &canvas)
    }
    if let column = columns.user {
      let user = row.userID.map { PlainText(names.user($0), limit: 40) } ?? ""
      write(user, in: column, role: .muted, nil, [], into: &canvas)
    }
    let cost = row.costUSD.flatMap { $0 > 0 ? $0 : nil }
    body(summary, hasCost: cost != nil, into: &canvas)
    if let column = columns.duration, summary.durationMs != nil || !columns.reclaims {
      writeRight(
        Figures.duration(ms: summary.durationMs), in: column,
        role: summary.durationMs == nil ? .faint : .number, into: &canvas)
    }
    if let column = columns.cost, cost != nil || !columns.reclaims {
      writeRight(
        cost.map { Figures.cost($0) } ?? "-", in: column, role: cost == nil ? .faint : .cost,
        into: &canvas)
    }
  }

  /// The accent strip in the domain's colour; `>` on the selected row (`select`), the letter of a mark and `!` on a
  /// failure carry the meaning without colour.
  private func strip(_ accent: Role, into canvas: inout Canvas) {
    if let letter {
      canvas.write(PlainText(String(letter)), role: .focus, attributes: .bold)
    } else if row.severity == .error {
      canvas.write("!", role: .negative, attributes: .bold)
    } else {
      canvas.symbol(.accent, x: 0, y: 0, role: accent, attributes: .bold)
    }
  }

  private var time: PlainText {
    guard style.timeStyle != .age else { return Figures.age(ms: style.nowMs - row.timeMs) }
    return style.clock.rowTime(
      ms: row.timeMs, now: style.minuteMs, columns: columns.time.width,
      hasMilliseconds: style.timeStyle == .milliseconds)
  }

  private func body(_ summary: ActionSummary, hasCost: Bool, into canvas: inout Canvas) {
    var area = Rect(x: columns.body.x, width: columns.body.width, height: 1)
    if columns.reclaims, summary.durationMs == nil {
      // Up to the cost, if there is one, or to the end of the row.
      let end = hasCost ? columns.cost.map { $0.x - 1 } : canvas.bounds.width
      area.width = max(area.width, (end ?? canvas.bounds.width) - area.x)
    }
    if let count = foldText(columns: area.width) {
      // The text gives way: how much is folded must be seen.
      area.width = max(0, area.width - count.columns - 1)
      canvas.write(
        count, x: area.x + area.width + 1, role: .info, attributes: .bold)
    }
    guard !area.isEmpty else { return }
    let whole = summary.text
    let isCut = whole.columns - style.scrollColumns > area.width
    canvas.inside(area) { canvas in
      var x = -style.scrollColumns
      for (index, span) in summary.spans.enumerated() {
        if index > 0 { x += 1 }
        guard x < area.width else { break }
        canvas.write(span.text, x: x, role: span.role)
        x += span.text.columns
      }
      highlight(whole, into: &canvas)
      if isCut {
        canvas.write(" ", x: area.width - 1)
        canvas.symbol(.ellipsis, x: area.width - 1, y: 0, role: .muted)
      }
    }
  }

  /// `x17 +14 steps`: what is folded into the line; nil if nothing is.
  private func foldText(columns: Int) -> PlainText? {
    var parts: [PlainText] = []
    if mark.repeats > 1 { parts.append("x" + Figures.count(mark.repeats)) }
    if mark.steps > 0 {
      let unit: PlainText = columns < 40 ? "" : mark.steps == 1 ? " step" : " steps"
      parts.append("+" + Figures.count(mark.steps) + unit)
    }
    guard let first = parts.first else { return nil }
    return parts.dropFirst().reduce(first) { $0 + " " + $1 }
  }

  /// Highlights the search text.
  private func highlight(_ text: PlainText, into canvas: inout Canvas) {
    guard let needle = style.needle else { return }
    for hit in text.ranges(of: needle).prefix(50) {
      canvas.recolor(
        Rect(x: hit.lowerBound - style.scrollColumns, width: hit.count, height: 1), role: .match)
    }
  }

  @MainActor private func gapRow(_ gap: IDGapRow, _ facts: ViewContext, into canvas: inout Canvas) {
    let isNear = ClockFormat.isNear(gap.atMs, style.minuteMs)
    let time =
      (isNear ? "" : facts.clock.monthDay(ms: gap.atMs) + " ") + facts.clock.time(ms: gap.atMs)
    let text: PlainText
    switch gap.kind {
    case .filled(let count):
      let length: PlainText = gap.lostMs.map { " for " + Figures.duration(ms: Double($0)) } ?? ""
      text =
        time + " connection was lost" + length
        + (count == 1 ? ", 1 row backfilled" : ", \(count) rows backfilled")
    case .lost, .unanswered: text = time + " " + GapText(gap).sentence
    case .replaced: text = time + " " + GapText(gap).sentence
    }
    let role: Role = gap.kind.isOpen ? .warning : .gap
    if isSelected { canvas.fill(canvas.bounds, background: .selection) }
    let background: Role? = isSelected ? .selection : nil
    let shown = (" " + (tag == nil ? text : "  " + text) + " ")
      .cut(to: max(0, canvas.bounds.width - 4))
    canvas.horizontalRule(y: 0, from: 0, to: canvas.bounds.width, role: .gap)
    canvas.write(shown, x: 2, role: role, background: background)
    if let tag { canvas.write(tag.letters, x: 1, role: tag.role, attributes: .bold) }
    if isSelected {
      canvas.write(">", role: .focus, attributes: .bold, background: background)
    } else if let letter {
      canvas.write(PlainText(String(letter)), role: .focus, attributes: .bold)
    }
  }

  private func write(
    _ text: PlainText, in column: FeedColumns.Column, role: Role, _ background: Role?,
    _ attributes: Attributes, into canvas: inout Canvas
  ) {
    canvas.write(
      text.cut(to: column.width), x: column.x, role: role, attributes: attributes,
      background: background)
  }

  private func writeRight(
    _ text: PlainText, in column: FeedColumns.Column, role: Role, into canvas: inout Canvas
  ) {
    let text = text.cut(to: column.width)
    canvas.write(text, x: column.x + column.width - text.columns, role: role)
  }
}

extension Role {
  /// The accent of a domain; failures are red whatever their domain.
  init(_ domain: Domain, severity: Severity) {
    if severity == .error {
      self = .error
      return
    }
    self =
      switch domain {
      case .llm: .llm
      case .voice: .voice
      case .asr: .asr
      case .tts: .tts
      case .text: .textDomain
      case .memory: .memory
      case .browser: .browser
      case .media: .media
      case .code: .code
      case .discovery: .discovery
      case .automation: .automation
      case .initiative: .initiative
      case .system: .system
      case .tool: .tool
      case .error: .error
      case .game: .game
      }
  }
}
