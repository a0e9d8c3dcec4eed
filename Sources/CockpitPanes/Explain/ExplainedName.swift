import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import LenientJSON

/// A name under the cursor that may have a text.
package struct ExplainedName: Hashable, Sendable {
  var name: String
  /// The meanings to consider; nil means all.
  var families: Set<Explanation.Family>?
  /// Whether it is the kind of a row of the backend that no version up to this one has.
  var isUnknownKind = false

  init(_ name: String, _ families: Set<Explanation.Family>? = nil) {
    self.name = name
    self.families = families
  }

  /// The possible meanings of a field's value.
  static let values: Set<Explanation.Family> = [.reason, .event, .state, .stage, .kind]

  /// The value of a field; nil if it is no name, such as a sentence.
  init?(value: String?) {
    guard let value, !value.isEmpty, value.utf8.count <= ActionLabel.maxEventLength,
      value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    self.init(value, Self.values)
  }

  /// Their texts, each once.
  package static func texts(of names: [ExplainedName], limit: Int = 8) -> [Explanation] {
    var texts: [Explanation] = []
    for name in names {
      if name.isUnknownKind { texts.append(.unknownKind(name.name)) }
      for text in Explanations.meanings(of: name.name, as: name.families)
      where !texts.contains(text) { texts.append(text) }
    }
    return Array(texts.prefix(limit))
  }
}

extension ExplainedName {
  /// The names in a row: its kind, names in its content, and the codes in its metadata.
  static func all(of row: ActionRowView) -> [ExplainedName] {
    guard !row.isGap else { return [ExplainedName("gap", [.state])] }
    let metadata = row.metadata()
    var kind = ExplainedName(row.kind, [.kind])
    // Rows that this program makes itself have kinds of their own.
    kind.isUnknownKind =
      !ActionKind(rawValue: row.kind).isKnown && !RowOrigin.isGateway(metadata)
      && Explanations.meanings(of: row.kind, as: [.kind]).isEmpty
    var names = [kind]
    if let event = row.label.event {
      names.insert(ExplainedName(event, [.event, .reason]), at: 0)
    } else if let code = ExplainedName(value: row.content(limit: 200)) {
      names.append(code)
    }
    names += codes.compactMap { ExplainedName(value: metadata[$0]?.string) }
    return names
  }

  /// Metadata keys whose value is a code.
  private static let codes = [
    "reason", "skipCause", "stage", "status", "runStatus", "stopReason", "attentionMode",
    "promotionReason", "outputLockReason",
  ]

  /// The label of a line and the names in it. Plain words of a sentence are none.
  static func all(label: String?, line: String) -> [ExplainedName] {
    var names: [ExplainedName] = []
    let label = label?.trimmingSpaces ?? ""
    if !label.isEmpty { names.append(ExplainedName(label, [.word, .field, .stage, .state])) }
    for word in line.split(whereSeparator: { !isPart($0) }).prefix(40) where isName(word) {
      names.append(ExplainedName(String(word)))
    }
    return names
  }

  private static func isPart(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "_>".contains(character))
  }

  /// Whether it looks like a name: `llm_skip`, `queueWaitMs`, `ASR`, `fin>asr`.
  private static func isName(_ word: Substring) -> Bool {
    guard word.count >= 2, word.count <= ActionLabel.maxEventLength else { return false }
    if word.contains("_") || word.contains(">") { return true }
    return word.dropFirst().contains(where: \.isUppercase)
  }
}

extension DetailView {
  /// The field and its value, or the label of the line under the cursor.
  var explained: [ExplainedName] {
    guard let member else { return ExplainedName.all(label: label, line: text) }
    let keys = member.path.filter { !$0.allSatisfy(\.isNumber) }
    let field = keys.last.map { [ExplainedName($0, [.field])] } ?? []
    return field + [ExplainedName(value: member.value.string)].compactMap { $0 }
  }
}
