internal import ClankyWire

/// Which facts stand in a prompt: their texts are looked for in its list lines.
enum PromptFacts {
  /// Minimum length: a shorter text matches too many places to be evidence.
  private static let shortest = 8

  /// Of facts with one text as many as the prompt has lines of it, those of the guild before others.
  ///
  /// - Parameter said: what the facts are ranked by.
  static func find(
    in prompts: [String], among facts: [Fact], guild: String?, said: [String]
  ) -> [Exchange.UsedFact] {
    var lines: [String: Int] = [:]
    var order: [String] = []
    for prompt in prompts {
      for line in prompt.split(separator: "\n") {
        guard let item = item(line) else { continue }
        for text in [item, beforeBar(item)].compactMap({ $0 }) {
          if lines[text] == nil { order.append(text) }
          lines[text, default: 0] += 1
        }
      }
    }
    guard !lines.isEmpty else { return [] }
    var known: [String: [Fact]] = [:]
    for fact in facts {
      guard let text = fact.fact, text.utf8.count >= shortest, lines[text] != nil else { continue }
      known[text, default: []].append(fact)
    }
    let spoken = said.reduce(into: Set<String>()) { $0.formUnion(words($1)) }
    var found: [Exchange.UsedFact] = []
    for text in order {
      let own = words(text)
      let share =
        own.isEmpty ? 0 : Double(own.intersection(spoken).count) / Double(own.count)
      let candidates = (known[text] ?? []).sorted { left, right in
        let (a, b) = (left.guildID == guild, right.guildID == guild)
        return a != b ? a : (left.id ?? 0) > (right.id ?? 0)
      }
      for fact in candidates.prefix(lines[text] ?? 0) {
        found.append(
          Exchange.UsedFact(
            id: fact.id, text: text, overlap: share, isOwnerPrivate: fact.isOwnerPrivate))
      }
    }
    return found.enumerated().sorted { left, right in
      left.element.overlap != right.element.overlap
        ? left.element.overlap > right.element.overlap : left.offset < right.offset
    }.map(\.element)
  }

  /// What follows the mark of a list line; nil for other lines.
  private static func item(_ line: Substring) -> String? {
    let line = line.drop { $0 == " " || $0 == "\t" }
    guard let mark = line.first, mark == "-" || mark == "*" || mark == "•" else { return nil }
    let text = line.dropFirst().drop { $0 == " " }
    return text.utf8.count >= shortest ? String(text) : nil
  }

  /// A fact with its evidence is written `fact | evidence: "…"`.
  private static func beforeBar(_ item: String) -> String? {
    guard let bar = item.firstRange(of: " | ") else { return nil }
    let text = item[..<bar.lowerBound]
    return text.utf8.count >= shortest ? String(text) : nil
  }

  /// Words of four letters or more, in lower case.
  static func words(_ text: String) -> Set<String> {
    Set(
      text.lowercased().split { !$0.isLetter && !$0.isNumber }.filter { $0.count >= 4 }
        .map(String.init))
  }
}
