import TerminalCore

/// What is wrong with a theme file, and in which line.
package struct ThemeError: Error, Hashable, CustomStringConvertible {
  /// The name of the theme or its file; not sanitised.
  package let file: String
  /// From 1; nil when the problem is something that is not there.
  package let line: Int?
  /// What is wrong, without a full stop; not sanitised.
  package let problem: String

  /// A mistake in a theme.
  package init(file: String, line: Int?, problem: String) {
    self.file = file
    self.line = line
    self.problem = problem
  }

  package var description: String {
    let place = line.map { ", line \($0)" } ?? ""
    return "Theme \(PlainText(file, limit: 80))\(place): \(PlainText(problem, limit: 300))."
  }
}

/// The candidate a misspelt word was probably meant to be.
func nearest(to word: String, among candidates: [String]) -> String? {
  let best = candidates.map { (candidate: $0, distance: distance(word, $0)) }
    .min { $0.distance < $1.distance }
  guard let best, best.distance <= max(2, word.count / 2) else { return nil }
  return best.candidate
}

/// Levenshtein's distance, over the first characters: nothing longer is a typing error.
private func distance(_ left: String, _ right: String) -> Int {
  let left = Array(left.lowercased().prefix(40))
  let right = Array(right.lowercased().prefix(40))
  var row = Array(0...right.count)
  for (index, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in right.indices {
      let above = row[column + 1]
      let change = diagonal + (character == right[column] ? 0 : 1)
      row[column + 1] = min(change, above + 1, row[column] + 1)
      diagonal = above
    }
  }
  return row[right.count]
}
