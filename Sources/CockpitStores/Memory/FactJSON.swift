package import LenientJSON
package import ClankyWire

extension Fact {
  /// The fact as the backend spells it, so that `Fact.init` reads the same one again: for drafts,
  /// the journal and exports.
  package var json: JSONValue {
    func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
    var members: [(key: String, value: JSONValue?)] = [
      ("id", id.map { .integer($0) }),
      ("created_at", text(createdAt?.iso)),
      ("updated_at", text(updatedAt?.iso)),
    ]
    // The presence of the member, even as null, distinguishes May from March (contract 9.8).
    if scope != nil || dialect == .may { members.append(("scope", text(scope?.rawValue) ?? .null)) }
    members += [
      ("guild_id", text(guildID)), ("channel_id", text(channelID)), ("user_id", text(userID)),
      ("subject", text(subject)), ("subjectLabel", text(subjectLabel)), ("fact", text(fact)),
      ("fact_type", text(factType?.rawValue)), ("evidence_text", text(evidenceText)),
      ("source_message_id", text(sourceMessageID)),
      ("confidence", confidence.flatMap(JSONValue.finite)),
      ("metadata", isLegacy.map { .body([("isLegacy", .bool($0))]) }),
    ]
    return .body(members)
  }
}
