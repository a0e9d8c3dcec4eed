import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The text conversations by channel: a view of BRAIN. A list of replies, and how the chosen one came about.
package struct ConversationsPane: TabPane {
  package enum Panel: String, CaseIterable, Hashable, Sendable { case list, detail }

  package enum Target: Hashable, Sendable {
    case panel(Panel)
    /// A line of a panel, by its number.
    case line(Panel, Int)
    /// A channel above the list; nil is all of them.
    case channel(ConversationList.Channel?)
  }

  /// How far back it reaches.
  package enum Reach: Int, CaseIterable, Hashable, Sendable {
    case day, threeDays, all

    var hours: Int64? {
      switch self {
      case .day: 24
      case .threeDays: 72
      case .all: nil
      }
    }

    var title: PlainText {
      switch self {
      case .day: "24 h"
      case .threeDays: "3 days"
      case .all: "all that is kept"
      }
    }
  }

  /// Whether BRAIN shows it.
  package internal(set) var isOpen = false
  package var panelFocus = PanelFocus(Panel.list)
  package internal(set) var message: PlainText?
  package internal(set) var reach = Reach.day
  /// The channel that is shown; nil shows all.
  package internal(set) var channel: ConversationList.Channel?
  package internal(set) var showsSilences = true
  var cursor = ListCursor<RowID>()
  var detailCursor = TextCursor()
  private var lists = Prepared<ListKey, ConversationList>()
  /// The rows in sight and the chosen one, read once.
  private var records = Prepared<RecordKey, ReplyRecord>(limit: 200)

  package init() {}

  package var isTyping: Bool { false }

  package mutating func open() {
    isOpen = true
    isZoomed = false
  }

  package mutating func hide() { isOpen = false }

  /// Goes back to all channels: those of another guild are others.
  package mutating func forgetChannel() {
    channel = nil
    letGo()
  }

  // MARK: What is shown

  /// Changes when a reply comes, goes, or the window moves by a minute.
  struct ListKey: Hashable, Sendable {
    var replies: Int
    /// How many rows have gone, in thousands: a full ring loses one with each that comes.
    var evicted: Int
    var generation: Int
    var sinceMs: Int64
    var scope: GuildScope
  }

  struct RecordKey: Hashable, Sendable {
    var row: RowID
    var version: ActionRowView.Version
  }

  /// From when on replies are shown, ms since 1970.
  @MainActor func sinceMs(_ facts: ViewContext) -> Int64 {
    reach.hours.map { facts.minuteMs - $0 * Self.hourMs } ?? .min
  }

  private static let hourMs: Int64 = 3_600_000

  @MainActor private func key(_ facts: ViewContext) -> ListKey {
    let log = facts.activity.log
    let count = log.labels().reduce(0) {
      $0 + (ConversationList.kinds.contains($1.label.kind) ? $1.count : 0)
    }
    return ListKey(
      replies: count, evicted: log.firstRow >> 12, generation: log.generation,
      sinceMs: sinceMs(facts), scope: facts.scope)
  }

  @MainActor func list(_ facts: ViewContext) -> ConversationList {
    let key = key(facts)
    return lists.value(key) {
      ConversationList(facts.activity.log, sinceMs: key.sinceMs, scope: key.scope)
    }
  }

  @MainActor func entries(_ facts: ViewContext) -> [ConversationList.Entry] {
    list(facts).entries(of: channel, withSilences: showsSilences)
  }

  /// What a row says; nil if it is no longer kept.
  @MainActor func record(_ row: RowID, _ facts: ViewContext) -> ReplyRecord? {
    guard let view = facts.activity.log.row(row), !view.isGap else { return nil }
    return records.value(RecordKey(row: row, version: view.version)) {
      ReplyRecord(ExchangeRow(view))
    }
  }

  @MainActor package mutating func prepare(_ facts: ViewContext, body: Rect, screen: Size) {
    let key = key(facts)
    lists.prepare(key) {
      ConversationList(facts.activity.log, sinceMs: key.sinceMs, scope: key.scope)
    }
    let layout = layout(in: body, of: screen)
    let entries = entries(facts)
    let place = cursor.settled(in: cursorList(entries, height: layout.entryCount))
    let shown = entries.dropFirst(place.scroll).prefix(layout.entryCount).map(\.row)
    let chosen = entries.indices.contains(place.line) ? [entries[place.line].row] : []
    for row in shown + chosen {
      guard let view = facts.activity.log.row(row), !view.isGap else { continue }
      records.prepare(RecordKey(row: row, version: view.version)) {
        ReplyRecord(ExchangeRow(view))
      }
    }
  }

  func cursorList(_ entries: [ConversationList.Entry], height: Int) -> CursorList<RowID> {
    CursorList(count: entries.count, height: max(1, height)) { entries[$0].row }
  }

  /// The entry under the cursor.
  @MainActor func current(_ facts: ViewContext) -> ConversationList.Entry? {
    let entries = entries(facts)
    let line = cursor.settled(in: cursorList(entries, height: 1)).line
    return entries.indices.contains(line) ? entries[line] : nil
  }

  // MARK: What the log lacks

  /// The request for the replies that are not here; to the hour, so that it is one for all of its minutes.
  @MainActor package func request(_ facts: ViewContext) -> HistoryRequest {
    let since = reach.hours.map { (facts.minuteMs / Self.hourMs - $0) * Self.hourMs }
    return HistoryRequest(
      kinds: ConversationList.kinds, guild: facts.scope.guild, sinceMs: since ?? .min)
  }

  /// From when on all replies are here; nil if unknown.
  @MainActor func beginMs(_ facts: ViewContext) -> Int64? {
    facts.coverageBegin(kinds: ConversationList.kinds)
  }

  /// Whether every reply of the window is here.
  @MainActor func isWhole(_ facts: ViewContext) -> Bool {
    guard let begin = beginMs(facts) else { return false }
    return begin == LogCoverage.everything || begin <= sinceMs(facts)
  }

  @MainActor package func needs(_ facts: ViewContext) -> [Need] {
    let request = request(facts)
    guard !isWhole(facts), !facts.status.history.isDone(request) else { return [] }
    return [.history(request)]
  }

  /// What the list covers, and why it is not all.
  @MainActor func coverage(_ facts: ViewContext) -> (text: PlainText, role: Role) {
    if isWhole(facts) {
      let whole = "all of " + reach.title
      return facts.asOf(.activity).map { (whole + ", " + $0, .warning) } ?? (whole, .muted)
    }
    guard let begin = beginMs(facts) else {
      return facts.isHeard
        ? (facts.fetching ?? "asked for", .info)
        : ("not connected, so none can be asked for", .warning)
    }
    let since = "since " + facts.beginning(begin)
    if let fetching = facts.fetching { return (since + "; " + fetching, .info) }
    guard facts.isHeard else {
      return (since + "; not connected, so no older ones can be asked for", .warning)
    }
    if facts.status.history.isDone(request(facts)) || facts.status.history.stop != nil {
      // What was asked for by kind and guild reaches further back than all of it does.
      let hasOlder = list(facts).entries.contains { $0.timeMs < begin }
      let some: PlainText = hasOlder ? "; not all of the older ones here: " : "; "
      return (since + some + facts.whyNoOlder(kinds: ConversationList.kinds), .warning)
    }
    return (since + "; older ones are asked for", .info)
  }

  // MARK: TabPane

  package var hints: [KeyAction] {
    [
      .help, .open, .why, .left, .right, .filterToggle, .zoomOut, .nextPanel, .zoom, .copy,
      .refresh, .quit,
    ]
  }

  @MainActor package func explained(
    _ facts: ViewContext, body: Rect, screen: Size
  ) -> [ExplainedName] {
    guard let entry = current(facts), let row = facts.activity.log.row(entry.row) else {
      return []
    }
    return ExplainedName.all(of: row)
  }

  @MainActor package func exchange(
    _ facts: ViewContext, in rows: ExchangeRows, body: Rect, screen: Size
  ) -> Exchange.Key? {
    current(facts).flatMap { rows.key(of: $0.row) }
  }

  @MainActor package func mayHaveExchange(_ facts: ViewContext) -> Bool { current(facts) != nil }

  package var chosen: AnyHashable? { cursor.id }

  package func isIn(_ answer: SelectedAnswer) -> Bool {
    cursor.id.map(answer.rows.contains) ?? false
  }

  @MainActor package mutating func stand(
    on answer: SelectedAnswer, _ facts: ViewContext, body: Rect, screen: Size
  ) -> [Effect] {
    let found = list(facts).entries.first { answer.rows.contains($0.row) }
    guard let found else { return [] }
    if channel != nil, channel != found.channel { channel = found.channel }
    if found.isSilence { showsSilences = true }
    cursor.select(id: found.row)
    detailCursor = TextCursor()
    return []
  }

  package mutating func letGo() {
    cursor = ListCursor()
    detailCursor = TextCursor()
  }

  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    guard let entry = current(facts), let view = facts.activity.log.row(entry.row) else {
      return []
    }
    var items = [CopyItem(.row, view.content() ?? "")]
    if let json = view.jsonLine() {
      items.append(CopyItem(.json, String(decoding: json, as: UTF8.self)))
    }
    if let id = view.actionID { items.append(CopyItem(.id, "\(id)")) }
    if let url = DiscordLink.to(
      guild: view.guildID, channel: view.channelID, message: view.messageID)
    {
      items.append(CopyItem(.url, url))
    }
    return items
  }
}
