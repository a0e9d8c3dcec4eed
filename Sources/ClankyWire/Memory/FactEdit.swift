import LenientJSON

/// Where a fact is edited.
package enum FactTarget: Hashable, Sendable {
  /// `/api/memory/facts`. March wants the fact's own guild; May accepts any guild for facts of
  /// users and owners (contract 6.3).
  case guild(String)
  /// `/api/memory/owner-private/facts`, which only May has (contract 3.5).
  case ownerPrivate

  /// The path of a fact, for `PUT` and `DELETE`.
  package func path(of factID: Int) -> String {
    switch self {
    case .guild: "/api/memory/facts/\(factID)"
    case .ownerPrivate: "/api/memory/owner-private/facts/\(factID)"
    }
  }

  /// The member that names the guild in a body; none for the owner's facts.
  fileprivate var guildMember: (key: String, value: JSONValue?) {
    if case .guild(let guildID) = self { ("guildId", .string(guildID)) } else { ("guildId", nil) }
  }
}

/// The complete new content of a fact (contract 6.3). There is no version check: the last write
/// wins, and a member that is left out is erased.
package struct FactEdit: Hashable, Sendable {
  /// The fact to replace.
  package var factID: Int
  /// Where it is edited.
  package var target: FactTarget
  /// The subject of the fact.
  package var subject: String
  /// The fact.
  package var fact: String
  /// Its type; an empty one becomes `other`.
  package var factType: String
  /// The words it rests on; an empty text erases them.
  package var evidenceText: String
  /// 0 to 1; nil if the typed text is no number.
  package var confidence: Double?

  /// Memberwise.
  package init(
    factID: Int, target: FactTarget, subject: String, fact: String, factType: String = "",
    evidenceText: String = "", confidence: Double?
  ) {
    self.factID = factID
    self.target = target
    self.subject = subject
    self.fact = fact
    self.factType = factType
    self.evidenceText = evidenceText
    self.confidence = confidence
  }

  /// Starts from a fact as it was read; nil if it has no id and so cannot be edited.
  package init?(editing fact: Fact, target: FactTarget) {
    guard let id = fact.id else { return nil }
    self.init(
      factID: id, target: target, subject: fact.subject ?? "", fact: fact.fact ?? "",
      factType: fact.factType?.rawValue ?? "", evidenceText: fact.evidenceText ?? "",
      confidence: fact.confidence)
  }

  /// The path to `PUT` to.
  package var path: String { target.path(of: factID) }

  /// The edit as the backend would normalise it: white space collapsed, the type in lower case and
  /// never empty. Edits are sent in this form, so that the backend changes nothing.
  package var normalized: FactEdit {
    var edit = self
    edit.subject = subject.collapsingWhitespace
    edit.fact = fact.collapsingWhitespace
    edit.factType = factType.collapsingWhitespace.lowercased()
    if edit.factType.isEmpty { edit.factType = FactType.other.rawValue }
    edit.evidenceText = evidenceText.collapsingWhitespace
    return edit
  }

  /// The body to `PUT`, with `Content-Type: application/json`. Throws the first problem.
  package func body() throws(FactProblem) -> JSONValue {
    if let problem = problems.first { throw problem }
    guard let confidence, let number = JSONValue.finite(confidence) else {
      throw .confidenceNotANumber
    }
    let edit = normalized
    return .body([
      target.guildMember,
      ("subject", .string(edit.subject)),
      ("fact", .string(edit.fact)),
      ("factType", .string(edit.factType)),
      ("evidenceText", edit.evidenceText.isEmpty ? .null : .string(edit.evidenceText)),
      ("confidence", number),
    ])
  }
}

extension FactEdit {
  /// Texts count as they are spelled.
  package static func == (left: FactEdit, right: FactEdit) -> Bool {
    left.factID == right.factID && left.target == right.target
      && left.subject.isIdentical(to: right.subject) && left.fact.isIdentical(to: right.fact)
      && left.factType.isIdentical(to: right.factType)
      && left.evidenceText.isIdentical(to: right.evidenceText)
      && left.confidence == right.confidence
  }
}

/// The deletion of a fact (contract 6.3). It hides the row and cannot be undone.
package struct FactDeletion: Hashable, Sendable {
  /// The fact to delete.
  package var factID: Int
  /// Where it is deleted.
  package var target: FactTarget

  /// Memberwise.
  package init(factID: Int, target: FactTarget) {
    self.factID = factID
    self.target = target
  }

  /// The path to `DELETE`.
  package var path: String { target.path(of: factID) }

  /// The body, which is mandatory, with `Content-Type: application/json`.
  package var body: JSONValue { .body([target.guildMember]) }
}

extension String {
  /// Every run of white space as one space and none at the ends. White space as in ECMAScript's
  /// `\s` (ECMA-262, 12.2 and 12.3), since that is what the backend collapses.
  package var collapsingWhitespace: String {
    var out = String.UnicodeScalarView()
    var space = false
    for scalar in unicodeScalars {
      if scalar.isECMAScriptSpace {
        space = !out.isEmpty
      } else {
        if space { out.append(" ") }
        space = false
        out.append(scalar)
      }
    }
    return String(out)
  }
}

extension Unicode.Scalar {
  fileprivate var isECMAScriptSpace: Bool {
    switch value {
    case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000,
      0xFEFF:
      true
    default: false
    }
  }
}
