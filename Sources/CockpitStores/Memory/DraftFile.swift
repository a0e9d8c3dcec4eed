internal import LenientJSON
internal import ClankyWire

/// The file format of a draft: one JSON object, in ASCII.
enum DraftFile {
  /// Raised when a reader of before would misread a draft.
  static let version = 1

  /// Why a draft file is rejected.
  enum Problem: Error, Hashable {
    case unreadable
    /// It belongs to another backend, whose facts use the same ids.
    case otherBackend
  }

  /// The name of a draft's file; facts of different backends have different ones.
  static func name(factID: Int, backend: String) -> String {
    // FNV-1a, 64 bits: the address has characters that a file name cannot have.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in backend.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return "fact-\(factID)-" + String(hash, radix: 16)
  }

  static func bytes(_ draft: FactDraft, backend: String) -> [UInt8] {
    let edit = draft.edit
    var writer = JSONObjectWriter()
    writer.int("version", version)
    writer.string("backend", backend)
    writer.int("factId", edit.factID)
    switch edit.target {
    case .guild(let guild): writer.string("guildId", guild)
    case .ownerPrivate: writer.string("guildId", nil)
    }
    writer.string("subject", edit.subject)
    writer.string("fact", edit.fact)
    writer.string("factType", edit.factType)
    writer.string("evidenceText", edit.evidenceText)
    writer.double("confidence", edit.confidence)
    writer.string("confidenceText", draft.confidenceText)
    writer.value("base", draft.base.json)
    writer.int("changedAtMs", Int(draft.changedAtMs))
    return writer.finish()
  }

  static func read(_ bytes: [UInt8], backend: String) throws(Problem) -> FactDraft {
    guard let json = try? JSONValue.parse(bytes), json["version"]?.int == version,
      let address = json["backend"]?.string
    else { throw .unreadable }
    guard address == backend else { throw .otherBackend }
    guard let id = json["factId"]?.int, let guild = json["guildId"],
      let subject = json["subject"]?.string, let text = json["fact"]?.string,
      let type = json["factType"]?.string, let evidence = json["evidenceText"]?.string,
      let confidenceText = json["confidenceText"]?.string,
      let base = json["base"].flatMap(Fact.init),
      let changed = json["changedAtMs"]?.int
    else { throw .unreadable }
    let target: FactTarget
    switch guild {
    case .null: target = .ownerPrivate
    case .string(let guild): target = .guild(guild)
    default: throw .unreadable
    }
    return FactDraft(
      edit: FactEdit(
        factID: id, target: target, subject: subject, fact: text, factType: type,
        evidenceText: evidence, confidence: json["confidence"]?.double),
      confidenceText: confidenceText, base: base, changedAtMs: Int64(changed))
  }
}
