internal import LenientJSON

/// Redacts the records of one export, and counts what it does.
struct BundleRedaction {
  private var redactor: Redactor
  private let level: RedactionLevel
  private(set) var unreadable = 0
  private(set) var dialect = ""

  init(_ request: BundleRequest, _ known: KnownIdentities, samples: Int) {
    level = request.redaction
    redactor =
      if let seed = request.seed {
        Redactor(
          request.redaction, keepsPrompts: request.keepsPrompts, known: known,
          random: SeededRandom(state: seed), samples: samples)
      } else {
        Redactor(
          request.redaction, keepsPrompts: request.keepsPrompts, known: known, samples: samples)
      }
  }

  var counts: RedactionCounts { redactor.counts }
  var wordlikeNames: Int { redactor.wordlikeNames.count }

  mutating func text(_ text: String) -> String { redactor.masked(text) }

  /// nil if the record cannot be read as JSON.
  mutating func redacted(_ record: BundleRecord) -> BundleRecord? {
    switch record {
    case .row(var row):
      noteDialect(row.json)
      guard let json = redactor.action(row.json) else {
        unreadable += 1
        return nil
      }
      row.json = json
      return .row(row)
    case .document(var document):
      noteDialect(document.body)
      guard let body = redactor.document(document.name, document.body) else {
        unreadable += 1
        return nil
      }
      document.body = body
      document.name = redactor.documentName(document.name)
      return .document(document)
    case .link(var link):
      guard let value = redacted(link.value, of: link.what) else {
        unreadable += 1
        return nil
      }
      link.value = value
      return .link(link)
    }
  }

  /// A link record says which process recorded which address: neither means anything elsewhere.
  private mutating func redacted(_ value: [UInt8], of what: RecordedLink.What) -> [UInt8]? {
    guard let json = value.withUnsafeBytes({ try? JSONValue.parse($0) }),
      case .object(var object) = json
    else { return nil }
    object.members.removeAll { $0.key == "pid" || $0.key == "bot" && level != .none }
    return redactor.document("", Array(JSONValue.object(object).serialized().utf8))
  }

  /// Detects the backend release by field names that only one of them has (docs/contract.md 9.8).
  private mutating func noteDialect(_ bytes: [UInt8]) {
    guard dialect.isEmpty, bytes.count < 1 << 20 else { return }
    bytes.withUnsafeBytes { bytes in
      if Self.contains(bytes, "\"noteCount\"") || Self.contains(bytes, "\"promptTiers\"") {
        dialect = "May"
      } else if Self.contains(bytes, "\"brainContextCount\"") {
        dialect = "March"
      }
    }
  }

  private static func contains(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
    let needle = UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    return ByteScan.contains(bytes, needle)
  }
}
