internal import LenientJSON
internal import ClankyWire

extension JournalEntry {
  /// Raised when a reader of before would misread a line.
  static let version = 1

  /// The entry as one line of ASCII JSON, without its end.
  package var line: [UInt8] {
    var writer = JSONObjectWriter()
    writer.int("version", Self.version)
    writer.string("write", write)
    writer.string("at", WireTime(milliseconds: atMs).iso)
    writer.string("backend", backend)
    writer.string("guildId", guild)
    writer.string("verb", verb.rawValue)
    writer.int("factId", factID)
    writer.string("outcome", outcome.rawValue)
    writer.string("detail", detail)
    writer.value("before", before?.json ?? .null)
    writer.value("after", after?.json ?? .null)
    if let subject { writer.string("subject", subject) }
    if !facts.isEmpty { writer.value("facts", .array(facts.map(\.json))) }
    return writer.finish()
  }

  /// Parses a line; nil if it is not ours.
  package init?(line: [UInt8]) {
    guard let json = try? JSONValue.parse(line), json["version"]?.int == Self.version,
      let write = json["write"]?.string,
      let at = json["at"]?.string.flatMap(WireTime.init(iso:)),
      let backend = json["backend"]?.string, let guild = json["guildId"]?.string,
      let verb = json["verb"]?.string.flatMap(Verb.init), let id = json["factId"]?.int,
      let outcome = json["outcome"]?.string.flatMap(Outcome.init)
    else { return nil }
    self.init(
      write: write, atMs: at.milliseconds, backend: backend, guild: guild, verb: verb, factID: id,
      before: json["before"].flatMap(Fact.init), after: json["after"].flatMap(Fact.init),
      outcome: outcome, detail: json["detail"]?.string, subject: json["subject"]?.string)
    facts = json["facts"]?.array?.compactMap(Fact.init) ?? []
  }
}
