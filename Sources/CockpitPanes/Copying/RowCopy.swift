import LenientJSON
import CockpitText
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// What can be copied from a row of the log: data exactly as the backend sent them.
@MainActor
struct RowCopy {
  let row: ActionRowView
  let facts: ViewContext

  /// - Parameter pathValue: path and value under the cursor of the detail, if there is one.
  func items(pathValue: String? = nil) -> [CopyItem] {
    guard row.gap == nil else { return [CopyItem(.row, text)] }
    var items = [CopyItem(.row, text), CopyItem(.json, json)]
    if let id = row.actionID { items.append(CopyItem(.id, "\(id)")) }
    if let pathValue { items.append(CopyItem(.pathValue, pathValue)) }
    if let url { items.append(CopyItem(.url, url)) }
    items.append(CopyItem(.curl, curl))
    items.append(CopyItem(.query, query))
    if row.actionID != nil {
      items.append(CopyItem(.permalink, facts.permalink(["actions", "--filter", query])))
    }
    return items
  }

  /// The received bytes of the row.
  var json: String { row.withRaw { String(decoding: $0, as: UTF8.self) } }

  /// Time, kind, user, place and text, formatted as a quote; the text is exact.
  var text: String {
    if let gap = row.gap { return line(gap) }
    var parts = [iso(row.timeMs), row.kind]
    if let event = row.label.event { parts.append(event) }
    if let user = row.userID { parts.append(facts.names.directory.userName(user) ?? user) }
    if let channel = row.channelID {
      parts.append("#" + (facts.names.directory.channelName(channel) ?? channel))
    }
    let words = words
    return parts.joined(separator: " ") + (words.isEmpty ? "" : ": " + words)
  }

  private func line(_ gap: IDGapRow) -> String {
    switch gap.kind {
    case .filled(let count):
      "\(iso(gap.atMs)) the connection was lost; \(count) rows were fetched afterwards"
    case .lost, .unanswered, .replaced:
      "\(iso(gap.atMs)) \(GapText(gap).sentence.description)"
    }
  }

  /// The content, or the speech in the metadata (contract 4.5, Voice).
  private var words: String {
    let metadata = row.metadata()
    let spoken = ["transcript", "heard", "replyText"].lazy
      .compactMap { metadata[$0]?.string }.first { !$0.isEmpty }
    // The content of a container is the event, which is named already.
    let content = row.label.event == nil ? row.content() : nil
    return [content, spoken].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: " ")
  }

  private func iso(_ ms: Int64) -> String { WireTime(milliseconds: ms).iso }

  private var url: String? {
    DiscordLink.to(guild: row.guildID, channel: row.channelID, message: row.messageID)
  }

  /// The route has no filter for one row: its kind, since a little before it.
  private var curl: String {
    let hours = Double(max(0, facts.nowMs - row.timeMs)) / 3_600_000 + 0.1
    var target = RequestTarget.actions(limit: 1000, sinceHours: hours, kinds: [row.kind])
    if let guild = row.guildID { target.query.append(.init("guildId", guild)) }
    return ShellLine.curl(facts.connection.address, target)
  }

  /// A filter that finds the row again: by its id, else by its kind in its second.
  private var query: String {
    if let id = row.actionID { return "id:\(id)" }
    return "kind:\(Self.queryWord(row.kind)) at:\(iso(row.timeMs))"
  }

  /// A filter value, quoted if necessary.
  static func queryWord(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x2D: true
      default: false
      }
    }
    if isPlain, !text.isEmpty { return text }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}
