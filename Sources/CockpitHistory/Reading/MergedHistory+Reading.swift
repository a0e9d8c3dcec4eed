package import CockpitDomain

extension MergedHistory {
  package func span() throws(HistoryError) -> ClosedRange<Int64>? {
    let own = try local?.span()
    let others = try remote { shared throws(HistoryError) in try shared.span() }
    guard let others = others ?? nil else { return own ?? nil }
    guard let own = own ?? nil else { return others }
    return min(own.lowerBound, others.lowerBound)...max(own.upperBound, others.upperBound)
  }

  // MARK: rows

  package func rows(before place: HistoryPlace, limit: Int) throws(HistoryError) -> [RecordedRow] {
    var rows: [RecordedRow] = []
    let isWhole = try newestFirst(place.atMs) { history, part throws(HistoryError) in
      let from = min(place, HistoryPlace(atMs: part.through, seq: .max))
      let page = try history.rows(before: from, limit: limit - rows.count)
      rows += page.prefix { $0.atMs > part.after }
      return rows.count < limit
    }
    if isWhole { return rows }
    return try alone { local throws(HistoryError) in try local.rows(before: place, limit: limit) }
  }

  private func newestFirst(
    _ ms: Int64,
    _ work: (any HistoryReading, HistoryParts.Part) throws(HistoryError) -> Bool
  ) throws(HistoryError) -> Bool {
    try each(after: .min, through: ms, isNewestFirst: true, work)
  }

  package func rows(
    after: Int64, through: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    var rows: [RecordedRow] = []
    let isWhole = try each(after: after, through: through, isNewestFirst: false) {
      history, part throws(HistoryError) in
      rows += try history.rows(
        after: max(after, part.after), through: min(through, part.through),
        limit: limit - rows.count)
      return rows.count < limit
    }
    if isWhole { return rows }
    return try alone { local throws(HistoryError) in
      try local.rows(after: after, through: through, limit: limit)
    }
  }

  package func rows(
    after: Int64, through: Int64, limit: Int, named isWanted: (RowName) -> Bool
  ) throws(HistoryError) -> (rows: [RecordedRow], throughMs: Int64) {
    var (rows, throughMs) = ([RecordedRow](), after)
    let isWhole = try each(after: after, through: through, isNewestFirst: false) {
      history, part throws(HistoryError) in
      let endMs = min(through, part.through)
      let page = try history.rows(
        after: max(after, part.after), through: endMs, limit: limit, named: isWanted)
      rows += page.rows
      throughMs = page.throughMs
      return page.throughMs >= endMs
    }
    if isWhole { return (rows, throughMs) }
    return try alone { local throws(HistoryError) in
      try local.rows(after: after, through: through, limit: limit, named: isWanted)
    }
  }

  package func sessionRows(
    _ session: String, notAfterMs: Int64, limit: Int
  ) throws(HistoryError) -> [RecordedRow] {
    var rows: [RecordedRow] = []
    let isWhole = try newestFirst(notAfterMs) { history, part throws(HistoryError) in
      rows += try history.sessionRows(
        session, notAfterMs: min(notAfterMs, part.through), limit: limit - rows.count
      ).prefix { $0.atMs > part.after }
      return rows.count < limit
    }
    if isWhole { return rows }
    return try alone { local throws(HistoryError) in
      try local.sessionRows(session, notAfterMs: notAfterMs, limit: limit)
    }
  }

  package func row(actionID: Int) throws(HistoryError) -> RecordedRow? {
    if let row = try local?.row(actionID: actionID) { return row }
    return try remote { shared throws(HistoryError) in
      try shared.row(actionID: actionID)
    } ?? nil
  }

  // MARK: documents and links

  package func document(
    _ name: String, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedDocument? {
    let own = try local?.document(name, notAfterMs: notAfterMs) ?? nil
    let isOwn = try isLocal(notAfterMs)
    if let own, isOwn { return own }
    let other = try remote { shared throws(HistoryError) in
      try shared.document(name, notAfterMs: notAfterMs)
    }
    return [own, other ?? nil].compactMap(\.self).max { $0.atMs < $1.atMs }
  }

  private func isLocal(_ ms: Int64) throws(HistoryError) -> Bool {
    try parts().first { $0.contains(ms) }?.isLocal ?? false
  }

  package func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String] {
    let own = try local?.documentNames(notAfterMs: notAfterMs) ?? []
    let others = try remote { shared throws(HistoryError) in
      try shared.documentNames(notAfterMs: notAfterMs)
    }
    return Set(own + (others ?? [])).sorted()
  }

  package func documents(
    after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedDocument] {
    try joined(after, through) { history, after, through throws(HistoryError) in
      try history.documents(after: after, through: through)
    }
  }

  package func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink] {
    try joined(after, through) { history, after, through throws(HistoryError) in
      try history.links(after: after, through: through)
    }
  }

  /// What both have of a stretch, each of its parts.
  private func joined<Value>(
    _ after: Int64, _ through: Int64,
    _ read: (any HistoryReading, Int64, Int64) throws(HistoryError) -> [Value]
  ) throws(HistoryError) -> [Value] {
    var values: [Value] = []
    let isWhole = try each(after: after, through: through, isNewestFirst: false) {
      history, part throws(HistoryError) in
      values += try read(history, max(after, part.after), min(through, part.through))
      return true
    }
    if isWhole { return values }
    return try alone { local throws(HistoryError) in try read(local, after, through) }
  }

  package func link(
    _ what: RecordedLink.What, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedLink? {
    let own = try local?.link(what, notAfterMs: notAfterMs) ?? nil
    let isOwn = try isLocal(notAfterMs)
    if let own, isOwn { return own }
    let other = try remote { shared throws(HistoryError) in
      try shared.link(what, notAfterMs: notAfterMs)
    }
    return [own, other ?? nil].compactMap(\.self).max { $0.atMs < $1.atMs }
  }

  package func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage] {
    // Where the local history has none, those of the database count.
    var found: [RecordedOutage] = []
    let isWhole = try each(after: after, through: through, isNewestFirst: false) {
      history, part throws(HistoryError) in
      guard !part.isLocal else { return true }
      let (fromMs, toMs) = (max(after, part.after), min(through, part.through))
      var own = try history.outages(after: fromMs, through: toMs)
      if own.isEmpty, try history.rows(after: fromMs, through: toMs, limit: 1).isEmpty {
        // The database has nothing of it, not even that it is missing.
        own = try local?.outages(after: fromMs, through: toMs) ?? []
      }
      for outage in own where !found.contains(outage) { found.append(outage) }
      return true
    }
    if !isWhole {
      return try alone { local throws(HistoryError) in
        try local.outages(after: after, through: through)
      }
    }
    return found.sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
  }

  package func gaps(after: Int64, through: Int64) throws(HistoryError) -> [RecordedGap] {
    let gaps = try joined(after, through) { history, after, through throws(HistoryError) in
      try history.gaps(after: after, through: through)
    }
    return Set(gaps).sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
  }

  // MARK: figures

  package func density(
    after: Int64, through: Int64, buckets: Int
  ) throws(HistoryError) -> [DensityBucket] {
    let length = through &- after
    var answer = [DensityBucket](repeating: DensityBucket(), count: max(0, buckets))
    guard buckets > 0, length > 0, length < 1 << 50 else { return answer }
    let parts = try parts().filter { $0.after < through && $0.through > after }
    let own = try local?.density(after: after, through: through, buckets: buckets)
    let others =
      parts.allSatisfy(\.isLocal)
      ? nil
      : try remote { shared throws(HistoryError) in
        try shared.density(after: after, through: through, buckets: buckets)
      }
    for index in answer.indices {
      let middleMs = after + (Int64(index) * 2 + 1) * length / Int64(buckets * 2)
      let isLocal = parts.first { $0.contains(middleMs) }?.isLocal ?? true
      if let bucket = isLocal || others == nil ? own?[index] : others?[index] {
        answer[index] = bucket
      }
    }
    return answer
  }

  package func costNanos(after: Int64, through: Int64) throws(HistoryError) -> Int64 {
    try joined(after, through) { history, after, through throws(HistoryError) in
      [try history.costNanos(after: after, through: through)]
    }.reduce(0) { $0.addingReportingOverflow($1).partialValue }
  }

  package func next(
    _ what: HistoryMark, from: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    if what == .day {
      return try span().flatMap { HistoryMark.day(in: $0, from: from, isOlder: isOlder) }
    }
    let own = try local?.next(what, from: from, isOlder: isOlder) ?? nil
    if what == .mark { return own }
    let other = try remote { shared throws(HistoryError) in
      try shared.next(what, from: from, isOlder: isOlder)
    }
    let times = [own, other ?? nil].compactMap(\.self)
    return isOlder ? times.max() : times.min()
  }

  package func marks() throws(HistoryError) -> [HistoryNotes.Mark] { try local?.marks() ?? [] }

  package func pins() throws(HistoryError) -> [HistoryNotes.Pin] { try local?.pins() ?? [] }

  package func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    var hits = HistoryHits()
    let before = query.before?.atMs ?? .max
    let isWhole = try each(
      after: query.afterMs, through: min(query.throughMs, before), isNewestFirst: true
    ) { history, part throws(HistoryError) in
      var own = query
      own.afterMs = max(query.afterMs, part.after)
      own.throughMs = min(query.throughMs, part.through)
      // A place among the rows of one history means nothing in the other.
      if let before = query.before, !part.contains(before.atMs) { own.before = nil }
      let found = try history.search(own, limit: limit - hits.rows.count)
      hits.rows += found.rows
      hits.readRows += found.readRows
      hits.unindexedFiles = max(hits.unindexedFiles, found.unindexedFiles)
      hits.next = found.next
      return found.next == nil && hits.rows.count < limit
    }
    guard isWhole else {
      return try alone { local throws(HistoryError) in try local.search(query, limit: limit) }
    }
    // The next page begins in an older part.
    if hits.next == nil, hits.rows.count >= limit { hits.next = hits.rows.last?.place }
    return hits
  }
}
