import ClankyWire
import CockpitStores

/// A fact as a small text file for the user's editor: comments, `name: value` lines, an empty line,
/// and the fact itself.
///
/// The editor writes the file's content to the terminal, so the file contains no control characters
/// (promise P1).
package struct FactDocument: Hashable, Sendable {
  package var subject: String
  package var type: String
  package var confidence: String
  package var evidence: String
  package var fact: String

  /// Why a text cannot be read, as one sentence.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    package var description: String
  }

  package init(
    subject: String, type: String, confidence: String, evidence: String, fact: String
  ) {
    self.subject = Self.harmless(subject)
    self.type = Self.harmless(type)
    self.confidence = Self.harmless(confidence)
    self.evidence = Self.harmless(evidence)
    self.fact = Self.harmless(fact)
  }

  package init(_ draft: FactDraft) {
    self.init(
      subject: draft.edit.subject, type: draft.edit.factType, confidence: draft.confidenceText,
      evidence: draft.edit.evidenceText, fact: draft.edit.fact)
  }

  /// The content of the file.
  ///
  /// - Parameter about: the edited fact, for the first comment.
  package func text(about: String) -> String {
    """
    # \(Self.harmless(about))
    # Save and leave to take the text over; nothing is sent yet. An unchanged file changes nothing.
    # The fact stands below the empty line: 400 characters at most, evidence 240.
    subject: \(subject)
    type: \(type)
    confidence: \(confidence)
    evidence: \(evidence)

    \(fact)

    """
  }

  /// Parses such a file. Comments count only above the first field, so a fact may begin with `#`;
  /// line breaks are spaces. nil for an empty file.
  package static func read(_ text: String) throws(Problem) -> FactDocument? {
    let lines = text.replacing("\r\n", with: "\n").split(
      separator: "\n", omittingEmptySubsequences: false)
    var document = FactDocument(subject: "", type: "", confidence: "", evidence: "", fact: "")
    var missing: Set = ["subject", "type", "confidence", "evidence"]
    var index = 0
    while index < lines.count {
      let line = lines[index]
      let isBlank = line.allSatisfy(\.isWhitespace)
      if missing.count == 4, isBlank || line.hasPrefix("#") {
        index += 1
        continue
      }
      if isBlank { break }
      guard let colon = line.firstIndex(of: ":") else {
        throw Problem(
          description: "Line \(index + 1) of the file has no field such as \"type: other\".")
      }
      let name = String(line[..<colon]).collapsingWhitespace
      guard missing.remove(name) != nil else {
        throw Problem(
          description: "Line \(index + 1) of the file is none of subject, type, confidence, "
            + "evidence, or comes twice.")
      }
      document.set(name, String(line[line.index(after: colon)...]).collapsingWhitespace)
      index += 1
    }
    if index == lines.count, missing.count == 4 { return nil }
    guard missing.isEmpty else {
      let names = missing.sorted().joined(separator: ", ")
      throw Problem(description: "The file lacks the line for \(names).")
    }
    document.fact = lines.dropFirst(index).joined(separator: "\n").collapsingWhitespace
    return document
  }

  private mutating func set(_ name: String, _ value: String) {
    switch name {
    case "subject": subject = value
    case "type": type = value
    case "confidence": confidence = value
    default: evidence = value
    }
  }

  /// One line without anything that moves the cursor or turns the direction of writing.
  private static func harmless(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.collapsingWhitespace.unicodeScalars {
      switch scalar.value {
      case ..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: continue
      default: scalars.append(scalar)
      }
    }
    return String(scalars).collapsingWhitespace
  }
}
