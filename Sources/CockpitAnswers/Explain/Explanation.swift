/// The meaning of a term of the bot or the screen, and what to do about it.
package struct Explanation: Hashable, Sendable {
  /// The category of the term; a term can have several.
  package enum Family: String, CaseIterable, Hashable, Sendable {
    /// The kind of a row.
    case kind
    /// An event named in the content of a container row.
    case event
    /// Why something was done, refused or ended.
    case reason
    /// A step of an answer or a part of its delay.
    case stage
    /// States and other values of a field.
    case state
    /// A member of a row, of its details or of a state.
    case field
    /// A word of the screen.
    case word
  }

  /// As spelled on the wire or the screen.
  package var name: String
  package var family: Family
  /// At most `maxLength` characters.
  package var text: String

  /// The longest text, in characters: three lines of a small layer.
  package static let maxLength = 200

  /// Of a kind that this version has never heard of.
  ///
  /// - Parameter name: as the row has it: remote text.
  package static func unknownKind(_ name: String) -> Explanation {
    Explanation(
      name: String(name.prefix(60)), family: .kind,
      text:
        "This version does not know the kind; a newer one may. Nothing of its rows is lost: their details have every member. doctor --wire lists what is not known."
    )
  }
}

/// Texts of one family, written as a table: a name, a colon, the text; lines that start with a
/// space continue it.
struct ExplanationGroup: Sendable {
  let explanations: [Explanation]

  init(_ family: Explanation.Family, _ table: String) {
    var explanations: [Explanation] = []
    for line in table.split(separator: "\n") {
      if line.hasPrefix(" ") {
        guard !explanations.isEmpty else { continue }
        explanations[explanations.count - 1].text += " " + line.drop { $0 == " " }
      } else if let colon = line.firstRange(of: ": ") {
        explanations.append(
          Explanation(
            name: String(line[..<colon.lowerBound]), family: family,
            text: String(line[colon.upperBound...])))
      }
    }
    self.explanations = explanations
  }
}
