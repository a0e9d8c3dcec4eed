import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The search in everything that was recorded: a text field, and below it the rows that were found, of any time.
/// Enter searches, and once more goes to the selected row in the past.
struct HistorySearchOverlay: Overlay {
  private(set) var field: TextField
  private(set) var found: HistoryFound?
  private var cursor = TextCursor()
  private var height = 1
  /// Why the text cannot be searched for.
  private var mistake: PlainText?

  init(_ text: String = "") { field = TextField(text) }

  var title: PlainText { "search in what was recorded" }

  var keyLine: PlainText {
    isAnswered && count > 0
      ? (found?.table == nil ? "Enter opens it in the past" : "Enter lists its rows")
        + "  Up Down choose  type to search anew  Esc leaves"
      : "Enter searches  words, \"a phrase\", pre*, -not, user:NAME, since:7d, | count by kind  Esc"
  }

  /// Whether what is shown answers what is written.
  private var isAnswered: Bool {
    found.map { $0.text == field.text.trimmingSpaces && $0.problem == nil } ?? false
  }

  private var count: Int { found?.table?.lines.count ?? found?.hits.count ?? 0 }

  /// Takes over what was found; ignored if it is of another search.
  mutating func take(_ new: HistoryFound) {
    guard new.text == field.text.trimmingSpaces || found?.text == new.text else { return }
    if found?.text != new.text { cursor = TextCursor() }
    found = new
  }

  // MARK: Keys

  @MainActor mutating func press(_ press: KeyPress, on facts: ViewContext) -> LayerOutcome {
    switch (press.key, press.modifiers) {
    case (.up, _), (.char("k"), .ctrl), (.tab, .shift): return move(by: -1)
    case (.down, _), (.char("n"), .ctrl), (.tab, []): return move(by: 1)
    case (.pageDown, _): return move(by: height)
    case (.pageUp, _): return move(by: -height)
    case (.escape, []) where found?.isRunning ?? false: return .effects([.find(.stop)])
    default: break
    }
    switch field.press(press) {
    case .cancel: return .close
    case .accept: return isAnswered ? choose(cursor.line, facts) : search(facts)
    case .edited: mistake = nil
    default: break
    }
    return .stay
  }

  /// Starts the search.
  @MainActor mutating func search(_ facts: ViewContext) -> LayerOutcome {
    let text = field.text.trimmingSpaces
    guard !text.isEmpty else { return .stay }
    do throws(QueryError) {
      _ = try Query.parse(piped: text, in: facts.clock.queryZone, views: facts.setup.views)
    } catch {
      mistake = PlainText(error.description, limit: 300)
      return .stay
    }
    cursor = TextCursor()
    found = HistoryFound(text)
    return .effects([.find(.find(text))])
  }

  @MainActor private mutating func move(by step: Int) -> LayerOutcome {
    let wasLast = cursor.line >= count - 1
    cursor.move(by: step, in: list)
    guard step > 0, wasLast, let found, found.hasMore, !found.isRunning else { return .stay }
    return .effects([.find(.more)])
  }

  @MainActor private mutating func choose(_ index: Int, _ facts: ViewContext) -> LayerOutcome {
    if let table = found?.table {
      guard table.lines.indices.contains(index), let found,
        let query = try? Query.parse(
          piped: found.text, in: facts.clock.queryZone, views: facts.setup.views),
        let text = table.query(behind: table.lines[index], of: query)
      else { return .stay }
      field = TextField(text)
      return search(facts)
    }
    guard let hits = found?.hits, hits.indices.contains(index) else { return .stay }
    return .done([.find(.stop), .replay(.seekHit(hits[index].row))])
  }

  @MainActor mutating func paste(_ text: String, on facts: ViewContext) {
    field.paste(text)
    mistake = nil
  }

  @MainActor mutating func click(_ item: Int, on facts: ViewContext) -> LayerOutcome {
    guard item == cursor.line else {
      cursor.put(line: item)
      return .stay
    }
    return choose(item, facts)
  }

  @MainActor mutating func wheel(_ lines: Int, on facts: ViewContext) {
    cursor.move(by: lines, in: list)
  }

  @MainActor mutating func clampSelection(_ facts: ViewContext, screen: Size) {
    // Header, hints, border, the text field and what was found, and the heads of a table.
    height = max(1, screen.height - 6 - (found?.table == nil ? 0 : 1))
    cursor.clamp(to: list)
  }

  private var list: CursorList<Never> { CursorList(count: count, height: height) }

  // MARK: Drawing

  @MainActor func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    frame.canvas.clear(body)
    let place = PlainText("\(count == 0 ? 0 : cursor.line + 1)/\(count)")
    var first = body.y + 3
    frame.canvas.panel(
      title, trailing: count == 0 ? "" : place, in: body, isFocused: true
    ) { canvas in
      var rest = canvas.bounds
      canvas.inside(rest.takeTop(1)) { canvas in
        canvas.write(">", x: 1, role: .key, attributes: .bold)
        canvas.inside(Rect(x: 3, width: max(0, canvas.bounds.width - 4), height: 1)) {
          field.render(
            into: &$0, placeholder: "words, \"a phrase\", pre*, user:NAME, since:7d, kind:llm_*",
            isFocused: true)
        }
      }
      let (words, role) = state(facts)
      canvas.inside(rest.takeTop(1)) { canvas in
        canvas.write(words.cut(to: max(0, canvas.bounds.width - 2)), x: 1, role: role)
      }
      if let table = found?.table {
        first += 1
        canvas.inside(rest) { render(table, facts, into: &$0) }
      } else {
        for (index, hit) in (found?.hits ?? []).enumerated().dropFirst(cursor.scroll)
          .prefix(rest.height)
        {
          canvas.inside(rest.takeTop(1)) {
            render(hit, facts, isChosen: index == cursor.line, into: &$0)
          }
        }
      }
    }
    for index in cursor.scroll..<max(cursor.scroll, min(count, cursor.scroll + height)) {
      frame.mark(
        Rect(
          x: body.x + 1, y: first + index - cursor.scroll, width: max(0, body.width - 2), height: 1),
        .overlay(index))
    }
  }

  /// What was found, in which time, and what to do.
  @MainActor private func state(_ facts: ViewContext) -> (PlainText, Role) {
    if let mistake { return (mistake, .negative) }
    guard let found else {
      return ("all that was recorded of this bot; prompts are not searched by words", .muted)
    }
    if let problem = found.problem { return (problem, .negative) }
    func day(_ ms: Int64) -> PlainText {
      facts.clock.day(ms: ms) + " " + facts.clock.time(ms: ms).prefix(columns: 5)
    }
    let read = Figures.count(found.readRows)
    if found.isRunning {
      let so = found.hits.isEmpty ? "" : PlainText("\(found.hits.count) found, ")
      return ("searching: " + so + read + " rows read; Esc keeps what was found", .info)
    }
    var words: PlainText
    let isEmpty = found.hits.isEmpty && found.table == nil
    if isEmpty {
      words = "no row"
    } else if let table = found.table {
      words = Figures.count(table.rows) + (found.isTableCut ? " rows, the newest of more" : " rows")
    } else {
      words = Figures.count(found.hits.count) + (found.hits.count == 1 ? " row" : " rows")
    }
    if found.hasMore {
      words += found.throughMs.map { " back to " + day($0) } ?? ""
      words += "; Down at the end searches on"
    } else if let since = found.recordedSinceMs {
      words += " found in all that was recorded since " + day(since)
      for note in found.table.map({ TableNotes($0).sentences }) ?? [] { words += "; " + note }
    } else {
      words = "nothing is recorded yet"
    }
    guard found.unindexedFiles > 0 else {
      return (words, isEmpty ? .warning : .muted)
    }
    let days = found.unindexedFiles == 1 ? "1 day has" : "\(found.unindexedFiles) days have"
    return (
      words + PlainText("; \(days) a damaged index: 'history rebuild' makes it again"), .warning
    )
  }

  @MainActor private func render(
    _ hit: HistoryFound.Hit, _ facts: ViewContext, isChosen: Bool, into canvas: inout Canvas
  ) {
    let back: Role? = isChosen ? .selection : nil
    canvas.fill(canvas.bounds, background: back)
    if isChosen {
      canvas.write(">", role: .focus, attributes: .bold, background: back)
      canvas.placeCursor()
    }
    let width = canvas.bounds.width
    let isWide = width >= 100
    let time =
      facts.clock.day(ms: hit.row.atMs).dropFirst(columns: isWide ? 0 : 5) + " "
      + facts.clock.time(ms: hit.row.atMs)
    canvas.write(time, x: 2, role: .muted, background: back)
    var x = 3 + time.columns
    let labelColumns = isWide ? 20 : 14
    canvas.write(
      hit.label.cut(to: labelColumns), x: x, role: hit.role, attributes: .bold, background: back)
    x += labelColumns + 1
    if isWide {
      canvas.write(hit.user.cut(to: 14), x: x, role: .muted, background: back)
      x += 15
    }
    canvas.write(hit.text.cut(to: max(0, width - x - 1)), x: x, background: back)
  }

  @MainActor private func render(
    _ table: QueryTable, _ facts: ViewContext, into canvas: inout Canvas
  ) {
    let shown = cursor.scroll..<max(cursor.scroll, min(count, cursor.scroll + height))
    let text = TableText(table, shown: shown, clock: facts.clock, nowMs: facts.nowMs)
    let layout = text.layout(width: max(0, canvas.bounds.width - 4))
    func write(_ cells: [PlainText], y: Int, role: Role, background: Role?) {
      var x = 2
      for (index, cell) in cells.enumerated() {
        let isNumber = index >= table.keyNames.count
        let cut = cell.cut(to: layout.widths[index])
        canvas.write(
          cut, x: x + (isNumber ? layout.widths[index] - cut.columns : 0), y: y, role: role,
          background: background)
        x += layout.widths[index] + TableText.gap
      }
    }
    write(text.heads, y: 0, role: .muted, background: nil)
    for (offset, cells) in text.cells.enumerated() {
      let isChosen = cursor.scroll + offset == cursor.line
      let back: Role? = isChosen ? .selection : nil
      if isChosen {
        canvas.fill(
          Rect(y: offset + 1, width: canvas.bounds.width, height: 1), background: back)
        canvas.write(">", y: offset + 1, role: .focus, attributes: .bold, background: back)
      }
      write(cells, y: offset + 1, role: .text, background: back)
    }
  }
}

extension CockpitShell {
  /// Opens the search, with a text already searched for if there is one.
  @MainActor mutating func openHistorySearch(_ text: String = "", _ facts: ViewContext) -> [Effect]
  {
    layers.remove(HistorySearchOverlay.self)
    var overlay = HistorySearchOverlay(text)
    let outcome = overlay.search(facts)
    layers.push(overlay)
    guard case .effects(let effects) = outcome else { return [] }
    return effects
  }

  /// Receives what a search has found so far.
  package mutating func take(_ found: HistoryFound) {
    layers.change(HistorySearchOverlay.self) { $0.take(found) }
  }

  /// Puts the feed on a row of the past, if it is there.
  @MainActor package mutating func reveal(_ place: HistoryRowPlace, _ facts: ViewContext) {
    guard let row = place.row(in: facts.activity.log) else { return }
    tab = .pulse
    pulse.reveal(row, withKeys(facts))
  }
}
