import CockpitAnswers
import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// Last night on one screen: the sentence, and a line for each thing that an owner asks about. Enter shows the rows
/// behind a line.
package struct DigestCard: Overlay {
  /// The selected line, by its place among all.
  private var cursor = 0
  /// The first row in sight.
  private var first = 0
  private var room = 1
  /// Topics whose details are shown where there is no room for all.
  private var unfolded: Set<Digest.Topic> = []

  package init() {}

  package var title: PlainText { "digest" }

  package var keyLine: PlainText {
    "j k move  Enter shows the rows  l h details  A incidents  y copies  Esc closes"
  }

  // MARK: Keys

  @MainActor package mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    let shown = shownLines(facts)
    switch (press.key, press.modifiers) {
    case (.escape, []), (.char("q"), []), (.char("c"), .ctrl): return Self.closed
    case (.down, []), (.char("j"), []): move(1, shown)
    case (.up, []), (.char("k"), []): move(-1, shown)
    case (.pageDown, _), (.char("d"), .ctrl), (.char(" "), []): move(room, shown)
    case (.pageUp, _), (.char("u"), .ctrl): move(-room, shown)
    case (.char("g"), []), (.home, []): move(-shown.count, shown)
    case (.char("G"), _), (.end, []): move(shown.count, shown)
    case (.char("l"), []), (.right, []): fold(false, facts)
    case (.char("h"), []), (.left, []): fold(true, facts)
    case (.enter, []): return open(facts)
    case (.char("y"), []): return copy(facts)
    default:
      // The same key again goes from the night as a whole to what went wrong in it.
      if case .command(.digest) = facts.keys.match([press]) {
        return .done([.digest(.stop), .line("incident-list", isWhole: true)])
      }
    }
    return .stay
  }

  private static var closed: LayerOutcome { .done([.digest(.stop)]) }

  private mutating func move(_ steps: Int, _ shown: [Int]) {
    let place = shown.firstIndex { $0 >= cursor } ?? 0
    guard !shown.isEmpty else { return }
    cursor = shown[min(max(0, place + steps), shown.count - 1)]
  }

  @MainActor private mutating func fold(_ isFolded: Bool, _ facts: ViewContext) {
    guard let lines = facts.digest?.digest?.lines, let line = lines[safe: cursor] else { return }
    if isFolded {
      unfolded.remove(line.topic)
      cursor = lines.firstIndex { $0.topic == line.topic } ?? cursor
    } else {
      unfolded.insert(line.topic)
    }
  }

  @MainActor package mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    if item == cursor { return open(facts) }
    cursor = item
    return .stay
  }

  @MainActor package mutating func wheel(_ lines: Int, on facts: ViewContext) {
    move(lines.signum(), shownLines(facts))
  }

  /// Shows the rows of the selected line: here where any of them is here, else in the past.
  @MainActor private func open(_ facts: ViewContext) -> LayerOutcome {
    guard let digest = facts.digest?.digest, let line = digest.lines[safe: cursor] else {
      return .stay
    }
    guard let newest = line.evidence.max(by: { ($0.timeMs ?? 0) < ($1.timeMs ?? 0) }) else {
      return .effects([.say("no row stands behind this line")])
    }
    let log = facts.activity.log
    let rows = line.evidence.map { item in
      item.actionID.flatMap { id in
        log.rowID(actionID: id).flatMap { row in
          // Ids start anew with a replaced log.
          log.row(row)?.timeMs == item.timeMs ? row : nil
        }
      }
    }
    if rows.contains(where: { $0 != nil }) {
      if let filter = line.filter { return .done([.rows(filter), .digest(.stop)]) }
      let behind = RowsBehind(
        rows.count > Self.rowLimit ? Array(rows.suffix(Self.rowLimit)) : rows, "rows")
      return .done(behind.effects(facts) + [.digest(.stop)])
    }
    let request: ReplayRequest =
      if facts.replay == nil, let id = newest.actionID {
        .seekRow(id: id)
      } else {
        .seek(ms: newest.timeMs ?? facts.nowMs)
      }
    return .done([.replay(request), .digest(.stop)])
  }

  /// A filter names so many rows at most.
  private static let rowLimit = 200

  @MainActor private func copy(_ facts: ViewContext) -> LayerOutcome {
    guard let digest = facts.digest?.digest else { return .stay }
    let text = DigestText(digest, clock: facts.clock).markdown.joined(separator: "\n")
    return .effects([.copy(text: text, what: "the digest, as Markdown")])
  }

  // MARK: Layout

  private struct Page {
    var head: [PlainText]
    /// How many rows of the head are the sentence.
    var sentence: Int
    var rows: [CardRow]
    var area: Rect
    var room: Int
  }

  /// The lines that are shown, by their places among all.
  @MainActor private func shownLines(_ facts: ViewContext) -> [Int] {
    let body = Rect(width: lastSize.width, height: lastSize.height)
    var places: [Int] = []
    for row in page(facts, in: body).rows where row.isFirst { places.append(row.line) }
    return places
  }

  private var lastSize = Size(width: 80, height: 22)

  private static func width(in body: Rect) -> Int { min(body.width, 150) }

  @MainActor private func page(_ facts: ViewContext, in body: Rect) -> Page {
    let width = Self.width(in: body)
    let inner = max(1, width - 4)
    var head: [PlainText] = []
    var sentence = 0
    var rows: [CardRow] = []
    switch facts.digest?.phase {
    case .ready(let digest):
      let text = DigestText(digest, clock: facts.clock)
      head = PlainText(digest.answer.sentence, limit: 1000).wrapped(to: inner, limit: 4)
      sentence = head.count
      head.append(text.about.cut(to: inner))
      let limit = body.height < 30 ? 2 : 6
      let missing = text.missing
      head += missing.prefix(limit).flatMap { $0.wrapped(to: inner, limit: 2) }
      if missing.count > limit {
        head.append("and \(missing.count - limit) more parts: 'digest' lists them")
      }
      rows = Self.rows(
        digest.lines, width: inner, height: body.height - head.count - 3, unfolded)
    case .loading(let words):
      head = [
        "Since " + facts.clock.monthDay(ms: facts.digest?.fromMs ?? 0) + " "
          + facts.clock.time(ms: facts.digest?.fromMs ?? 0) + ": " + words
      ]
      sentence = 1
    case .failed(let words):
      head = words.wrapped(to: inner, limit: 4)
      sentence = head.count
    case nil: head = ["nothing was asked for yet"]
    }
    let fixed = head.count + (rows.isEmpty ? 2 : 3)
    let height = min(body.height, fixed + rows.count)
    let area = Rect(x: body.maxX - width, y: body.y, width: width, height: height)
    return Page(
      head: head, sentence: sentence, rows: rows, area: area, room: max(1, height - fixed))
  }

  /// The lines as rows: all of them, wrapped, where there is room; else fewer details, then shorter texts.
  private static func rows(
    _ lines: [Digest.Line], width: Int, height: Int, _ unfolded: Set<Digest.Topic>
  ) -> [CardRow] {
    for details in [Int.max, 5, 3, 2, 1, 0] {
      let rows = rows(lines, width: width, details: details, wraps: { _ in 4 }, unfolded)
      if rows.count <= height { return rows }
    }
    // One row each, and what is left for those that say most about what went wrong.
    var wrapped: Set<Digest.Topic> = []
    var best = rows(lines, width: width, details: 0, wraps: { _ in 1 }, unfolded)
    for topic in [
      Digest.Topic.errors, .failures, .silences, .answers, .incidents, .cost, .sessions, .facts,
      .automations,
    ] {
      let more = wrapped.union([topic])
      let rows = rows(
        lines, width: width, details: 0, wraps: { more.contains($0) ? 4 : 1 }, unfolded)
      if rows.count <= height { (best, wrapped) = (rows, more) }
    }
    return best
  }

  private static func rows(
    _ lines: [Digest.Line], width: Int, details: Int, wraps: (Digest.Topic) -> Int,
    _ unfolded: Set<Digest.Topic>
  ) -> [CardRow] {
    var rows: [CardRow] = []
    var count = 0
    for (index, line) in lines.enumerated() {
      if line.isDetail {
        count += 1
        guard count <= details || unfolded.contains(line.topic) else { continue }
      } else {
        count = 0
      }
      let room = max(8, width - textColumn)
      let text = line.isDetail ? detail(line) : DigestText.words(line)
      let limit = line.isDetail ? 1 : wraps(line.topic)
      let parts = limit == 1 ? [text.cut(to: room)] : text.wrapped(to: room, limit: limit)
      for (place, part) in (parts.isEmpty ? [""] : parts).enumerated() {
        rows.append(CardRow(line: index, text: part, isFirst: place == 0))
      }
    }
    return rows
  }

  /// Where texts begin: behind the mark and the name of the topic.
  private static let textColumn = 14

  private static func detail(_ line: Digest.Line) -> PlainText {
    let count: PlainText = line.count.map { Figures.count($0) + " " } ?? ""
    return count + PlainText(line.name, limit: 40) + (line.text.isEmpty ? "" : "  ")
      + PlainText(line.text, limit: 300)
  }

  @MainActor package mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    let body = Rect(width: screen.width, height: max(1, screen.height - 2))
    lastSize = body.size
    let page = page(facts, in: body)
    room = page.room
    let shown = page.rows.filter(\.isFirst).map(\.line)
    if !shown.contains(cursor) { cursor = shown.last { $0 < cursor } ?? shown.first ?? 0 }
    first = CardRow.scroll(page.rows, to: cursor, from: first, room: room)
  }

  // MARK: Drawing

  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let page = page(facts, in: body)
    let area = page.area
    frame.canvas.clear(area)
    let shown = page.rows.dropFirst(first).prefix(page.room)
    let place: PlainText =
      page.rows.count > page.room
      ? PlainText("\(first + 1)-\(first + shown.count)/\(page.rows.count)") : ""
    let lines = facts.digest?.digest?.lines ?? []
    frame.canvas.panel(title, trailing: place, in: area, isFocused: true) { canvas in
      canvas.inside(Rect(x: 1, width: max(0, area.width - 4), height: max(0, area.height - 2))) {
        draw(page, shown, lines, facts, into: &$0)
      }
    }
    for (y, row) in shown.enumerated() {
      frame.mark(
        Rect(x: area.x + 1, y: area.y + 2 + page.head.count + y, width: area.width - 2, height: 1),
        .overlay(row.line))
    }
  }

  @MainActor private func draw(
    _ page: Page, _ shown: ArraySlice<CardRow>, _ lines: [Digest.Line], _ facts: ViewContext,
    into canvas: inout Canvas
  ) {
    let isWhole = facts.digest?.digest?.missing.isEmpty ?? true
    for (y, line) in page.head.enumerated() {
      let isSentence = y < page.sentence
      canvas.write(
        line, x: 0, y: y,
        role: isSentence ? .text : y == page.sentence && isWhole ? .positive : .warning,
        attributes: isSentence ? .bold : [])
    }
    let top = page.head.count + 1
    for (y, row) in shown.enumerated() {
      guard let line = lines[safe: row.line] else { continue }
      draw(row, line, y: top + y, into: &canvas)
    }
  }

  private func draw(_ row: CardRow, _ line: Digest.Line, y: Int, into canvas: inout Canvas) {
    let isSelected = row.line == cursor
    let back: Role? = isSelected ? .selection : nil
    if isSelected {
      if row.isFirst { canvas.placeCursor(y: y) }
      canvas.fill(Rect(y: y, width: canvas.bounds.width, height: 1), background: back)
    }
    let isUnknown = line.state == .unknown || line.state == .inferred
    let role: Role =
      line.isTrouble ? .warning : isUnknown ? .info : line.isDetail ? .muted : .text
    canvas.write(row.text, x: Self.textColumn, y: y, role: role, background: back)
    guard row.isFirst else { return }
    canvas.write(isSelected ? ">" : "", x: 0, y: y, role: .focus, background: back)
    guard !line.isDetail else { return }
    canvas.write(
      DigestText.title(line.topic).cut(to: 11), x: 2, y: y,
      role: line.isTrouble ? .warning : .key, attributes: .bold, background: back)
  }
}

extension CockpitShell {
  /// Asks for a digest and shows it when it is made.
  ///
  /// - Parameter fromMs: its beginning, in ms since 1970; nil for when the user last looked.
  mutating func openDigest(fromMs: Int64?) -> [Effect] {
    layers.push(DigestCard())
    return [.digest(.load(fromMs: fromMs))]
  }
}
