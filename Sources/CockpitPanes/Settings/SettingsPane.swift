import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore
import TerminalUI

/// The settings of the bot: a view of CMD. A list by section, the setting under the cursor, and what really runs.
package struct SettingsPane: TabPane {
  package enum Panel: String, CaseIterable, Hashable, Sendable { case list, runtime }

  package enum Target: Hashable, Sendable {
    case panel(Panel)
    /// A row of a panel, by its number.
    case row(Panel, Int)
  }

  /// Whether CMD shows it.
  package internal(set) var isOpen = false
  package var panelFocus = PanelFocus(Panel.list)
  package internal(set) var message: PlainText?
  var cursor = ListCursor<SettingsItem>()
  /// Begins below the first heading.
  var runtimeCursor = TextCursor(line: 1, scroll: 0)
  var unfolded: Set<SettingSection> = []
  /// Words that narrow the list.
  var search = ""
  /// The words as they are typed; nil if no field is open.
  var field: TextField?
  var isOnlyDiffering = false
  private var trees = Prepared<TreeKey, SettingsTree>()
  private var runtimes = Prepared<TreeKey, EffectiveRuntime>()

  package init() {}

  package var isTyping: Bool { field != nil }

  /// Shows the settings, or what runs.
  package mutating func open(_ panel: Panel) {
    isOpen = true
    focus = panel
    isZoomed = false
  }

  package mutating func hide() { isOpen = false }

  // MARK: What is shown

  /// Tells documents apart without comparing them.
  struct TreeKey: Hashable, Sendable {
    var version: String
    /// A hash of the document if it has no version; else 0.
    var effective: Int
  }

  private static func key(_ settings: BotSettings) -> TreeKey {
    TreeKey(
      version: settings.version,
      effective: settings.version.isEmpty ? settings.effective.hashValue : 0)
  }

  @MainActor func tree(_ facts: ViewContext) -> SettingsTree? {
    facts.settings.document.value.map { settings in
      trees.value(Self.key(settings)) { SettingsTree(settings) }
    }
  }

  @MainActor func runtime(_ facts: ViewContext) -> EffectiveRuntime? {
    facts.settings.document.value.map { settings in
      runtimes.value(Self.key(settings)) { EffectiveRuntime(settings) }
    }
  }

  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    guard let settings = facts.settings.document.value else { return }
    let key = Self.key(settings)
    trees.prepare(key) { SettingsTree(settings) }
    runtimes.prepare(key) { EffectiveRuntime(settings) }
  }

  /// The words of the search, in lower case.
  var words: [String] {
    (field?.text ?? search).lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
  }

  var isNarrowed: Bool { !words.isEmpty || isOnlyDiffering }

  @MainActor func rows(_ facts: ViewContext) -> [SettingsRow] {
    guard let tree = tree(facts) else { return [] }
    let rows = tree.rows(
      unfolded: unfolded, words: words, isOnlyDiffering: isOnlyDiffering)
    return isNarrowed ? rows : rows + SettingsAction.allCases.map(SettingsRow.action)
  }

  func list(_ rows: [SettingsRow], height: Int) -> CursorList<SettingsItem> {
    CursorList(count: rows.count, height: max(1, height)) { rows[$0].id }
  }

  /// The row under the cursor.
  @MainActor func current(_ facts: ViewContext) -> SettingsRow? {
    let rows = rows(facts)
    let line = cursor.settled(in: list(rows, height: 1)).line
    return rows.indices.contains(line) ? rows[line] : nil
  }

  /// The setting under the cursor.
  @MainActor func currentEntry(_ facts: ViewContext) -> SettingsTree.Entry? {
    if case .setting(let entry)? = current(facts) { entry } else { nil }
  }

  // MARK: TabPane

  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    [.settings(.load), .settings(.loadJournal)]
  }

  package var hints: [KeyAction] {
    [.help, .edit, .find, .filter, .delete, .undo, .nextPanel, .copy, .refresh, .quit]
  }

  @MainActor package func hints(on facts: ViewContext) -> [KeyAction] {
    if case .notServed = facts.settings.document { return [.help, .refresh, .quit] }
    return focus == .runtime ? [.help, .open, .nextPanel, .refresh, .quit] : hints
  }

  package func routes(of command: KeyAction) -> [BackendRoute] {
    switch command {
    case .edit, .editExternally, .delete, .undo: [.settings, .saveSettings]
    default: command.routes
    }
  }

  package func typingHint(_ keys: KeyTable) -> PlainText? {
    field == nil ? nil : "Enter keeps it  Esc shows all again  words of path, meaning and value"
  }

  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] { [] }

  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? { nil }

  package var chosen: AnyHashable? { nil }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] { [] }

  package mutating func letGo() {}

  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    guard let entry = currentEntry(facts), focus == .list else { return [] }
    let path = entry.item.path
    let value = entry.item.value.map { SettingSecrecy.masked($0, at: path).serialized() } ?? ""
    return [
      CopyItem(.pathValue, "\(path)=\(value)"), CopyItem(.json, value.isEmpty ? "null" : value),
      CopyItem(.permalink, "clanky-cockpit settings get '\(path)'"),
    ]
  }
}
