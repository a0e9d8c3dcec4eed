/// The fields of a fact filter.
enum FactField: String, CaseIterable, Sendable {
  case type, subject, user, scope, guild, channel, conf, fact, evidence, source, id
  case age, updated, created

  /// Names that mean the same.
  private static let aliases: [String: FactField] = [
    "confidence": .conf, "text": .fact, "message": .source, "msg": .source, "server": .guild,
    "chan": .channel,
  ]

  init?(name: String) {
    let name = name.lowercased()
    guard let field = FactField(rawValue: name) ?? Self.aliases[name] else { return nil }
    self = field
  }
}
