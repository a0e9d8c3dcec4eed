import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = layout(facts, in: body, of: screen)
    if command.isMutation { return mutate(command, facts, layout) }
    switch command {
    case .nextView: return go(to: View.allCases[(view.rawValue + 1) % View.allCases.count])
    case .previousView:
      return go(to: View.allCases[(view.rawValue + View.allCases.count - 1) % View.allCases.count])
    case .journal: return go(to: .journal)
    case .nextTurn: walkGuilds(by: 1, facts)
    case .previousTurn: walkGuilds(by: -1, facts)
    case .nextPanel: step(by: 1, layout)
    case .previousPanel: step(by: -1, layout)
    case .zoom: if view == .facts { isZoomed.toggle() }
    case .find: open(.find, text: query.find)
    case .findNext: walkHits(by: 1, facts, layout)
    case .findPrevious: walkHits(by: -1, facts, layout)
    case .onlyMatches: toggleOnlyMatches(facts)
    case .filter:
      filterBefore = query.filter
      open(.filter, text: query.filter.isEmpty ? filterOff ?? "" : query.filter)
    case .filterToggle: toggleFilter(facts)
    case .search: openSearch(facts)
    case .sort: sort(by: nil)
    case .uses: showUses(facts, layout)
    case .rawJSON: toggleRaw()
    case .pager: return page(facts, layout)
    case .refresh: return refresh(facts)
    case .back, .quit, .interrupt: return close() ? [] : nil
    default: return performInPanel(command, facts, layout)
    }
    return []
  }

  /// Commands that mean the focused panel; nil for those that mean nothing here.
  @MainActor private mutating func performInPanel(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect]? {
    let panel = view == .facts ? focus : .document
    switch panel {
    case .facts: return performInFacts(command, facts, layout)
    case .subjects:
      if command == .open {
        focus = .facts
        return []
      }
      return moveSubject(command, facts, layout) ? [] : nil
    case .detail, .provenance, .reflections, .document:
      if command == .open { return follow(panel, facts, layout) }
      if view == .facts, command == .left || command == .right {
        return moveSubject(command, facts, layout) ? [] : nil
      }
      let page = max(1, layout.content(panel).height)
      guard let move = command.listMove else { return nil }
      scrollPositions[panel, default: TextCursor()].step(move, page: page)
      return []
    }
  }

  // MARK: The list

  @MainActor private mutating func performInFacts(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> [Effect]? {
    if let move = command.listMove {
      cursor.perform(move, in: facts.factView.list(height: layout.visibleFacts))
      forgetDetail()
      return []
    }
    switch command {
    case .left, .right: _ = moveSubject(command, facts, layout)
    case .open: return openFact(facts, layout)
    default: return nil
    }
    return []
  }

  /// Scrolls the texts beside the list back to the top.
  mutating func forgetDetail() {
    scrollPositions[.detail] = nil
    scrollPositions[.provenance] = nil
  }

  /// The fact under the cursor.
  @MainActor func current(_ facts: ViewContext) -> FactView.Row? {
    let rows = facts.factView.rows
    return rows.isEmpty ? nil : rows[cursor.settled(in: facts.factView.list(height: 1)).line]
  }

  /// Unmasks a masked fact, else opens the detail.
  @MainActor private mutating func openFact(_ facts: ViewContext, _ layout: Layout) -> [Effect] {
    if let row = current(facts) {
      if isMasked(row.fact) { return unmask(facts) }
      cursor.hold(in: facts.factView.list(height: layout.visibleFacts))
      focus = .detail
      return []
    }
    return query.subject == FactSubject.owner.rawValue && !isOwnerShown ? unmask(facts) : []
  }

  @MainActor mutating func unmask(_ facts: ViewContext) -> [Effect] {
    isOwnerShown = true
    message = "private facts are shown until you leave the tab"
    return facts.memory.ownerPrivate.isLoading ? [] : [.memory(.loadOwnerPrivate)]
  }

  /// Another order, or the same one reversed.
  mutating func sort(by order: FactViewQuery.Order?) {
    if let order {
      query.isReversed = query.order == order ? !query.isReversed : false
      query.order = order
      return
    }
    let orders = FactViewQuery.Order.allCases.filter { $0 != .score || query.source == .search }
    let index = orders.firstIndex(of: query.order) ?? 0
    query.order = orders[(index + 1) % orders.count]
    query.isReversed = false
  }

  // MARK: Narrowing

  @MainActor private mutating func moveSubject(
    _ command: KeyAction, _ facts: ViewContext, _ layout: Layout
  ) -> Bool {
    let list = SubjectList(facts, guild: query.guild, caches: caches)
    let page = max(1, layout.content(.subjects).height)
    var place = TextCursor(line: list.line(of: query.subject), scroll: subjectScroll)
    switch command {
    case .left: place.step(.up, page: page)
    case .right: place.step(.down, page: page)
    default:
      guard let move = command.listMove else { return false }
      place.step(move, page: page)
    }
    place.clamp(count: list.entries.count + 1, height: page)
    choose(list.subject(at: place.line))
    subjectScroll = place.scroll
    return true
  }

  mutating func choose(_ subject: String?) {
    query.subject = subject
    cursor = ListCursor()
    forgetDetail()
  }

  @MainActor mutating func walkGuilds(by step: Int, _ facts: ViewContext) {
    guard let guilds = facts.memory.guilds, !guilds.isEmpty else {
      message = "the guilds are not known yet"
      return
    }
    let scopes = [nil] + guilds.map(Optional.some)
    let index = scopes.firstIndex(of: query.guild) ?? 0
    scopeTo(guild: scopes[(index + step + scopes.count) % scopes.count])
  }

  /// Shows the facts of a guild; of all for nil.
  package mutating func scopeTo(guild: String?) {
    query.guild = guild
    query.subject = nil
    subjectScroll = 0
    scrollPositions[.document] = nil
  }

  /// Shows a view. The journal is re-read: other runs of the program write to it too.
  mutating func go(to view: View) -> [Effect] {
    show(view)
    return view == .journal ? [.memory(.loadJournal)] : []
  }

  mutating func show(_ view: View) {
    self.view = view
    isRaw = false
    scrollPositions[.document] = nil
    if view == .facts { return }
    isZoomed = false
  }

  /// The list of facts, without a search.
  package mutating func showList() {
    bar = nil
    show(.facts)
    if query.source == .search { leaveSearch() }
  }

  // MARK: Levels

  private mutating func toggleRaw() {
    isRaw.toggle()
    if view == .facts, isRaw { focus = .detail }
    scrollPositions[.detail] = nil
    scrollPositions[.document] = nil
  }

  package var isDeep: Bool {
    var copy = self
    return copy.close()
  }

  /// Closes one level; false if nothing is open.
  private mutating func close() -> Bool {
    if panelFocus.unzoom() {
      return true
    } else if isRaw {
      isRaw = false
    } else if view != .facts {
      view = .facts
      scrollPositions[.document] = nil
    } else if focus != .facts {
      focus = .facts
    } else if isOfAnswer {
      letGo()
    } else if !selection.isEmpty {
      selection = []
    } else if !query.find.isEmpty {
      query.find = ""
      query.onlyMatches = false
    } else if query.source == .search {
      leaveSearch()
    } else if !query.filter.isEmpty {
      query.filter = ""
    } else if query.subject != nil {
      choose(nil)
    } else {
      return false
    }
    return true
  }

  private mutating func step(by step: Int, _ layout: Layout) {
    panelFocus.step(by: step, in: layout.order)
    if view != .facts { focus = .facts }
  }

  // MARK: Texts

  /// The action of Enter on the line under the cursor.
  @MainActor mutating func follow(_ panel: Panel, _ facts: ViewContext, _ layout: Layout)
    -> [Effect]
  {
    if panel == .document, view == .recall {
      return openRecall(facts)
    }
    let lines = lines(panel, facts, layout)
    let line = scrollPositions[panel]?.line ?? 0
    guard lines.indices.contains(line) else { return [] }
    switch lines[line].link {
    case .row(let row): return [.show(row: row)]
    case .fact(let id):
      if let fact = facts.memory.facts[id]?.fact {
        reveal(FactReference(id: id, subject: fact.subject, fact: fact.fact ?? ""))
        focus = .facts
      }
    case .run(let key):
      guard panel == .document else {
        show(.reflections)
        openRuns.insert(key)
        return []
      }
      if openRuns.remove(key) == nil { openRuns.insert(key) }
    case .unmask: return unmask(facts)
    case nil:
      if panel == .reflections {
        show(.reflections)
      } else {
        message = "nothing to open here"
      }
    }
    return []
  }

  /// Shows where the fact came from and where it was used.
  @MainActor private mutating func showUses(_ facts: ViewContext, _ layout: Layout) {
    guard view == .facts, current(facts) != nil else {
      message = "select a fact first"
      return
    }
    cursor.hold(in: facts.factView.list(height: layout.visibleFacts))
    isRaw = false
    guard layout[.provenance].isEmpty else {
      focus = .provenance
      return
    }
    focus = .detail
    let lines = lines(.detail, facts, layout)
    let start = lines.firstIndex { $0.spans.first?.text == FactLines.provenanceHeading }
    scrollPositions[.detail] = TextCursor(line: start ?? 0, scroll: start ?? 0)
  }

  @MainActor private mutating func page(_ facts: ViewContext, _ layout: Layout) -> [Effect]? {
    if view == .markdown, let text = facts.memory.markdown.value?.markdown, isOwnerShown {
      return [.page(text: text)]
    }
    let panel: Panel = view == .facts ? .detail : .document
    var wide = Layout()
    wide.panels[panel] = Rect(width: 102, height: 100)
    let lines = lines(panel, facts, wide)
    guard !lines.isEmpty else {
      message = "there is nothing to open"
      return []
    }
    return [.page(text: lines.map(\.text).joined(separator: "\n"))]
  }
}
