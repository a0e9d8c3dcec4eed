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

  /// The messages that set the row off.
  var triggers: [String] {
    RowTriggers.ids(kind: kind, messageID: messageID, metadata: metadata)
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
