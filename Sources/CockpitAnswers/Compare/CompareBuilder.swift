internal import CockpitStatistics
internal import CockpitStores

/// Compares two sides: a pure function.
package enum CompareBuilder {
  /// - Parameters:
  ///   - slots: the days of a baseline, where it has several.
  ///   - changes: the ledger of the time between.
  package static func compare(
    _ a: CompareSide, _ b: CompareSide, slots: [CompareSide] = [], changes: [LedgerChange] = []
  ) -> Comparison {
    let figures = CompareFigures(a: a, b: b, slots: slots).all
    let found = figures.filter { $0.verdict == .worse || $0.verdict == .better }
    let isComplete = a.missing.isEmpty && b.missing.isEmpty
    let isKnown = figures.contains { $0.verdict != .tooLittle }
    var sentence = CompareWords.sentence(a, b, figures)
    if !isComplete { sentence += " Rows are missing, or may be." }
    let answer = Answer(
      sentence, state: isKnown ? .inferred : .unknown,
      evidence: found.prefix(5).flatMap { $0.b.evidence.suffix(1) },
      coverage: .init(
        fromMs: min(a.fromMs, b.fromMs), toMs: max(a.toMs, b.toMs), isComplete: isComplete))
    return Comparison(
      answer: answer, a: side(a), b: side(b), figures: figures, shares: shares(a, b),
      incidents: incidents(a, b), changes: changes)
  }

  private static func side(_ side: CompareSide) -> Comparison.Side {
    Comparison.Side(
      name: side.name, ranges: side.ranges, turns: side.turns.count, missing: side.missing)
  }

  /// What is below the figures: each topic with its largest differences first.
  private static func shares(_ a: CompareSide, _ b: CompareSide) -> [Comparison.Share] {
    func names(_ side: CompareSide, _ topic: Comparison.Share.Topic) -> [String] {
      switch topic {
      case .outcomes:
        side.turns.map { ($0.isVoice ? "voice " : "text ") + $0.outcome.rawValue }
      case .silences:
        side.turns.filter { $0.isSilence || $0.outcome == .notAdmitted || $0.outcome == .unheard }
          .map { $0.reason ?? $0.outcome.rawValue }
      case .models: side.calls.map(\.model)
      case .tools: side.turns.flatMap(\.tools).map(\.name)
      case .kinds: side.rows.map(\.kind)
      }
    }
    return Comparison.Share.Topic.allCases.flatMap { topic in
      list(topic, names(a, topic), names(b, topic))
    }
  }

  private static func incidents(_ a: CompareSide, _ b: CompareSide) -> [Comparison.Rate] {
    let (before, now) = (
      Dictionary(grouping: a.incidents, by: \.rule), Dictionary(grouping: b.incidents, by: \.rule)
    )
    return Set(before.keys).union(now.keys).map { rule in
      let (left, right) = (before[rule] ?? [], now[rule] ?? [])
      var rate = Comparison.Rate(
        rule: rule, a: left.count, b: right.count, turnsA: a.turns.count, turnsB: b.turns.count,
        evidenceA: left.map(\.evidence), evidenceB: right.map(\.evidence))
      let rates = (
        EventRate(left.count, per: Double(a.turns.count)),
        EventRate(right.count, per: Double(b.turns.count))
      )
      if let found = EventRate.compare(rates.0, rates.1, confidence: Confidence.difference) {
        rate.difference = .init(
          scale: .ratio, value: found.ratio, low: found.interval.low, high: found.interval.high,
          p: found.p)
      }
      return rate
    }.sorted { ($1.a + $1.b, $0.rule) < ($0.a + $0.b, $1.rule) }
  }

  private static func list(
    _ topic: Comparison.Share.Topic, _ a: [String], _ b: [String]
  ) -> [Comparison.Share] {
    func count(_ names: [String]) -> [String: Int] {
      names.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
    let (before, now) = (count(a), count(b))
    return Set(before.keys).union(now.keys).map { name in
      let (left, right) = (
        Share(before[name] ?? 0, of: a.count), Share(now[name] ?? 0, of: b.count)
      )
      var share = Comparison.Share(
        topic: topic, name: name, a: left.hits, b: right.hits, ofA: a.count, ofB: b.count)
      if let found = Share.difference(left, right, confidence: Confidence.difference) {
        share.difference = .init(
          scale: .difference, value: found.value, low: found.interval.low,
          high: found.interval.high)
      }
      return share
    }.sorted { left, right in
      let (x, y) = (abs(left.difference?.value ?? 0), abs(right.difference?.value ?? 0))
      return (y, right.a + right.b, left.name) < (x, left.a + left.b, right.name)
    }
  }
}
