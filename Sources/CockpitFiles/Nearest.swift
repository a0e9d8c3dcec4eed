extension String {
  /// The candidate that is the fewest edits away, when it is near enough to be a slip of the
  /// fingers (Levenshtein distance of at most a third of the length, and at least 2).
  package func nearest(of candidates: [String]) -> String? {
    let limit = max(2, count / 3)
    return
      candidates
      .map { ($0, distance(to: $0)) }
      .filter { $0.1 <= limit }
      .min { $0.1 < $1.1 }?.0
  }

  private func distance(to other: String) -> Int {
    let (from, to) = (Array(self.utf8), Array(other.utf8))
    guard !from.isEmpty else { return to.count }
    var row = Array(0...to.count)
    for (index, byte) in from.enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for column in 0..<to.count {
        let above = row[column + 1]
        row[column + 1] =
          byte == to[column] ? diagonal : 1 + Swift.min(diagonal, above, row[column])
        diagonal = above
      }
    }
    return row[to.count]
  }
}
