/// The lines of several feeds as one, newest first; of the same millisecond those of the first source come first.
///
/// Nothing is stored: a place is found by binary search in the feeds, so that it costs nothing when rows come, and
/// the feeds follow their logs alone. Rows are numbers of `SourceRow`.
@MainActor
package struct MergedLines {
  @MainActor package struct Part {
    package var lines: FeedLines
    package var log: ActionLog

    package init(lines: FeedLines, log: ActionLog) {
      self.lines = lines
      self.log = log
    }

    /// ms since 1970; a row that was evicted is older than all others.
    func timeMs(_ index: Int) -> Int64 { log.row(lines.rowID(at: index))?.timeMs ?? .min }

    /// Lines newer than a time, or not older.
    func count(newerThan ms: Int64, orEqual: Bool) -> Int {
      var (low, high) = (0, lines.count)
      while low < high {
        let middle = (low + high) / 2
        let time = timeMs(middle)
        if time > ms || orEqual && time == ms { low = middle + 1 } else { high = middle }
      }
      return low
    }
  }

  package let parts: [Part]
  package let count: Int

  package init(_ parts: [Part]) {
    self.parts = parts
    count = parts.reduce(0) { $0 + $1.lines.count }
  }

  /// The lines before a line of one of the feeds.
  private func rank(_ source: Int, _ index: Int) -> Int {
    let time = parts[source].timeMs(index)
    return parts.indices.reduce(0) { sum, other in
      other == source
        ? sum + index : sum + parts[other].count(newerThan: time, orEqual: other < source)
    }
  }

  /// How many lines of each feed stand before a place.
  private func heads(before place: Int) -> [Int] {
    for source in parts.indices {
      var (low, high) = (0, parts[source].lines.count)
      while low < high {
        let middle = (low + high) / 2
        if rank(source, middle) < place { low = middle + 1 } else { high = middle }
      }
      guard low < parts[source].lines.count, rank(source, low) == place else { continue }
      let time = parts[source].timeMs(low)
      return parts.indices.map { other in
        other == source
          ? low : parts[other].count(newerThan: time, orEqual: other < source)
      }
    }
    return parts.map(\.lines.count)
  }

  /// The feed whose line is next, with these lines before.
  private func next(_ heads: [Int]) -> Int? {
    var best: (source: Int, time: Int64)?
    for source in parts.indices where heads[source] < parts[source].lines.count {
      let time = parts[source].timeMs(heads[source])
      if best.map({ time > $0.time }) ?? true { best = (source, time) }
    }
    return best?.source
  }

  private func row(_ source: Int, _ index: Int) -> SourceRow {
    SourceRow(source: source, row: parts[source].lines.rowID(at: index))
  }

  /// The rows of some lines; fewer where there are no more.
  package func rows(_ places: Range<Int>) -> [SourceRow] {
    var heads = heads(before: places.lowerBound)
    var rows: [SourceRow] = []
    while rows.count < places.count, let source = next(heads) {
      rows.append(row(source, heads[source]))
      heads[source] += 1
    }
    return rows
  }

  package func rowID(at place: Int) -> RowID {
    let heads = heads(before: place)
    return next(heads).map { row($0, heads[$0]).id } ?? 0
  }

  /// The place of a row; nil if it has no line.
  package func index(of id: RowID) -> Int? {
    guard let row = SourceRow(id), parts.indices.contains(row.source) else { return nil }
    return parts[row.source].lines.index(of: row.row, in: parts[row.source].log)
      .map { rank(row.source, $0) }
  }

  /// The place of a row, else of the line that it is folded into or beside.
  package func nearestIndex(of id: RowID) -> Int {
    guard let row = SourceRow(id), parts.indices.contains(row.source), count > 0 else { return 0 }
    let part = parts[row.source]
    guard part.lines.count > 0 else {
      let time = part.log.row(row.row)?.timeMs
      return min(count - 1, time.map { firstIndex(notNewerThan: $0) } ?? 0)
    }
    return rank(row.source, part.lines.nearestIndex(of: row.row, in: part.log))
  }

  /// The first place that is not newer than a time; `count` if all are.
  package func firstIndex(notNewerThan ms: Int64) -> Int {
    parts.reduce(0) { $0 + $1.count(newerThan: ms, orEqual: false) }
  }

  /// The first line from a place on that is a hit.
  ///
  /// - Parameter step: 1 goes to older ones, -1 to newer ones.
  package func first(
    from place: Int, step: Int, where isHit: (SourceRow) -> Bool
  ) -> SourceRow? {
    guard place >= 0, place < count else { return nil }
    if step > 0 {
      var heads = heads(before: place)
      while let source = next(heads) {
        let row = row(source, heads[source])
        if isHit(row) { return row }
        heads[source] += 1
      }
      return nil
    }
    // Backwards the oldest of the last ones is next; of the same time that of the last source.
    var heads = heads(before: place + 1)
    while true {
      var best: (source: Int, time: Int64)?
      for source in parts.indices where heads[source] > 0 {
        let time = parts[source].timeMs(heads[source] - 1)
        if best.map({ time <= $0.time }) ?? true { best = (source, time) }
      }
      guard let best else { return nil }
      heads[best.source] -= 1
      let row = row(best.source, heads[best.source])
      if isHit(row) { return row }
    }
  }

  /// What some lines stand for. Brackets are of one feed, and lines of others stand between them: there are none.
  package func marks(ofLines places: Range<Int>) -> [FeedMark] {
    rows(places).map { mark(of: $0) }
  }

  package func mark(of row: SourceRow) -> FeedMark {
    var mark = parts[row.source].lines.mark(of: row.row)
    mark.row = row.id
    mark.bracket = nil
    return mark
  }
}
