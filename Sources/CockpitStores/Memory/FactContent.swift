internal import ClankyWire

/// The five editable members of a fact, for comparison: missing and empty are equal here.
struct FactContent: Hashable, Sendable {
  var subject: String
  var fact: String
  var type: String
  var evidence: String
  var confidence: Double?

  init(_ fact: Fact) {
    subject = fact.subject ?? ""
    self.fact = fact.fact ?? ""
    type = fact.factType?.rawValue ?? ""
    evidence = fact.evidenceText ?? ""
    confidence = fact.confidence
  }

  /// The requested content, as it is sent.
  init(_ edit: FactEdit) {
    let edit = edit.normalized
    subject = edit.subject
    fact = edit.fact
    type = edit.factType
    evidence = edit.evidenceText
    confidence = edit.confidence
  }

  /// Its texts by field.
  var texts: [FactProblem.Field: String] {
    [.subject: subject, .fact: fact, .factType: type, .evidenceText: evidence]
  }

  /// Texts are compared scalar by scalar.
  static func == (left: FactContent, right: FactContent) -> Bool {
    left.differences(from: right).isEmpty && left.confidence == right.confidence
  }

  /// Whether the texts differ only in invisible ways.
  func looksLike(_ other: FactContent) -> Bool {
    texts == other.texts && !differences(from: other).isEmpty
  }

  /// The members in which this differs from the requested content.
  func differences(from requested: FactContent) -> [FactProblem.Field] {
    var fields: [FactProblem.Field] = []
    if !subject.isIdentical(to: requested.subject) { fields.append(.subject) }
    if !fact.isIdentical(to: requested.fact) { fields.append(.fact) }
    if !type.isIdentical(to: requested.type) { fields.append(.factType) }
    if !evidence.isIdentical(to: requested.evidence) { fields.append(.evidenceText) }
    return fields
  }
}
