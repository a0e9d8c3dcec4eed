package import LenientJSON

/// The messages that set a row of a text answer off (contract 4.5, Text).
package enum RowTriggers {
  /// Kinds whose message is one that the bot sent; of others it is the one that set them off.
  package static let sentKinds: Set<String> = [
    "sent_reply", "sent_message", "automation_post", "automation_run", "initiative_post",
  ]

  /// The members of the metadata that `ids` reads.
  static let members: Set<String> = [
    "triggerMessageId", "triggerMessageIds", "messageId", "traceMessageId", "sourceMessageId",
    "sessionId",
  ]

  /// Ids of Discord, each once, the most telling first.
  package static func ids(kind: String, messageID: String?, metadata: JSONValue) -> [String] {
    if kind.hasPrefix("voice_") { return [] }
    var ids: [String?] = [metadata["triggerMessageId"]?.string]
    ids += (metadata["triggerMessageIds"]?.array ?? []).map(\.string)
    if kind.hasPrefix("llm_") { ids.append(metadata["messageId"]?.string) }
    if kind.hasPrefix("memory_") {
      ids.append(metadata["traceMessageId"]?.string)
      if let source = metadata["sourceMessageId"]?.string, isMessageID(source) {
        // The id of a fact's message may have a number behind it.
        ids.append(source.split(separator: "-").first.map(String.init))
      }
    }
    if kind == "text_runtime" || kind == "reply_skipped" || kind == "reacted" {
      ids.append(messageID)
    }
    var unique: [String] = []
    for case let id? in ids where isMessageID(id) && !unique.contains(id) { unique.append(id) }
    return unique
  }

  /// Ids of Discord have 17 to 20 digits; those of join events and the like are made by the bot.
  private static func isMessageID(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("voice-") && text.utf8.count <= 64
  }
}
