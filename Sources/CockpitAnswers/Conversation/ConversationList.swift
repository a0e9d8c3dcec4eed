package import CockpitStores
internal import ClankyWire

/// The replies, posts and silences of the log, by channel, newest first.
package struct ConversationList: Hashable, Sendable {
  /// The kinds that close a text exchange.
  package static let kinds: Set<String> = ["sent_reply", "sent_message", "reply_skipped"]

  package struct Entry: Hashable, Sendable {
    package var row: RowID
    package var timeMs: Int64
    package var channel: Channel
    package var isSilence: Bool
  }

  package struct Channel: Hashable, Sendable {
    package var guildID: String?
    package var channelID: String?
  }

  package struct Conversation: Hashable, Sendable {
    package var channel: Channel
    package var replies: Int
    package var silences: Int
    package var newestMs: Int64
  }

  /// All entries, newest first.
  package private(set) var entries: [Entry] = []
  /// The channels, the one with the newest entry first.
  package private(set) var conversations: [Conversation] = []
  /// Number of replies and posts, and of silences.
  package var replies: Int { conversations.reduce(0) { $0 + $1.replies } }
  package var silences: Int { conversations.reduce(0) { $0 + $1.silences } }

  package init() {}

  /// - Parameters:
  ///   - sinceMs: older ones are left out, ms since 1970.
  ///   - scope: those of other guilds are left out.
  @MainActor package init(_ log: ActionLog, sinceMs: Int64, scope: GuildScope = .all) {
    var seen: Set<Twin> = []
    var places: [Channel: Int] = [:]
    var index = 0
    while index < log.count {
      let view = log.row(at: index)
      index += 1
      guard !view.isGap, !view.isOfFormerLog, Self.kinds.contains(view.kind) else { continue }
      // Rows are in the order of time.
      guard view.timeMs >= sinceMs else { break }
      guard scope.holds(view.guildID) else { continue }
      let channel = Channel(guildID: view.guildID, channelID: view.channelID)
      // The backend logs some rows twice.
      let twin = Twin(
        timeMs: view.timeMs, kind: view.kind, channel: channel,
        content: view.content(limit: 200) ?? "")
      guard seen.insert(twin).inserted else { continue }
      let isSilence = view.kind == "reply_skipped"
      entries.append(
        Entry(row: view.id, timeMs: view.timeMs, channel: channel, isSilence: isSilence))
      if places[channel] == nil {
        places[channel] = conversations.count
        conversations.append(
          Conversation(channel: channel, replies: 0, silences: 0, newestMs: view.timeMs))
      }
      guard let place = places[channel] else { continue }
      if isSilence {
        conversations[place].silences += 1
      } else {
        conversations[place].replies += 1
      }
    }
  }

  private struct Twin: Hashable {
    var timeMs: Int64
    var kind: String
    var channel: Channel
    var content: String
  }

  /// The entries of a channel, or of all.
  package func entries(of channel: Channel?, withSilences: Bool) -> [Entry] {
    guard channel != nil || !withSilences else { return entries }
    return entries.filter {
      (channel == nil || $0.channel == channel) && (withSilences || !$0.isSilence)
    }
  }
}
