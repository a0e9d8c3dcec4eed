import TerminalCore

/// Two characters and a colour that stand for a source where several are shown.
package struct SourceTag: Hashable, Sendable {
  package var letters: PlainText
  package var role: Role

  package init(letters: PlainText, role: Role) {
    self.letters = letters
    self.role = role
  }

  /// Colours by the place of a source; more sources than colours share them, never the letters.
  private static let roles: [Role] = [
    .llm, .voice, .tool, .memory, .textDomain, .media, .browser, .discovery, .code, .automation,
    .initiative, .game,
  ]

  /// The tags of sources, no two with the same letters.
  ///
  /// - Parameter sources: names, and the letters that the configuration gives, which differ.
  package static func tags(
    _ sources: [(name: String, letters: String?)]
  ) -> [SourceTag] {
    var taken = Set(sources.compactMap(\.letters))
    return sources.enumerated().map { index, source in
      let letters = source.letters ?? derived(from: source.name, besides: taken)
      taken.insert(letters)
      return SourceTag(letters: PlainText(letters), role: roles[index % roles.count])
    }
  }

  /// Letters of a name: the number at its end, with the first letter where it has one digit; else the first two, else the first and another one, else the first and a digit.
  private static func derived(from name: String, besides taken: Set<String>) -> String {
    let letters = name.uppercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
    let first = letters.first ?? "S"
    let number = letters.reversed().prefix { $0.isNumber }.reversed()
    let numbered =
      number.count > 1 ? String(number.suffix(2)) : number.first.map { "\(first)\($0)" }
    if let numbered, number.count < letters.count, !taken.contains(numbered) { return numbered }
    let seconds = Array(letters.dropFirst()) + "123456789"
    let others = (0..<100).lazy.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return seconds.lazy.map { "\(first)\($0)" }.first { !taken.contains($0) }
      ?? others.first { !taken.contains($0) } ?? "??"
  }
}
