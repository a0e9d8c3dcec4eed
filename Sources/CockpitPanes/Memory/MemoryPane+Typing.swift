import TerminalUI
import ClankyWire
import CockpitStores
import TerminalCore

extension MemoryPane {
  mutating func open(_ bar: Bar, text: String) {
    self.bar = bar
    field = TextField(text, isSelected: true)
  }

  /// The guild of a search: the backend searches one at a time (contract 6.2).
  @MainActor package func guildToAsk(_ facts: ViewContext) -> String? {
    query.guild ?? facts.memory.guilds?.first
  }

  private static let noGuild: PlainText = "the backend searches one guild, and none is known yet"

  @MainActor mutating func openSearch(_ facts: ViewContext) {
    // While they are on their way, there is time to type.
    let areComing = facts.memory.guilds == nil && facts.memory.guildsFailure == nil
    guard areComing || guildToAsk(facts) != nil else {
      message = Self.noGuild
      return
    }
    view = .facts
    open(.search, text: searchText)
  }

  @MainActor mutating func openRecall(_ facts: ViewContext) -> [Effect] {
    guard let guild = guildToAsk(facts) else {
      message = "the backend recalls for one guild, and none is known yet"
      return []
    }
    let form = RecallForm(guild: guild, last: recalled, user: selectedUser)
    return [.open(NewLayer(MemoryDialog.recall(form)))]
  }

  // MARK: Keys

  @MainActor mutating func typeInBar(
    _ press: KeyPress, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    let outcome = field.press(press)
    switch (bar, outcome) {
    case (.find?, .edited):
      query.find = field.text
      if field.text.isEmpty { query.onlyMatches = false }
    case (.find?, .accept):
      query.find = field.text
      bar = nil
      jumpToHit(facts, body: body, screen: screen)
    case (.find?, .cancel):
      query.find = ""
      query.onlyMatches = false
      bar = nil
    case (.filter?, .edited):
      query.filter = field.text
      filterOff = nil
    case (.filter?, .accept):
      query.filter = field.text
      bar = nil
      if let problem = facts.factView.problem { message = PlainText(problem, limit: 300) }
    case (.filter?, .cancel):
      query.filter = filterBefore
      bar = nil
    case (.search?, .accept): return search(facts)
    case (.search?, .cancel): bar = nil
    default: break
    }
    return []
  }

  /// Pasted text goes into the open bar; otherwise it is ignored: a paste never triggers keys.
  @MainActor mutating func pasteIntoBar(_ text: String, _ facts: ViewContext) {
    switch bar {
    case nil:
      let keys = [KeyAction.find, .filter, .search].map { facts.keys.text($0).description }
      message = PlainText(
        "a paste is text: press \(keys.joined(separator: ", ")) first, then paste")
    case .find?:
      field.paste(text)
      query.find = field.text
    case .filter?:
      field.paste(text)
      query.filter = field.text
    case .search?: field.paste(text)
    }
  }

  // MARK: Search

  @MainActor private mutating func search(_ facts: ViewContext) -> [Effect] {
    let text = field.text.collapsingWhitespace
    guard !text.isEmpty else {
      bar = nil
      return []
    }
    guard let guild = guildToAsk(facts) else {
      message = Self.noGuild
      return []
    }
    bar = nil
    searchText = text
    searchedGuild = guild
    query.source = .search
    query.order = .score
    query.isReversed = false
    query.subject = nil
    cursor = ListCursor()
    focus = .facts
    forgetDetail()
    return [.memory(.search(text: text, guild: guild))]
  }

  mutating func leaveSearch() {
    query.source = .facts
    if query.order == .score { query.order = .updated }
    cursor = ListCursor()
    forgetDetail()
  }

  /// The chosen subject, if it is a user.
  var selectedUser: String? {
    guard let subject = query.subject, FactSubject(special: subject) == nil else { return nil }
    return subject
  }

  // MARK: Find and filter

  @MainActor mutating func toggleOnlyMatches(_ facts: ViewContext) {
    guard !query.find.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find first"
      return
    }
    query.onlyMatches.toggle()
  }

  @MainActor mutating func toggleFilter(_ facts: ViewContext) {
    if let off = filterOff {
      query.filter = off
      filterOff = nil
    } else if !query.filter.isEmpty {
      filterOff = query.filter
      query.filter = ""
    } else {
      message = "there is no filter; " + facts.keys.text(.filter) + " writes one"
    }
  }

  /// Stays on a hit under the cursor; else moves to the next one.
  @MainActor private mutating func jumpToHit(_ facts: ViewContext, body: Rect, screen: Size) {
    guard !query.find.isEmpty, let row = current(facts), !row.isHit else { return }
    walkHits(by: 1, facts, layout(facts, in: body, of: screen))
  }

  @MainActor mutating func walkHits(by step: Int, _ facts: ViewContext, _ layout: Layout) {
    guard !query.find.isEmpty else {
      message = "press " + facts.keys.text(.find) + " and type what to find"
      return
    }
    let rows = facts.factView.rows
    guard !rows.isEmpty else { return }
    let list = facts.factView.list(height: layout.visibleFacts)
    let start = cursor.settled(in: list).line
    var index = start
    for _ in rows.indices {
      index = (index + step + rows.count) % rows.count
      guard rows[index].isHit else { continue }
      if step > 0 ? index <= start : index >= start {
        message = step > 0 ? "from the top again" : "from the end again"
      }
      focus = .facts
      cursor.select(line: index, in: list)
      forgetDetail()
      return
    }
    message = "no hit for \"" + PlainText(query.find, limit: 60) + "\""
  }
}
