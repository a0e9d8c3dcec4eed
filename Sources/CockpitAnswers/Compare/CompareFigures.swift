internal import CockpitStatistics
internal import CockpitStores

/// Makes the figures of two sides.
struct CompareFigures {
  let a: CompareSide
  let b: CompareSide
  /// The slots of the baseline, where it has several.
  let slots: [CompareSide]

  typealias Turn = CompareUnits.Turn

  var all: [Comparison.Figure] {
    var figures =
      series("voice_reply", "voice reply", .voiceLatency) { $0.isVoice ? $0.latencyMs : nil }
    for stage in LatencyStage.allCases {
      figures += series(
        "voice_" + stage.key, "voice " + stage.name, .voiceLatency, quantiles: [0.5]
      ) { $0.stages[stage] }
    }
    figures += series("text_reply", "text reply", .textLatency) {
      $0.isVoice ? nil : $0.latencyMs
    }
    figures += [
      share("text_skips", "text skipped", .silence, of: { !$0.isVoice && $0.isDecided }) {
        $0.outcome == .skipped
      },
      share("voice_skips", "voice skipped", .silence, of: { $0.isVoice && $0.isDecided }) {
        $0.isSilence
      },
      share("voice_drops", "voice dropped", .silence, of: { $0.isVoice && $0.isPromoted }) {
        $0.outcome == .unheard || $0.outcome == .dropped
      },
      tools, errors,
      mean("cost", "cost per reply", .usd) { $0.costUSD },
      mean("tokens", "tokens per reply", .tokens) { $0.tokens.map { Double($0) } },
      cache,
    ]
    return marked(figures)
  }

  // MARK: Latencies

  private func series(
    _ id: String, _ title: String, _ cause: Comparison.Cause, quantiles: [Double] = [0.5, 0.95],
    _ value: (Turn) -> Int?
  ) -> [Comparison.Figure] {
    struct Found {
      var values: [Double] = []
      var evidence: [Answer.Evidence] = []
      /// By the day or range that they are of.
      var runs: [[Double]] = []
    }
    func of(_ side: CompareSide) -> Found {
      var found = Found()
      var last: Range<Int64>?
      for turn in side.turns {
        guard let ms = value(turn), ms >= 0 else { continue }
        found.values.append(Double(max(1, ms)))
        found.evidence.append(turn.evidence)
        if last?.contains(turn.timeMs) != true {
          last = side.ranges.first { $0.contains(turn.timeMs) }
          found.runs.append([])
        }
        found.runs[found.runs.count - 1].append(Double(max(1, ms)))
      }
      return found
    }
    let (left, right) = (of(a), of(b))
    return quantiles.map { p in
      var figure = Comparison.Figure(
        id: "\(id)_p\(Int(p * 100))", title: "\(title) p\(Int(p * 100))", cause: cause, unit: .ms,
        things: cause == .voiceLatency ? "turns" : "replies",
        a: quantile(left.values, p, left.evidence), b: quantile(right.values, p, right.evidence),
        verdict: .tooLittle)
      guard figure.a.value != nil, figure.b.value != nil else {
        figure.remark = "at least \(Quantile.leastCount(p)) on each side"
        return figure
      }
      if p == 0.5 {
        compare(left.values, right.values, runs: left.runs + right.runs, into: &figure)
        let medians = slots.compactMap { Quantile.median(of($0).values) }
        check(&figure, against: medians)
      } else {
        compareTails(into: &figure)
      }
      return figure
    }
  }

  private func quantile(
    _ values: [Double], _ p: Double, _ evidence: [Answer.Evidence]
  ) -> Comparison.Value {
    var value = Comparison.Value(n: values.count)
    value.trend = Self.trend(values.map { $0 as Double? })
    value.evidence = evidence
    if let found = Quantile(values, p) {
      (value.value, value.low, value.high) = (found.value, found.interval.low, found.interval.high)
    } else if p > 0.5, let worst = values.max() {
      value.note = "worst of \(values.count): \(CompareWords.ms(worst))"
    } else {
      value.note = values.isEmpty ? "none" : "only \(values.count)"
    }
    return value
  }

  /// By rank test and shift, both widened where turns follow each other.
  func compare(
    _ left: [Double], _ right: [Double], runs: [[Double]]? = nil,
    into figure: inout Comparison.Figure
  ) {
    guard let test = SeriesComparison(left, right, runs: runs), let interval = test.interval else {
      figure.remark =
        "\(left.count) and \(right.count) \(figure.things) are too few for an interval of the difference"
      return
    }
    figure.difference = .init(
      scale: .ratio, value: test.ratio, low: interval.low, high: interval.high, p: test.p)
    figure.verdict = test.isGreater ? .worse : test.isSmaller ? .better : .same
    let power = Power(
      left.count, right.count, rho: test.rho, spread: Power.spread(left, right))
    figure.remark =
      "no difference that \(left.count) and \(right.count) \(figure.things) could show (\(CompareWords.fixed(Power.ratio, 1)) x would be seen \(power.words))"
  }

  /// A tail has no rank test of its own: two intervals that do not meet, which equals do in 99 of 100 cases.
  private func compareTails(into figure: inout Comparison.Figure) {
    guard let before = figure.a.value, let now = figure.b.value, let lowA = figure.a.low,
      let highA = figure.a.high, let lowB = figure.b.low, let highB = figure.b.high, before > 0,
      lowA > 0
    else { return }
    figure.difference = .init(
      scale: .ratio, value: now / before, low: lowB / highA, high: highB / lowA, p: nil)
    let least = SeriesComparison.leastRatio
    figure.verdict =
      lowB > highA && now / before >= least
      ? .worse : highB < lowA && before / now >= least ? .better : .same
    figure.remark =
      "no difference that \(figure.a.n) and \(figure.b.n) \(figure.things) could show (the intervals meet)"
  }

  /// Days differ from each other more than turns within one: with five days or more, the median must lie outside
  /// those of all of them.
  private func check(_ figure: inout Comparison.Figure, against medians: [Double]) {
    guard medians.count >= 5, let now = figure.b.value, let low = medians.min(),
      let high = medians.max()
    else { return }
    guard figure.verdict == .worse && now <= high || figure.verdict == .better && now >= low else {
      return
    }
    figure.verdict = .same
    figure.remark =
      "no difference that days could show: the medians of \(medians.count) days before lie between \(CompareWords.ms(low)) and \(CompareWords.ms(high))"
  }

  // MARK: Shares

  private func share(
    _ id: String, _ title: String, _ cause: Comparison.Cause, of isCounted: (Turn) -> Bool,
    _ isHit: (Turn) -> Bool
  ) -> Comparison.Figure {
    func hits(_ side: CompareSide) -> [(Bool, Answer.Evidence)] {
      side.turns.filter(isCounted).map { (isHit($0), $0.evidence) }
    }
    return share(id, title, cause, "turns", hits(a), hits(b))
  }

  private func share(
    _ id: String, _ title: String, _ cause: Comparison.Cause, _ things: String,
    _ left: [(Bool, Answer.Evidence)], _ right: [(Bool, Answer.Evidence)]
  ) -> Comparison.Figure {
    func value(_ hits: [(Bool, Answer.Evidence)]) -> (Comparison.Value, Share) {
      let share = Share(hits.count { $0.0 }, of: hits.count)
      var value = Comparison.Value(n: hits.count)
      value.trend = Self.trend(hits.map { $0.0 ? 1 : 0 })
      value.evidence = hits.filter(\.0).map(\.1)
      if hits.count >= Self.leastShare, let interval = share.interval() {
        (value.value, value.low, value.high) = (share.value, interval.low, interval.high)
      } else {
        value.note = hits.isEmpty ? "none" : "\(share.hits) of \(hits.count)"
      }
      return (value, share)
    }
    let ((a, before), (b, now)) = (value(left), value(right))
    var figure = Comparison.Figure(
      id: id, title: title, cause: cause, unit: .share, things: things, a: a, b: b,
      verdict: .tooLittle, remark: "at least \(Self.leastShare) on each side")
    guard a.value != nil, b.value != nil,
      let found = Share.difference(before, now, confidence: Confidence.difference)
    else { return figure }
    figure.difference = .init(
      scale: .difference, value: found.value, low: found.interval.low, high: found.interval.high,
      p: FisherExact.p(before, now))
    let isApart = !found.interval.contains(0) && abs(found.value) >= Self.leastPoints
    figure.verdict = !isApart ? .same : found.value > 0 ? .worse : .better
    let half = max(Self.leastPoints, (found.interval.high - found.interval.low) / 2)
    figure.remark =
      "no difference that \(before.n) and \(now.n) \(things) could show (less than about \(CompareWords.fixed(half * 100, 0)) points is not seen)"
    return figure
  }

  static let leastShare = 5
  /// A smaller difference of shares matters to nobody.
  static let leastPoints = 0.05

  private var tools: Comparison.Figure {
    func results(_ side: CompareSide) -> [(Bool, Answer.Evidence)] {
      side.turns.flatMap(\.tools).map { (!$0.isSuccess, $0.evidence) }
    }
    return share("tool_failures", "tools failed", .failures, "calls", results(a), results(b))
  }

  // MARK: Failures

  private var errors: Comparison.Figure {
    func value(_ side: CompareSide) -> (Comparison.Value, EventRate) {
      let failures = side.rows.filter { $0.failure != nil }
      let replies = side.turns.count(where: \.isAnswered)
      let counts = side.ranges.flatMap { range in Self.counts(failures.map(\.timeMs), in: range) }
      // Above 2 failures come in clusters, which tell less than so many alone.
      let dispersion = EventRate.dispersion(of: counts)
      let rate = EventRate(
        failures.count, per: Double(replies) / 100, dispersion: dispersion > 2 ? dispersion : 1)
      var value = Comparison.Value(n: replies)
      value.trend = Self.trend(counts.map { Double($0) })
      value.evidence = failures.compactMap(\.failure)
      if replies > 0, side.hasAllRows, let interval = rate.interval() {
        (value.value, value.low, value.high) = (rate.value, interval.low, interval.high)
      } else {
        value.note = side.hasAllRows ? "no reply" : "failures name no model or session"
      }
      return (value, rate)
    }
    let ((left, before), (right, now)) = (value(a), value(b))
    var figure = Comparison.Figure(
      id: "errors", title: "errors per 100 replies", cause: .failures, unit: .perHundred,
      things: "replies", a: left, b: right, verdict: .tooLittle, remark: "a reply on each side")
    guard left.value != nil, right.value != nil,
      let found = EventRate.compare(before, now, confidence: Confidence.difference)
    else { return figure }
    figure.difference = .init(
      scale: .ratio, value: found.ratio, low: found.interval.low, high: found.interval.high,
      p: found.p)
    let ratio = found.ratio ?? 1
    let isApart = found.p < 1 - Confidence.difference
    figure.verdict =
      isApart && ratio >= Self.leastRate
      ? .worse : isApart && ratio <= 1 / Self.leastRate ? .better : .same
    figure.remark =
      "no difference that \(before.count) and \(now.count) errors could show"
    return figure
  }

  private static let leastRate = 1.5
  private static let stretchMs: Int64 = 300_000

  /// The counts of whole five-minute stretches.
  private static func counts(_ times: [Int64], in range: Range<Int64>) -> [Int] {
    let count = Int((range.upperBound - range.lowerBound) / stretchMs)
    guard count > 0, count < 100_000 else { return [] }
    var counts = [Int](repeating: 0, count: count)
    for ms in times where range.contains(ms) {
      counts[min(count - 1, Int((ms - range.lowerBound) / stretchMs))] += 1
    }
    return counts
  }

  // MARK: Certainty

  /// A finding that stands alone may be the false one among so many; two of one cause confirm each other, and so
  /// does a p that would be rare among all of them.
  private func marked(_ figures: [Comparison.Figure]) -> [Comparison.Figure] {
    let compared = figures.count { $0.verdict != .tooLittle }
    return figures.map { figure in
      guard figure.verdict == .worse || figure.verdict == .better else { return figure }
      var figure = figure
      let others = figures.count {
        $0.id != figure.id && $0.cause == figure.cause && $0.verdict == figure.verdict
      }
      let isRare = figure.difference?.p.map { $0 * Double(compared) < 0.01 } ?? false
      figure.isAlone = others == 0 && !isRare
      figure.remark = nil
      return figure
    }
  }

  // MARK: Sparks

  private static let trendColumns = 16

  /// The mean of each of some parts of a series.
  static func trend(_ values: [Double?]) -> [Double?] {
    guard values.count > trendColumns else { return values }
    return (0..<trendColumns).map { column in
      let part = values[
        column * values.count / trendColumns..<(column + 1) * values.count / trendColumns]
      let known = part.compactMap { $0 }
      return known.isEmpty ? nil : known.reduce(0, +) / Double(known.count)
    }
  }
}

extension CompareUnits.Turn {
  /// Whether the bot came to a decision: it answered, wanted to, or chose silence.
  var isDecided: Bool {
    switch outcome {
    case .replied, .reacted, .spoken, .interrupted, .notSent, .superseded, .skipped: true
    case .notAdmitted: isVoice
    default: false
    }
  }

  /// In voice the decision before the model counts too.
  var isSilence: Bool { outcome == .skipped || isVoice && outcome == .notAdmitted }

  var isAnswered: Bool {
    outcome == .replied || outcome == .spoken || outcome == .interrupted
  }
}
