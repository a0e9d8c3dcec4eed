import TerminalUI
import CockpitText
import CockpitStores
import TerminalCore

extension PulsePane {
  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    if let use = awaitedLetter {
      awaitedLetter = nil
      return take(press, for: use, facts, page: feedPage(body, screen))
    }
    switch bar {
    case .filter: return typeFilter(press, facts)
    case .find:
      typeFind(press, facts)
      if bar == nil, !findText.isEmpty, !isHit(selectedRow(facts), facts) {
        return perform(.findNext, on: facts, body: body, screen: screen) ?? []
      }
    case nil: break
    }
    return []
  }

  @MainActor private func isHit(_ row: ActionRowView?, _ facts: ViewContext) -> Bool {
    guard let row, let find = LogFind(text: findText, names: facts.names.directory) else {
      return false
    }
    return find.matches(row)
  }

  /// Pasted text goes into the open bar; without one it is ignored: a paste never runs keys.
  package func typingHint(_ keys: KeyTable) -> PlainText? {
    if let awaitedLetter { return awaitedLetter.hint(marks) }
    return switch bar {
    case .filter: "Enter applies  Esc leaves  Tab completes  Up C-r history  C-u clears"
    case .find: keys.findingHint
    case nil: nil
    }
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    switch bar {
    case .filter:
      filterField.paste(text)
      validate(facts)
    case .find:
      findField.paste(text)
      findText = findField.text
    case nil:
      awaitedLetter = nil
      message =
        "a paste is text: press " + facts.keys.text(.filter) + " or " + facts.keys.text(.find)
        + " first, then paste"
    }
    return []
  }

  @MainActor private mutating func typeFilter(_ press: KeyPress, _ facts: ViewContext) -> [Effect] {
    if press == KeyPress(.char("r"), .ctrl) {
      searchHistory(facts)
      return []
    }
    historyNeedle = nil
    switch filterField.press(press) {
    case .accept:
      guard queryError == nil,
        let parsed = try? Query.parse(
          piped: filterField.text, in: facts.clock.queryZone, views: facts.setup.views)
      else {
        completion = CompletionList()  // the error replaces it
        return []
      }
      query = parsed
      isFilterOff = false
      before = []
      table = TableCursor()
      if parsed.pipeline != nil {
        isDetailOpen = false
        if focus == .detail { focus = .feed }
        if facts.isMerged, let name = facts.sources?.current.name {
          message =
            "a table is of one source, here of " + PlainText(name, limit: 40) + "; "
            + facts.keys.text(.nextSource) + " shows another one"
        }
      }
      remember(parsed.text)
      closeBar()
      return parsed.text.isEmpty ? [] : [.keepQueries(filterHistory)]
    case .cancel:
      closeBar()
    case .edited:
      validate(facts)
      offer(facts)
    case .complete:
      complete(facts)
    case .older: walkHistory(by: 1, facts)
    case .newer: walkHistory(by: -1, facts)
    case .moved, .ignored: completion = CompletionList()
    }
    return []
  }

  @MainActor private mutating func typeFind(_ press: KeyPress, _ facts: ViewContext) {
    switch findField.press(press) {
    case .accept:
      findText = findField.text
      closeBar()
    case .cancel:
      findText = ""
      closeBar()
    case .edited: findText = findField.text  // hits light up while typing
    default: break
    }
  }

  private mutating func closeBar() {
    bar = nil
    completion = CompletionList()
    queryError = nil
    historyIndex = nil
    historyNeedle = nil
  }

  /// Validates while typing; a valid text is applied only by Enter.
  @MainActor private mutating func validate(_ facts: ViewContext) {
    do throws(QueryError) {
      _ = try Query.parse(piped: filterField.text, views: facts.setup.views)
      queryError = nil
    } catch {
      queryError = error
    }
  }

  private mutating func remember(_ text: String) {
    guard !text.isEmpty else { return }
    filterHistory.removeAll { $0 == text }
    filterHistory.insert(text, at: 0)
    if filterHistory.count > 50 { filterHistory.removeLast() }
  }

  @MainActor private mutating func walkHistory(by step: Int, _ facts: ViewContext) {
    guard !filterHistory.isEmpty else { return }
    let index = (historyIndex ?? -1) + step
    guard index >= 0 else {
      historyIndex = nil
      filterField = TextField()
      return
    }
    historyIndex = min(index, filterHistory.count - 1)
    filterField = TextField(filterHistory[historyIndex ?? 0])
    validate(facts)
  }

  /// The next older filter that holds what is typed, as in a shell.
  @MainActor private mutating func searchHistory(_ facts: ViewContext) {
    let needle = historyNeedle ?? (filterField.isSelected ? "" : filterField.text)
    let start = historyNeedle == nil ? 0 : (historyIndex ?? -1) + 1
    historyNeedle = needle
    let lowered = needle.lowercased()
    let found = filterHistory.indices.dropFirst(start).first {
      filterHistory[$0] != filterField.text
        && (needle.isEmpty || filterHistory[$0].lowercased().contains(lowered))
    }
    guard let found else {
      message =
        needle.isEmpty
        ? "no older filter" : "no older filter holds " + PlainText(needle, limit: 60)
      return
    }
    historyIndex = found
    filterField = TextField(filterHistory[found])
    completion = CompletionList()
    validate(facts)
  }

  /// Shows completions without choosing one.
  @MainActor private mutating func offer(_ facts: ViewContext) {
    let (range, items) = QueryCompletion.items(
      for: filterField.text, cursor: filterField.cursor, log: facts.activity.log,
      names: facts.names.directory, views: facts.setup.views)
    completion = CompletionList(items: items, replaced: range.count)
  }

  @MainActor private mutating func complete(_ facts: ViewContext) {
    if completion.items.isEmpty { offer(facts) }
    completion.step()
    guard let item = completion.current else {
      message = "nothing completes this"
      return
    }
    filterField.replace(last: completion.replaced, with: item.insert)
    completion.replaced = item.insert.count
    validate(facts)
    // A single completion is inserted, and its continuations are shown.
    if completion.items.count == 1 { offer(facts) }
  }
}

/// The completions in the filter bar; Tab cycles through them.
package struct CompletionList: Hashable, Sendable {
  package private(set) var items: [QueryCompletion.Item] = []
  /// The chosen one; nil while they are only offered.
  package private(set) var selected: Int?
  /// Number of characters before the cursor that the current item replaces.
  package internal(set) var replaced = 0

  init() {}

  init(items: [QueryCompletion.Item], replaced: Int) {
    self.items = items
    self.replaced = replaced
  }

  var current: QueryCompletion.Item? { selected.map { items[$0] } }

  mutating func step() {
    guard !items.isEmpty else { return }
    selected = selected.map { ($0 + 1) % items.count } ?? 0
  }
}
