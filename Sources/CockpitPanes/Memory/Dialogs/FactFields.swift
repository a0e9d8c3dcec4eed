import TerminalUI
import ClankyWire
import CockpitStores

/// The content of the form's fields.
struct FactFields: Hashable, Sendable {
  enum Field: Int, CaseIterable, Hashable, Sendable {
    case subject, fact, type, confidence, evidence

    /// The field in the backend's terms; nil for the confidence, which is no text.
    var problemField: FactProblem.Field? {
      switch self {
      case .subject: .subject
      case .fact: .fact
      case .type: .factType
      case .evidence: .evidenceText
      case .confidence: nil
      }
    }
  }

  private var texts: [TextField]

  init(_ edit: FactEdit, confidenceText: String) {
    texts = [edit.subject, edit.fact, edit.factType, confidenceText, edit.evidenceText]
      .map { TextField($0) }
  }

  subscript(field: Field) -> TextField {
    get { texts[field.rawValue] }
    set { texts[field.rawValue] = newValue }
  }

  /// Whether every field holds the same, whatever the cursors do.
  func hasSameTexts(as other: FactFields) -> Bool {
    Field.allCases.allSatisfy { self[$0].text.isIdentical(to: other[$0].text) }
  }

  /// The edit that these texts are.
  func edit(of factID: Int, _ target: FactTarget) -> FactEdit {
    FactEdit(
      factID: factID, target: target, subject: self[.subject].text, fact: self[.fact].text,
      factType: self[.type].text, evidenceText: self[.evidence].text,
      confidence: ConfidenceText.value(self[.confidence].text))
  }
}

extension DiffText {
  /// The two texts of one field.
  init(_ field: FactFields.Field, _ old: String, _ new: String) {
    switch field {
    case .fact, .evidence: self.init(old: old, new: new)
    case .subject, .type, .confidence: self.init(value: old, new: new)
    }
  }
}

/// The types that the backend knows; any other word is accepted too (contract 6.1).
enum KnownTypes {
  static let all: [FactType] = [
    .preference, .profile, .relationship, .project, .guidance, .behavioral, .other,
  ]

  /// The place of a type among the known ones; nil for any other word.
  static func index(of text: String) -> Int? {
    let word = text.collapsingWhitespace.lowercased()
    return all.firstIndex { $0.rawValue == word }
  }

  /// The type `step` places after another, round and round.
  static func stepped(_ text: String, by step: Int) -> String {
    guard let index = index(of: text) else {
      return (step > 0 ? all.first : all.last)?.rawValue ?? text
    }
    return all[((index + step) % all.count + all.count) % all.count].rawValue
  }
}

/// Undo and redo history of the fields.
struct FieldHistory: Hashable, Sendable {
  /// Consecutive changes of one kind in one field are undone together.
  enum Kind: Hashable, Sendable {
    case typing(FactFields.Field)
    case erasing(FactFields.Field)
    case other
  }

  /// Maximum number of undo steps.
  private static let limit = 200

  private var past: [FactFields] = []
  private var future: [FactFields] = []
  private var kind = Kind.other

  /// Records the fields before a change.
  mutating func note(_ before: FactFields, _ kind: Kind) {
    future = []
    defer { self.kind = kind }
    guard kind == .other || kind != self.kind || past.isEmpty else { return }
    past.append(before)
    if past.count > Self.limit { past.removeFirst() }
  }

  /// Ends a run of typing: the next change is a separate step.
  mutating func pause() { kind = .other }

  mutating func undo(_ now: FactFields) -> FactFields? {
    kind = .other
    guard let before = past.popLast() else { return nil }
    future.append(now)
    return before
  }

  mutating func redo(_ now: FactFields) -> FactFields? {
    kind = .other
    guard let after = future.popLast() else { return nil }
    past.append(now)
    return after
  }
}
