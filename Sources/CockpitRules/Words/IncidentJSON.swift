internal import ClankyWire
internal import LenientJSON

/// An incident as one JSON object, ASCII only.
package struct IncidentJSON {
  private let incident: Incident
  private let isWithdrawn: Bool
  private let recent: RecentIncidents?

  /// - Parameter recent: nil where the last seven days are not known.
  package init(_ incident: Incident, isWithdrawn: Bool = false, recent: RecentIncidents? = nil) {
    self.incident = incident
    self.recent = recent
    self.isWithdrawn = isWithdrawn
  }

  package var line: [UInt8] {
    var bytes: [UInt8] = []
    object.write(to: &bytes, ascii: true)
    return bytes
  }

  private var object: JSONValue {
    .body([
      ("id", .string(incident.id)), ("rule", .string(incident.rule.rawValue)),
      ("level", .string(incident.level.rawValue)), ("from", time(incident.fromMs)),
      ("to", time(incident.toMs)), ("count", .integer(incident.count)),
      ("sentence", .string(incident.sentence)), ("withdrawn", .bool(isWithdrawn)),
      ("sessionId", text(incident.sessionID)), ("guildId", text(incident.guildID)),
      ("channelId", text(incident.channelID)), ("userId", text(incident.userID)),
      (
        "evidence",
        .array(
          incident.evidence.map { cite in
            .body([
              ("id", cite.actionID.map { .integer($0) } ?? .null), ("at", time(cite.timeMs)),
              ("event", .string(cite.name)),
            ])
          })
      ), ("missing", text(incident.missing)), ("cause", text(incident.cause)),
      ("advice", .string(incident.advice)),
      (
        "last7Days",
        recent.map { recent in
          .body([
            ("count", .integer(recent.count(incident.rule))),
            ("recordedDays", JSONValue.finite(recent.recordedDays) ?? .null),
          ])
        } ?? .null
      ),
    ])
  }

  private func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  private func time(_ ms: Int64) -> JSONValue { .string(WireTime(milliseconds: ms).iso) }
}
