/// What a word of the bot or of the screen means, and what to do about it.
package struct Explanation: Hashable, Sendable {
  /// What sort of word it is; one word can be several.
  package enum Family: String, CaseIterable, Hashable, Sendable {
    /// The kind of a row.
    case kind
    /// What a container row names in its content.
    case event
    /// Why something was done, refused or ended.
    case reason
    /// A step of an answer or a part of its delay.
    case stage
    /// How something stands, and other values of a field.
    case state
    /// A member of a row, of its details or of a state.
    case field
    /// A word of the screen.
    case word
  }

  /// As the wire or the screen spells it.
  package var name: String
  package var family: Family
  /// At most `maxLength` characters.
  package var text: String

  /// The longest text, in characters: three lines of a small layer.
  package static let maxLength = 200
}

/// Texts of one family, written as a table: a name, a colon, the text; lines that begin with a space go on
/// with it.
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
