import LenientJSON

/// Why an edit is not sent: the backend would refuse it, or silently change it (contract 6.3).
package enum FactProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// A text member of an edit.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    /// The subject of the fact.
    case subject
    /// The fact.
    case fact
    /// Its type.
    case factType = "type"
    /// The words it rests on.
    case evidenceText = "evidence"

    /// The longest text that is stored whole, in UTF-16 units (contract 6.3).
    package var limit: Int {
      switch self {
      case .subject: 120
      case .fact: 400
      case .factType: 40
      case .evidenceText: 240
      }
    }
  }

  /// No guild is given.
  case guildMissing
  /// A required text is empty.
  case empty(Field)
  /// A text would be cut; `units` is its length in UTF-16 units.
  case tooLong(Field, units: Int)
  /// The confidence is no number.
  case confidenceNotANumber
  /// The confidence would be clamped to 0 or 1.
  case confidenceOutOfRange(Double)

  /// A number of characters in words.
  package static func characters(_ count: Int) -> String {
    count == 1 ? "1 character" : "\(count) characters"
  }

  /// The error as one sentence with the next step.
  package var description: String {
    switch self {
    case .guildMissing: "Choose a guild first; the backend needs one to edit a fact."
    case .empty(let field): "The \(field.rawValue) must not be empty."
    case .tooLong(let field, let units):
      "The \(field.rawValue) is \(Self.characters(units - field.limit)) too long (\(units) of \(field.limit)); "
        + "shorten it, the backend would cut it."
    case .confidenceNotANumber: "The confidence must be a number from 0 to 1."
    case .confidenceOutOfRange: "The confidence must lie between 0 and 1."
    }
  }
}

extension FactEdit {
  /// The length of a text as the backend counts it: UTF-16 units after white space is collapsed.
  package func units(of field: FactProblem.Field) -> Int { normalized.text(of: field).unitCount }

  /// Everything that keeps the edit from being sent, in the order of the backend's own checks.
  package var problems: [FactProblem] {
    var problems: [FactProblem] = []
    if case .guild(let guildID) = target, guildID.collapsingWhitespace.isEmpty {
      problems.append(.guildMissing)
    }
    let edit = normalized
    for field in FactProblem.Field.allCases {
      let units = edit.text(of: field).unitCount
      if units == 0, field == .subject || field == .fact { problems.append(.empty(field)) }
      if units > field.limit { problems.append(.tooLong(field, units: units)) }
    }
    if let confidence, confidence.isFinite {
      if !(0...1).contains(confidence) { problems.append(.confidenceOutOfRange(confidence)) }
    } else {
      problems.append(.confidenceNotANumber)
    }
    return problems
  }

  private func text(of field: FactProblem.Field) -> String {
    switch field {
    case .subject: subject
    case .fact: fact
    case .factType: factType
    case .evidenceText: evidenceText
    }
  }
}

/// Why the backend refused an edit or a deletion (contract 6.3).
package enum FactRefusal: Error, Hashable, Sendable, CustomStringConvertible {
  /// The fact is gone, or belongs to another guild.
  case notFound
  /// Another active fact says the same.
  case duplicate
  /// The text collides with an existing or a deleted fact: the database refused it.
  case collision
  /// A check of the backend failed; the words are the backend's own and untrusted.
  case invalid(String)
  /// Anything else, with the status.
  case other(status: Int)

  /// Interprets a reply whose status is not 200.
  package init(status: Int, body: ErrorBody) {
    switch (status, body.message) {
    // The router's own 404 is spelled otherwise: there the route is missing, or the token.
    case (404, "not_found"?): self = .notFound
    case (409, "duplicate"?): self = .duplicate
    case (500, let message?) where message.isConstraintFailure: self = .collision
    case (400, let message?): self = .invalid(message)
    default: self = .other(status: status)
    }
  }

  /// The error as one sentence with the next step.
  package var description: String {
    switch self {
    case .notFound: "The fact is gone or belongs to another guild; reload the list."
    case .duplicate: "Another fact says the same already; change the text or delete one of them."
    case .collision: "The text collides with an existing or deleted fact; change it a little."
    case .invalid(let message): "The backend refused the fact: \(message)."
    case .other(let status): "The backend did not store the change (status \(status)); reload."
    }
  }
}

extension String {
  /// The message SQLite gives when a uniqueness rule is broken.
  fileprivate var isConstraintFailure: Bool {
    let lower = lowercased()
    return lower.contains("unique") || lower.contains("constraint")
  }
}
