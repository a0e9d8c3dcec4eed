import CockpitText
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

extension PulsePane {
  @MainActor package func copyItems(_ facts: ViewContext) -> [CopyItem] {
    if let table = shownTable(facts) { return copyItems(table, facts) }
    guard let row = selectedRow(facts) else { return [] }
    let isInDetail = isDetailOpen && focus == .detail
    return RowCopy(row: row, facts: facts)
      .items(pathValue: isInDetail ? detail.member?.assignment : nil)
  }

  /// A line of a table, its JSON, and the filter for its rows.
  @MainActor private func copyItems(_ table: QueryTable, _ facts: ViewContext) -> [CopyItem] {
    let line = self.table.line(in: table)
    guard table.lines.indices.contains(line) else { return [] }
    let text = TableText(table, shown: line..<line + 1, clock: facts.clock, nowMs: facts.minuteMs)
    var items = [
      CopyItem(.row, text.cells[0].map(\.description).joined(separator: "  ")),
      CopyItem(
        .json, String(decoding: TableJSON(table, of: feedQuery).line(line), as: UTF8.self)),
    ]
    if let query = table.query(behind: table.lines[line], of: feedQuery) {
      items.append(CopyItem(.query, query))
    }
    return items
  }

  /// The open detail in full, or else the rows that pass the filter, oldest first.
  @MainActor package func plainText(_ facts: ViewContext) -> String? {
    if isDetailOpen, focus == .detail || isZoomed, let row = selectedRow(facts), !row.isGap {
      return row.withRaw { (try? JSONValue.parse($0))?.prettyLines(limit: 50_000) }?
        .joined(separator: "\n")
    }
    if let table = shownTable(facts) {
      return TableText(table, clock: facts.clock, nowMs: facts.minuteMs)
        .plain(width: 160, isASCII: true).prefix(Self.plainRows).map(\.description)
        .joined(separator: "\n")
    }
    let count = min(facts.lines.count, Self.plainRows)
    var lines: [String] = []
    for index in stride(from: count - 1, through: 0, by: -1) {
      guard let row = facts.lines.row(at: index, in: facts.activity.log) else { continue }
      let own = facts.isMerged ? facts.facts(ofRow: facts.lines.rowID(at: index)) : facts
      let tag = facts.isMerged ? facts.tag(ofRow: facts.lines.rowID(at: index)) : nil
      let line =
        (tag.map { $0.letters.description + "  " } ?? "") + RowCopy(row: row, facts: own).text
      lines.append(line.replacing("\r", with: " ").replacing("\n", with: " "))
    }
    return lines.joined(separator: "\n")
  }

  /// More rows than a user scrolls back through.
  private static let plainRows = 1000

  /// The links of the selected row: its message first, then those in its texts.
  @MainActor package func links(_ facts: ViewContext) -> [WebLink] {
    guard let row = selectedRow(facts), !row.isGap else { return [] }
    var links: [WebLink] = []
    if let text = DiscordLink.to(
      guild: row.guildID, channel: row.channelID, message: row.messageID),
      let link = WebLink(text)
    {
      links.append(link)
    }
    if let content = row.content(limit: 20_000) { links += WebLink.found(in: content) }
    links += WebLink.found(in: row.metadata())
    var known: Set<WebLink> = []
    return links.filter { known.insert($0).inserted }
  }
}
