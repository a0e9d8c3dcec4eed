/// How well typed text matches a name: its letters in order, better at word starts and adjacent,
/// worse in long names.
package enum FuzzyScore {
  private static let wordStart = 8
  private static let sideBySide = 10
  private static let letter = 1
  /// Longer names are cut: none of ours is.
  private static let limit = 120

  /// The best match of `needle` in `name`, ignoring case; nil if a letter is missing. An empty
  /// needle scores 0.
  package static func score(_ needle: String, in name: String) -> Int? {
    let wanted = Array(needle.lowercased().prefix(limit))
    let letters = Array(name.lowercased().prefix(limit))
    guard !wanted.isEmpty else { return 0 }
    guard wanted.count <= letters.count else { return nil }
    // best[i]: the best score so far that ends with the last wanted letter at place i.
    var best = [Int?](repeating: nil, count: letters.count)
    for (row, character) in wanted.enumerated() {
      var next = [Int?](repeating: nil, count: letters.count)
      var reachable: Int?
      for (place, other) in letters.enumerated() {
        if row > 0, place > 0, let before = best[place - 1] {
          reachable = max(reachable ?? before, before)
        }
        guard other == character else { continue }
        let isStart = place == 0 || !letters[place - 1].isLetter && !letters[place - 1].isNumber
        let own = letter + (isStart ? wordStart : 0)
        if row == 0 {
          next[place] = own + (place == 0 ? 2 : 0)
        } else if let reachable {
          let adjacent = best[place - 1].map { $0 + sideBySide }
          next[place] = own + max(reachable, adjacent ?? reachable)
        }
      }
      best = next
    }
    guard let found = best.compactMap({ $0 }).max() else { return nil }
    return found * 4 - letters.count / 4
  }

  /// The sum over the words of a needle; nil if one of them does not match.
  package static func score(words needle: String, in name: String) -> Int? {
    var sum = 0
    for word in needle.split(separator: " ") {
      guard let score = score(String(word), in: name) else { return nil }
      sum += score
    }
    return sum
  }
}
