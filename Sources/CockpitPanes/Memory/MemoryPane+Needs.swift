import TerminalUI
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// The data that the current view shows.
  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    var requests: [MemoryRequest] = [
      .load(guild: query.guild), .loadReflections(guild: query.guild), .loadJournal,
    ]
    switch view {
    case .facts, .reflections, .recall, .journal: break
    case .markdown: requests.append(.loadMarkdown(guild: query.guild))
    case .profile:
      if let guild = guildToAsk(facts) {
        requests.append(.loadProfile(guild: guild, user: selectedUser))
      }
    }
    return requests.map(Need.memory)
  }

  /// Fetches the data on screen again; nil without a connection, so that the shell reconnects.
  @MainActor func refresh(_ facts: ViewContext) -> [Effect]? {
    guard facts.isHeard else {
      // The journal needs no connection.
      return view == .journal ? [.memory(.loadJournal), .reconnect] : nil
    }
    var effects: [Effect] = [.refetch]
    if query.source == .search, let searchedGuild, view == .facts {
      effects.append(.memory(.search(text: searchText, guild: searchedGuild)))
    }
    if isOwnerShown { effects.append(.memory(.loadOwnerPrivate)) }
    return effects
  }

  // MARK: Settling

  /// Clamps cursors and scroll positions to the content.
  @MainActor package mutating func clampSelection(_ facts: ViewContext, body: Rect, screen: Size) {
    let layout = layout(facts, in: body, of: screen)
    findWanted(facts, layout)
    cursor.clamp(to: facts.factView.list(height: layout.visibleFacts))
    prepare(facts, layout)
    let panels: [Panel] =
      view == .facts ? [.detail, .provenance, .reflections] : [.document]
    for panel in panels {
      guard var place = scrollPositions[panel] else { continue }
      let area = layout.content(panel)
      guard !area.isEmpty else { continue }
      place.clamp(count: lines(panel, facts, layout).count, height: area.height)
      scrollPositions[panel] = place
    }
    let area = layout.content(.subjects)
    if !area.isEmpty {
      let list = SubjectList(facts, guild: query.guild, caches: caches)
      var place = TextCursor(line: list.line(of: query.subject), scroll: subjectScroll)
      place.clamp(count: list.entries.count + 1, height: area.height)
      subjectScroll = place.scroll
    }
  }

  /// Selects the fact requested by another tab as soon as it is loaded, and clears filters that
  /// hide it.
  @MainActor private mutating func findWanted(_ facts: ViewContext, _ layout: Layout) {
    guard let wanted = wantedFact else { return }
    let table = facts.memory.facts
    guard let id = id(of: wanted, in: table) else {
      let coverage = facts.memory.coverage(of: query.guild)
      // It may still arrive.
      guard !coverage.isLoading,
        coverage.isComplete || coverage.problem != nil || !coverage.cut.isEmpty
          || coverage.unreadable > 0
      else { return }
      wantedFact = nil
      message =
        "not among the facts that are listed: \"" + PlainText(wanted.fact, limit: 120) + "\""
      return
    }
    let rows = facts.factView.rows
    if let index = rows.firstIndex(where: { $0.id == id }) {
      cursor.select(line: index, in: facts.factView.list(height: layout.visibleFacts))
      forgetDetail()
      wantedFact = nil
      return
    }
    // The rows follow the query; when nothing hides it any more it is not in them at all.
    var open = query
    open.source = .facts
    open.subject = nil
    open.filter = ""
    open.onlyMatches = false
    open.among = nil
    if open.order == .score { open.order = .updated }
    if let guild = open.guild, table[id]?.guilds.contains(guild) != true { open.guild = nil }
    if open != query {
      query = open
      isOfAnswer = false
    } else if facts.factView.query == query {
      wantedFact = nil
      message = "the fact is not in the list"
    }
  }

  private func id(of wanted: FactReference, in table: FactTable) -> Int? {
    if let id = wanted.id { return table[id] == nil ? nil : id }
    let text = wanted.fact.collapsingWhitespace
    return table.entries.first { _, entry in
      (wanted.subject == nil || entry.fact.subject == wanted.subject)
        && entry.fact.fact?.collapsingWhitespace == text
    }?.key
  }
}

extension ViewContext {
  /// Whether the backend answers at the moment.
  package var isHeard: Bool {
    switch status.overall {
    case .live, .polling, .degraded: true
    case .connecting, .stale, .reconnecting, .stopped: false
    }
  }
}
