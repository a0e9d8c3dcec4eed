/// The word of a list that is most similar to another; nil if none is.
package func nearest(_ word: String, in list: [String]) -> String? {
  // Compare prefixes: against the whole length every word would be near a long one.
  let word = String(word.lowercased().prefix(comparedLength))
  let candidates = list.filter { !$0.isEmpty }.map { ($0, distance(word, $0)) }
  guard let best = candidates.min(by: { $0.1 < $1.1 }) else { return nil }
  if best.1 <= (word.count < 4 ? 1 : max(2, word.count / 3)) { return best.0 }
  return list.first { !$0.isEmpty && word.count >= 2 && ($0.hasPrefix(word) || word.hasPrefix($0)) }
}

/// Number of characters compared.
private let comparedLength = 40

/// Edits between two short words (Levenshtein).
private func distance(_ left: String, _ right: String) -> Int {
  let (left, right) = (Array(left.prefix(comparedLength)), Array(right.prefix(comparedLength)))
  var row = Array(0...right.count)
  for (i, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, other) in right.enumerated() {
      let cost = diagonal + (character == other ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(cost, row[j] + 1, row[j + 1] + 1)
    }
  }
  return row[right.count]
}
