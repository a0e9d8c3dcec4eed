/// The system prompts of a role, as sets of sentences: the fixed part is what several in a row have in common, so
/// that a clock or a list of people in it is no change.
struct PromptSeries: Sendable {
  struct Step {
    var added: [String]
    var removed: [String]
    /// The first call with the new prompt.
    var mark: Answer.Evidence

    /// `2 sentences added`
    var words: String {
      func count(_ sentences: [String], _ word: String) -> String? {
        guard !sentences.isEmpty else { return nil }
        return "\(sentences.count == 1 ? "one sentence" : "\(sentences.count) sentences") \(word)"
      }
      return [count(added, "added"), count(removed, "removed")].compactMap { $0 }
        .joined(separator: ", ")
    }
  }

  private struct Version: Sendable {
    var sentences: Set<String>
    var person: String?
    var mark: Answer.Evidence
  }

  private var versions: [Version] = []

  /// So many prompts before and after have to agree, as far as there are so many.
  private static let window = 20
  /// Fewer on a side tell nothing.
  private static let least = 3
  private static let lengthLimit = 400
  private static let countLimit = 2000

  /// The sentences of a prompt.
  static func sentences(_ prompt: String) -> Set<String> {
    var found: Set<String> = []
    for paragraph in prompt.split(whereSeparator: \.isNewline) {
      for sentence in paragraph.split(separator: ". ") {
        var text = sentence.drop(while: \.isWhitespace)
        // The last sentence keeps its full stop, which is no difference.
        if text.last == "." { text.removeLast() }
        if !text.isEmpty { found.insert(String(text.prefix(lengthLimit))) }
        if found.count >= countLimit { return found }
      }
    }
    return found
  }

  mutating func take(_ sentences: Set<String>, person: String?, at mark: Answer.Evidence) {
    versions.append(Version(sentences: sentences, person: person, mark: mark))
  }

  /// Oldest first. A sentence counts if all of the prompts before have it and none after, or the other way round,
  /// and more than one person is spoken to on both sides: prompts have facts about people in them.
  var changes: [Step] {
    let people = min(2, Set(versions.map(\.person)).count)
    var steps: [Step] = []
    for index in versions.indices where index >= Self.least {
      guard versions[index].sentences != versions[index - 1].sentences,
        versions.count - index >= Self.least
      else { continue }
      let earlier = versions[max(0, index - Self.window)..<index]
      let later = versions[index..<min(versions.count, index + Self.window)]
      guard [earlier, later].allSatisfy({ Set($0.map(\.person)).count >= people }) else { continue }
      let (before, after) = (earlier.map(\.sentences), later.map(\.sentences))
      let added = Self.common(after).subtracting(Self.any(before))
      let removed = Self.common(before).subtracting(Self.any(after))
      guard !added.isEmpty || !removed.isEmpty else { continue }
      steps.append(
        Step(added: added.sorted(), removed: removed.sorted(), mark: versions[index].mark))
    }
    return steps
  }

  private static func common(_ sets: [Set<String>]) -> Set<String> {
    sets.dropFirst().reduce(sets.first ?? []) { $0.intersection($1) }
  }

  private static func any(_ sets: [Set<String>]) -> Set<String> {
    sets.reduce([]) { $0.union($1) }
  }
}
