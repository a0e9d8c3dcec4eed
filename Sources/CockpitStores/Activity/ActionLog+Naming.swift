internal import LenientJSON

extension ActionLog {
  /// The retained rows of the present log whose bytes hold a text as a JSON string or at the beginning of
  /// one, newest first. A candidate may hold it in any member: read the row to see which.
  ///
  /// - Parameter limit: rows that are looked at after the last hit. All rows are, until there is one: a text that a
  ///   retained row names is found however far back that row is.
  package func rows(holding text: String, limit: Int = 20_000) -> [RowID] {
    let needle = Array(JSONValue.string(text).serialized().utf8.dropLast())
    var found: [RowID] = []
    var last: Int?
    for index in 0..<count {
      if let last, index - last > limit { break }
      let row = row(at: index)
      guard !row.isGap, !row.isOfFormerLog else { continue }
      if row.withRaw({ ByteSearch.contains($0, needle) }) {
        found.append(row.id)
        last = index
      }
    }
    return found
  }
}
