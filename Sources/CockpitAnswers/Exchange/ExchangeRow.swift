internal import ClankyWire
package import CockpitStores
package import LenientJSON

/// A row of the log, read once, with the ids that link it to others.
package struct ExchangeRow: Hashable, Sendable {
  package var row: RowID
  package var actionID: Int?
  package var timeMs: Int64
  package var kind: String
  package var event: String
  package var guildID: String?
  package var channelID: String?
  package var messageID: String?
  package var userID: String?
  package var content: String?
  package var costUSD: Double?
  package var isFailure: Bool
  package var metadata: JSONValue

  package init(_ view: ActionRowView) {
    row = view.id
    actionID = view.actionID
    timeMs = view.timeMs
    kind = view.kind
    event = view.label.title
    guildID = view.guildID
    channelID = view.channelID
    messageID = view.messageID
    userID = view.userID
    content = view.content(limit: 4000)
    costUSD = view.costUSD
    isFailure = view.isFailure
    metadata = view.metadata()
  }

  /// The row as something to cite.
  package func source(_ link: Exchange.Link = .id) -> Exchange.Source {
    Exchange.Source(
      row: row, actionID: actionID, timeMs: timeMs, kind: kind, event: event, link: link)
  }

  func string(_ key: String) -> String? {
    guard let text = metadata[key]?.string, !text.isEmpty else { return nil }
    return text
  }

  /// Kinds whose message is one that the bot sent; of others it is the one that set them off.
  static let sentKinds: Set<String> = [
    "sent_reply", "sent_message", "automation_post", "automation_run", "initiative_post",
  ]

  /// The messages that set the row off (contract 4.5, Text).
  var triggers: [String] {
    if kind.hasPrefix("voice_") { return [] }
    var ids: [String?] = [metadata["triggerMessageId"]?.string]
    ids += (metadata["triggerMessageIds"]?.array ?? []).map(\.string)
    if kind.hasPrefix("llm_") { ids.append(metadata["messageId"]?.string) }
    if kind.hasPrefix("memory_") {
      ids.append(metadata["traceMessageId"]?.string)
      // The id of a fact's message may have a number behind it.
      ids.append(metadata["sourceMessageId"]?.string?.split(separator: "-").first.map(String.init))
    }
    if kind == "text_runtime" || kind == "reply_skipped" || kind == "reacted" {
      ids.append(messageID)
    }
    var unique: [String] = []
    for case let id? in ids where Self.isMessageID(id) && !unique.contains(id) { unique.append(id) }
    return unique
  }

  /// Ids of Discord have 17 to 20 digits; those of join events and the like are made by the bot.
  private static func isMessageID(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("voice-") && text.utf8.count <= 64
  }

  /// Whether it is the same action, logged twice.
  func isTwin(of other: ExchangeRow) -> Bool {
    timeMs == other.timeMs && kind == other.kind && content == other.content
      && messageID == other.messageID && channelID == other.channelID && userID == other.userID
      && metadata == other.metadata
  }

  /// The prompts in it: system, then user; empty when it has none.
  var prompts: [String] {
    let bundle = metadata["replyPrompts"]
    let followups = bundle?["followupUserPrompts"]?.array ?? []
    let texts =
      [
        metadata["systemPrompt"], metadata["userPrompt"], bundle?["systemPrompt"],
        bundle?["initialUserPrompt"],
      ] + followups
    return texts.compactMap { $0?.string }.filter { !$0.isEmpty }
  }

  /// One text with names in it, or a list (contract 4.5).
  var toolNames: [String] {
    let value = metadata["toolNames"]
    let names =
      value?.array?.compactMap(\.string)
      ?? value?.string?.split(separator: ",").map { String($0.drop { $0 == " " }) } ?? []
    return names.filter { !$0.isEmpty }
  }

  /// Time in ms of a member; nil when it is missing or beyond belief.
  func milliseconds(_ key: String) -> Int? {
    metadata[key]?.int.flatMap { $0 >= 0 && $0 < 86_400_000 ? $0 : nil }
  }
}
