internal import ClankyWire

extension ActionLog {
  /// The query for exactly these rows. Rows without an id are named by kind, event and millisecond; then others of
  /// the same may match too.
  ///
  /// - Returns: the query and how many rows of this log match it; nil where none of the rows is here.
  package func query(for rows: [RowID], nowMs: Int64) -> (text: String, count: Int)? {
    let views = Set(rows).compactMap(row).filter { !$0.isGap }
    guard !views.isEmpty else { return nil }
    let ids = views.compactMap(\.actionID)
    if ids.count == views.count {
      return ("id:" + ids.sorted().map(String.init).joined(separator: "|"), ids.count)
    }
    func any(_ field: String, _ values: Set<String>) -> String {
      field + ":" + values.sorted().map(QueryCompletion.quoted).joined(separator: "|")
    }
    var terms = [any("kind", Set(views.map(\.kind)))]
    let events = views.compactMap(\.label.event)
    if events.count == views.count { terms.append(any("event", Set(events))) }
    let times = Set(views.map(\.timeMs)).sorted()
    terms.append(
      "at:" + times.map { WireTime(milliseconds: $0).iso }.joined(separator: "|"))
    let text = terms.joined(separator: " ")
    guard let query = try? Query.parse(text), let first = times.first, let last = times.last else {
      return nil
    }
    var matcher = QueryMatcher(query, names: NoNames(), nowMs: nowMs)
    var matching = 0
    for index in 0..<count {
      let row = row(at: index)
      if row.timeMs < first { break }
      if row.timeMs <= last, matcher.matches(row) { matching += 1 }
    }
    return (text, matching)
  }
}
