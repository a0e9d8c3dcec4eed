internal import LenientJSON

extension ActionLog {
  /// The retained rows of the present log whose bytes hold a text as a JSON string or at the beginning of
  /// one, newest first. A candidate may hold it in any member: read the row to see which.
  ///
  /// - Parameter limit: rows that are looked at, newest first.
  package func rows(holding text: String, limit: Int = 20_000) -> [RowID] {
    let needle = Array(JSONValue.string(text).serialized().utf8.dropLast())
    var found: [RowID] = []
    for index in 0..<min(count, limit) {
      let row = row(at: index)
      guard !row.isGap, !row.isOfFormerLog else { continue }
      if row.withRaw({ ByteSearch.contains($0, needle) }) { found.append(row.id) }
    }
    return found
  }
}
