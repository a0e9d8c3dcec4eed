internal import ClankyWire
internal import LenientJSON

/// A row in the shape of the lines that the bot itself writes into its log of actions: what reads those reads these.
package enum UpstreamLine {
  /// What a content keeps in `event`.
  private static let eventLength = 180

  /// One JSON object without a line end, in printable ASCII.
  ///
  /// - Parameter instance: the name of the bot.
  package static func json(_ row: SinkRow, instance: String) -> [UInt8] {
    var object = JSONObjectWriter(capacity: row.json.count + 200)
    object.string("ts", WireTime(milliseconds: row.atMs).iso)
    object.string("instance", instance)
    object.string("source", "store_action")
    object.string("level", row.label.kind.lowercased().contains("error") ? "error" : "info")
    object.string("kind", row.label.kind)
    object.string("event", event(row))
    object.string("agent", agent(row))
    object.string("guild_id", row.guild)
    object.string("channel_id", row.channel)
    object.string("message_id", row.message)
    object.string("user_id", row.person)
    object.double("usd_cost", Double(row.costNanos) / 1e9)
    object.string("content", row.content.flatMap { $0.isEmpty ? nil : $0 })
    object.value("metadata", row.metadata)
    return object.finish()
  }

  private static func event(_ row: SinkRow) -> String {
    guard let content = row.content, content.contains(where: { !$0.isWhitespace }) else {
      return row.label.kind
    }
    return String(content.prefix(eventLength))
  }

  private static let agents = ["voice", "discovery", "automation", "memory", "bot"]

  private static func agent(_ row: SinkRow) -> String {
    let named = ["agent", "agentId", "agentName"].lazy.compactMap { row.metadata[$0]?.string }
      .first { !$0.isEmpty }
    if let named { return String(named.prefix(80)) }
    return agents.first { row.label.kind.hasPrefix($0 + "_") } ?? "runtime"
  }
}
