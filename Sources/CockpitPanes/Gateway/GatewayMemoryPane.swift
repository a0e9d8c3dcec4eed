import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// MEMORY of a gateway: the files that its agents remember by, their workspaces, and a search. It only reads.
package struct GatewayMemoryPane: GatewayTab {
  package enum Panel: Hashable, Sendable { case list, text }
  package enum Target: Hashable, Sendable { case line(Int), text }

  /// What the text panel shows.
  struct Opened: Hashable, Sendable {
    var lookup: GatewayLookup
    /// The line to begin with, counted from 1.
    var line: Int?
  }

  /// A folder of an agent's workspace.
  struct Folder: Hashable, Sendable {
    var agent: String
    /// "" is the workspace itself.
    var path: String

    /// nil for the workspace itself.
    var parent: Folder? {
      guard !path.isEmpty else { return nil }
      let parts = path.split(separator: "/").dropLast()
      return Folder(agent: agent, path: parts.joined(separator: "/"))
    }

    var lookup: GatewayLookup { .folder(agent: agent, path: path) }
  }

  package struct Search: Hashable, Sendable {
    var agent: String
    var words: String
  }

  package var panelFocus = PanelFocus(Panel.list)
  package internal(set) var message: PlainText?
  var cursor = ListCursor<GatewayMemoryItem>()
  var opened: Opened?
  /// The first line of the text in sight.
  var first = 0
  /// Whether the text is still to be scrolled to the line of a hit.
  var isSeeking = false
  var search: Search?
  /// The listed folder; nil while the files of all agents are listed.
  var folder: Folder?
  /// The typed words of a search; nil while none are typed.
  var field: TextField?
  /// The agent that is searched with them.
  var agentToAsk = ""

  package init() {}

  package var isTyping: Bool { field != nil }
  package var isDeep: Bool { opened != nil || search != nil || folder != nil }
  package var chosen: AnyHashable? { nil }

  package var hints: [KeyAction] {
    focus == .text
      ? [.help, .back, .nextPanel, .search, .quit]
      : [.help, .open, .search, .refresh, .nextPanel, .palette, .quit]
  }

  package func typingHint(_ keys: KeyTable) -> PlainText? {
    field == nil ? nil : "Enter searches on the gateway  Esc leaves"
  }

  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    var lookups = (facts.gateway?.agents ?? []).prefix(Self.maximumAgents).map {
      GatewayLookup.files(agent: $0.id)
    }
    if let search { lookups.append(.search(agent: search.agent, words: search.words)) }
    if let folder { lookups.append(folder.lookup) }
    if let opened { lookups.append(opened.lookup) }
    return lookups.map(Need.gateway)
  }

  /// Agents whose files are listed.
  static let maximumAgents = 20

  // MARK: Keys

  @MainActor package mutating func perform(
    _ command: KeyAction, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect]? {
    message = nil
    let layout = GatewayMemoryLayout(body, isReading: opened != nil, focus: focus)
    if let move = command.listMove {
      if focus == .text, opened != nil {
        first = max(0, min(first + move.lines(page: layout.text.height), Int.max / 2))
        if move == .top { first = 0 }
        if move == .bottom { first = .max / 2 }
      } else {
        cursor.perform(move, in: list(facts, layout))
      }
      clampSelection(facts, body: body, screen: screen)
      return []
    }
    switch command {
    case .open: return open(facts, layout)
    case .nextPanel, .previousPanel:
      if opened != nil { panelFocus.step(by: 1, in: [.list, .text]) }
      return []
    case .back:
      if focus == .text || opened != nil {
        (opened, focus) = (nil, .list)
      } else if search != nil {
        (search, cursor) = (nil, ListCursor())
      } else if let folder {
        (self.folder, cursor) = (folder.parent, ListCursor())
      } else {
        return nil
      }
      return []
    case .search:
      ask(facts, layout)
      return []
    case .refresh: return facts.isHeard ? [.refetch] : nil
    default: return nil
    }
  }

  @MainActor private mutating func open(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout
  ) -> [Effect] {
    switch row(facts, layout)?.item {
    case .file(let agent, let name)?: show(.file(agent: agent, name: name), line: nil)
    case .folder(let agent, let path)?:
      (folder, cursor) = (Folder(agent: agent, path: path), ListCursor())
    case .workspaceFile(let agent, let path)?:
      show(.workspaceFile(agent: agent, path: path), line: nil)
    case .hit(_, let path, let line)?:
      guard let search else { return [] }
      // A file that the gateway names is read as such; the others by the search's own tool.
      let isNamed = names(of: search.agent, facts).contains(path)
      show(
        isNamed
          ? .file(agent: search.agent, name: path) : .passage(agent: search.agent, path: path),
        line: line)
    case .agent?: message = "files are below; " + facts.keys.text(.search) + " searches this agent"
    case nil: break
    }
    return []
  }

  private mutating func show(_ lookup: GatewayLookup, line: Int?) {
    opened = Opened(lookup: lookup, line: line)
    (first, isSeeking, focus) = (0, line != nil, .text)
  }

  @MainActor private func names(of agent: String, _ facts: ViewContext) -> [String] {
    guard case .files(let files, _)? = facts.findings[.files(agent: agent)]?.finding else {
      return []
    }
    return files.filter { !$0.isMissing }.map(\.name)
  }

  @MainActor private mutating func ask(_ facts: ViewContext, _ layout: GatewayMemoryLayout) {
    let agent: String? =
      switch row(facts, layout)?.item {
      case .agent(let agent)?, .file(let agent, _)?, .folder(let agent, _)?,
        .workspaceFile(let agent, _)?:
        agent
      default: search?.agent ?? facts.gateway?.agents.first?.id
      }
    guard let agent else {
      message = "a search is made for one agent, and none is known yet"
      return
    }
    agentToAsk = agent
    field = TextField(search?.words ?? "", isSelected: true)
  }

  @MainActor package mutating func type(
    _ press: KeyPress, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    message = nil
    guard let outcome = field?.press(press) else { return [] }
    switch outcome {
    case .accept:
      let words = (field?.text ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
      field = nil
      guard !words.isEmpty else { return [] }
      search = Search(agent: agentToAsk, words: words)
      (cursor, opened, focus) = (ListCursor(), nil, .list)
    case .cancel: field = nil
    default: break
    }
    return []
  }

  @MainActor package mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    if field == nil {
      message = "a paste is text: press " + facts.keys.text(.search) + " first, then paste"
    } else {
      field?.paste(text)
    }
    return []
  }

  // MARK: Mouse

  @MainActor package mutating func press(
    _ target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    switch target {
    case .text: focus = .text
    case .line(let line):
      focus = .list
      cursor.select(
        line: line,
        in: list(facts, GatewayMemoryLayout(body, isReading: opened != nil, focus: focus)))
    }
    return []
  }

  @MainActor package mutating func wheel(
    _ lines: Int, over target: Target, on facts: ViewContext, body: Rect, screen: Size
  ) {
    switch target {
    case .text: first += lines
    case .line:
      cursor.scroll(
        by: lines,
        in: list(facts, GatewayMemoryLayout(body, isReading: opened != nil, focus: focus)))
    }
    clampSelection(facts, body: body, screen: screen)
  }

  // MARK: Settling

  @MainActor package mutating func clampSelection(
    _ facts: ViewContext, body: Rect, screen: Size
  ) {
    let layout = GatewayMemoryLayout(body, isReading: opened != nil, focus: focus)
    cursor.clamp(to: list(facts, layout))
    guard let opened else { return }
    let text = GatewayMemoryText(opened, facts, width: layout.text.width)
    if isSeeking, text.isThere {
      first = text.place(ofLine: opened.line ?? 1)
      isSeeking = false
    }
    first = max(0, min(first, text.lines.count - layout.text.height))
  }

  /// A text that has come is scrolled to its line before it is drawn.
  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    clampSelection(facts, body: body, screen: screen)
  }

  @MainActor func rows(_ facts: ViewContext, _ layout: GatewayMemoryLayout) -> [GatewayMemoryRow] {
    let rows = GatewayMemoryRows(facts: facts, width: layout.list.width)
    return rows.listed(search, folder)
  }

  @MainActor func list(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout
  ) -> CursorList<GatewayMemoryItem> {
    let rows = rows(facts, layout)
    return CursorList(count: rows.count, height: layout.list.height) { rows[$0].item }
  }

  @MainActor private func row(
    _ facts: ViewContext, _ layout: GatewayMemoryLayout
  ) -> GatewayMemoryRow? {
    let rows = rows(facts, layout)
    let line = cursor.settled(in: list(facts, layout)).line
    guard rows.indices.contains(line) else { return nil }
    // A snippet belongs to the hit above it.
    return rows[...line].last { $0.item != nil }
  }
}
