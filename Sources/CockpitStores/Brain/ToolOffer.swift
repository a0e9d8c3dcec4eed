internal import LenientJSON
internal import ClankyWire

/// Which tools a reply could use and which not, and why (`reply_tool_availability`, contract 4.4).
package struct ToolOffer: Hashable, Sendable {
  package struct Excluded: Hashable, Sendable {
    package var name: String
    /// In the backend's words, such as `settings_disabled`.
    package var reason: String?
  }

  package var row: RowID
  /// Milliseconds since 1970.
  package var timeMs: Int64
  package var sessionID: String?
  package var channelID: String?
  package var included: [String]
  package var excluded: [Excluded]

  init(_ row: ActionRowView) {
    self.row = row.id
    timeMs = row.timeMs
    channelID = row.channelID
    let metadata = row.metadata()
    sessionID = metadata["sessionId"]?.string
    included = (metadata["includedTools"]?.array ?? []).prefix(200).compactMap(\.string)
    excluded = (metadata["excludedTools"]?.array ?? []).prefix(200).compactMap { tool in
      if let name = tool.string { return Excluded(name: name) }
      guard let name = tool["name"]?.string else { return nil }
      return Excluded(name: name, reason: tool["reason"]?.string)
    }
  }
}
