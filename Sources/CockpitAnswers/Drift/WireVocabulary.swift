internal import ClankyWire
internal import LenientJSON

/// What the program knows of the wire: kinds, events, reasons, fields and their types, and words of
/// enumerations. Kinds are those of the contract's table, names those that have a text (`Explanations`), types
/// those that the decoders ask for (`fieldTypes`); tests compare all three with the decoders' code. What a backend
/// of the contract sends and nothing here reads is known too (`sentFields`, `sentWords`).
package struct WireVocabulary: Sendable {
  let fields: Set<String>
  let events: Set<String>
  let reasons: Set<String>
  /// Words of enumerations of any field.
  let words: Set<String>
  /// Letters of `fieldTypes` by name.
  let types: [String: String]

  /// The vocabulary of this version. Made on demand: it takes some milliseconds.
  package init() { self.init(sentFields: Self.sentFields, sentWords: Self.sentWords) }

  /// - Parameters:
  ///   - sentFields: names with the types of their values, as in `fieldTypes`.
  ///   - sentWords: events, reasons and words of enumerations.
  init(sentFields: String, sentWords: String) {
    let sent = Self.types(in: sentFields)
    let more = Set(sentWords.split(whereSeparator: \.isWhitespace).map { Self.fold(String($0)) })
    var names: [Explanation.Family: Set<String>] = [:]
    for explanation in Explanations.all {
      names[explanation.family, default: []].insert(Self.fold(explanation.name))
    }
    fields = (names[.field] ?? []).union(sent.keys.map(Self.fold))
    events = (names[.event] ?? []).union(names[.kind] ?? []).union(more)
    reasons = [.reason, .event, .state, .kind, .stage].reduce(into: more) {
      $0.formUnion(names[$1] ?? [])
    }
    words = Explanation.Family.allCases.reduce(into: more) { $0.formUnion(names[$1] ?? []) }
    // A name that only the contract has may hold what it held there.
    types = Self.types(in: Self.fieldTypes).merging(sent) { $0 + $1 }
  }

  /// Letters by name.
  private static func types(in table: String) -> [String: String] {
    table.split(whereSeparator: \.isWhitespace).reduce(into: [:]) { types, word in
      let parts = word.split(separator: ":")
      // Of some only null was ever sent.
      if let name = parts.first { types[String(name)] = parts.count == 2 ? String(parts[1]) : "" }
    }
  }

  func knows(kind: String) -> Bool { ActionKind(rawValue: kind).isKnown }

  /// Whether a value of this type is one that the decoders read under a name; true where they do not tell.
  func takes(_ value: JSONValue, in field: String) -> Bool {
    guard let types = types[field], !types.isEmpty else { return true }
    switch value {
    case .null: return true
    case .bool: return types.contains("b")
    case .number: return types.contains("n")
    case .string(let text):
      return types.contains("s") || types.contains("w")
        || types.contains("n") && Double(text) != nil
    case .array: return types.contains("a")
    case .object: return types.contains("o")
    }
  }

  /// The types that are read under a name, in words: `number or text`.
  func typeWords(of field: String) -> String {
    let names: [(Character, String)] = [
      ("s", "text"), ("w", "text"), ("n", "number"), ("b", "true or false"), ("a", "list"),
      ("o", "object"),
    ]
    var words: [String] = []
    for (letter, word) in names
    where types[field]?.contains(letter) == true && !words.contains(word) {
      words.append(word)
    }
    return words.joined(separator: " or ")
  }

  /// Whether a field holds a word of an enumeration.
  func isEnumeration(_ field: String) -> Bool { types[field]?.contains("w") ?? false }

  /// Whether a field holds a reason code.
  static func isReason(_ field: String) -> Bool {
    field == "reason" || field == "reasonCode" || field.hasSuffix("Reason")
  }

  /// `created_at` and `createdAt` are one name.
  static func fold(_ name: String) -> String {
    String(decoding: name.lowercased().utf8.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
  }

  /// Fields whose members are named by kinds.
  static let kindMaps: Set<String> = ["last24h"]

  /// Fields with a free-form value, set by users or models: tool arguments, raw answers, settings. Their members are
  /// not checked.
  static let opaque: Set<String> = [
    "arguments", "args", "input", "result", "output", "parameters", "inputSchema", "settings",
    "payload", "raw", "response", "request", "headers", "env", "toolInput", "toolArguments",
  ]
}
