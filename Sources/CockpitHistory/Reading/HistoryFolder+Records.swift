package import CockpitDomain

extension HistoryFolder {
  package func document(
    _ name: String, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedDocument? {
    // Documents are recorded as they arrive: an earlier file has only older ones, unless the clock was set back.
    for file in try pool.files().reversed() {
      let document = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.document(name, notAfterMs: notAfterMs)
      }
      if let document = document ?? nil { return document }
    }
    return nil
  }

  package func documentNames(notAfterMs: Int64) throws(HistoryError) -> [String] {
    var names: Set<String> = []
    for file in try pool.files() {
      let more = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.documentNames(notAfterMs: notAfterMs)
      }
      names.formUnion(more ?? [])
    }
    return names.sorted()
  }

  package func documents(
    after: Int64, through: Int64
  ) throws(HistoryError) -> [RecordedDocument] {
    var documents: [RecordedDocument] = []
    for file in try pool.files() {
      _ = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.documents(after: after, through: through) { documents.append($0) }
      }
    }
    return documents
  }

  package func links(after: Int64, through: Int64) throws(HistoryError) -> [RecordedLink] {
    try links("WHERE at_ms > ? AND at_ms <= ? ORDER BY id", [after, through])
      .filter { $0.atMs > after && $0.atMs <= through }
  }

  private func links(_ rest: String, _ values: [Int64]) throws(HistoryError) -> [RecordedLink] {
    var links: [RecordedLink] = []
    for file in try pool.files() {
      let more = try pool.with(file) { reader throws(DatabaseFailure) in
        try reader.links(rest, values)
      }
      links += more ?? []
    }
    return links
  }

  package func link(
    _ what: RecordedLink.What, notAfterMs: Int64
  ) throws(HistoryError) -> RecordedLink? {
    for file in try pool.files().reversed() {
      let found = try pool.with(file) { reader throws(DatabaseFailure) in
        // Several, because the newest may be damaged.
        try reader.links(
          "WHERE at_ms <= ? AND what = ? ORDER BY at_ms DESC, id DESC LIMIT 20", [notAfterMs],
          what: what)
      }
      if let link = found?.first { return link }
    }
    return nil
  }

  package func outages(after: Int64, through: Int64) throws(HistoryError) -> [RecordedOutage] {
    // An outage is recorded at its end.
    let links = try links("WHERE what = 'outage' AND at_ms > ? ORDER BY id", [after])
    let recorded = links.compactMap { RecordedOutage(value: $0.value) }
    return (recorded + pool.damage.stretches)
      .filter { $0.toMs > after && $0.fromMs <= through }
      .sorted { ($0.fromMs, $0.toMs) < ($1.fromMs, $1.toMs) }
  }

  package func gaps(after: Int64, through: Int64) throws(HistoryError) -> [RecordedGap] {
    // A gap is recorded when it is noticed.
    let links = try links(
      "WHERE what IN ('gap', 'gap_closed') AND at_ms > ? ORDER BY id", [after])
    return try RecordedGap.open(links, self, after: after, through: through)
  }

  package func density(
    after: Int64, through: Int64, buckets: Int
  ) throws(HistoryError) -> [DensityBucket] {
    var answer = [DensityBucket](repeating: DensityBucket(), count: max(0, buckets))
    let (length, isOver) = through.subtractingReportingOverflow(after)
    guard buckets > 0, length > 0, !isOver, length < 1 << 50 else { return answer }
    func add(_ atMs: Int64, _ count: DensityBucket) {
      // Of a minute at the edge, what is inside.
      let at = min(max(atMs, after + 1), through)
      let index = Int((at - after - 1) * Int64(buckets) / length)
      answer[index].rows += count.rows
      answer[index].failures += count.failures
      answer[index].voice += count.voice
    }
    let isCoarse = length / Int64(buckets) >= 120_000
    for file in try filesWithRows().files
    where file.span.upperBound > after && file.span.lowerBound <= through {
      let counts = try pool.with(file.path) {
        reader throws(DatabaseFailure) -> [(Int64, DensityBucket)] in
        var counts: [(Int64, DensityBucket)] = []
        var blocked: Int64 = -1
        if isCoarse {
          blocked = try reader.database.number("SELECT max(last_seq) FROM block") ?? -1
          let minutes = try reader.database.statement(
            "SELECT minute, rows, failures, voice FROM minute WHERE minute BETWEEN ? AND ?")
          // Minutes that begin in the stretch.
          minutes.bind(after / 60_000 + 1, at: 1)
          minutes.bind(through / 60_000, at: 2)
          while try minutes.step() {
            let count = DensityBucket(
              rows: Int(clamping: minutes.int(1)), failures: Int(clamping: minutes.int(2)),
              voice: Int(clamping: minutes.int(3)))
            counts.append((minutes.int(0) &* 60_000, count))
          }
          minutes.reset()
        }
        let rows = try reader.database.statement(
          "SELECT at_ms, flags FROM row WHERE at_ms > ? AND at_ms <= ? AND seq > ?")
        rows.bind(after, at: 1)
        rows.bind(through, at: 2)
        rows.bind(blocked, at: 3)
        while try rows.step() {
          var count = DensityBucket()
          count.add(flags: rows.int(1))
          counts.append((rows.int(0), count))
        }
        rows.reset()
        return counts
      }
      for (atMs, count) in counts ?? [] where atMs > after && atMs <= through {
        add(atMs, count)
      }
    }
    return answer
  }

  package func costNanos(after: Int64, through: Int64) throws(HistoryError) -> Int64 {
    var sum: Int64 = 0
    for file in try filesWithRows().files
    where file.span.upperBound > after && file.span.lowerBound <= through {
      let nanos = try pool.with(file.path) { reader throws(DatabaseFailure) in
        try reader.database.number(
          "SELECT sum(cost_nanos) FROM row WHERE at_ms > ? AND at_ms <= ?", after, through)
      }
      sum = sum.addingReportingOverflow((nanos ?? nil) ?? 0).partialValue
    }
    return sum
  }

  package func next(
    _ what: HistoryMark, from: Int64, isOlder: Bool
  ) throws(HistoryError) -> Int64? {
    let times: [Int64]
    switch what {
    case .error:
      var found: [Int64] = []
      for file in try filesWithRows().files
      where isOlder ? file.span.lowerBound < from : file.span.upperBound > from {
        let time = try pool.with(file.path) { reader throws(DatabaseFailure) in
          try reader.database.number(
            isOlder
              ? "SELECT max(at_ms) FROM row WHERE flags & 1 AND at_ms < ?"
              : "SELECT min(at_ms) FROM row WHERE flags & 1 AND at_ms > ?", from)
        }
        if let time = time ?? nil { found.append(time) }
      }
      times = found
    case .gap:
      let gaps = try links("WHERE what IN ('gap', 'outage') ORDER BY id", [])
      times = gaps.map { link in
        link.what == .outage
          ? RecordedOutage(value: link.value)?.fromMs ?? link.atMs : link.atMs
      }
    case .mark: times = try marks().map(\.atMs)
    case .turn: times = try turnTimes(from: from, isOlder: isOlder)
    case .day:
      return try span().flatMap { HistoryMark.day(in: $0, from: from, isOlder: isOlder) }
    }
    return isOlder ? times.filter { $0 < from }.max() : times.filter { $0 > from }.min()
  }

  package func search(_ query: HistorySearch, limit: Int) throws(HistoryError) -> HistoryHits {
    var hits = HistoryHits()
    guard limit > 0 else { return hits }
    let files = try pool.files()
    for (index, file) in files.enumerated().reversed() {
      let known = hits.rows.count
      let isDone = try pool.with(file) { reader throws(DatabaseFailure) in
        if let span = try reader.span(), span.upperBound <= query.afterMs { return true }
        return try reader.search(
          query, below: query.before?.seq ?? .max, limit: limit, into: &hits)
      }
      try complete(&hits.rows[known...], of: index, files)
      if isDone == false, let last = hits.rows.last {
        hits.next = last.place
        break
      }
    }
    return hits
  }
}
