internal import CockpitStatistics
internal import CockpitStores

/// Figures whose mean is compared: cost, tokens, the share of input from the cache.
extension CompareFigures {
  func mean(
    _ id: String, _ title: String, _ unit: Comparison.Unit, _ value: (Turn) -> Double?
  ) -> Comparison.Figure {
    func values(_ side: CompareSide) -> [(Double, Answer.Evidence)] {
      side.turns.compactMap { turn in
        guard turn.isAnswered, let value = value(turn), value > 0 else { return nil }
        return (value, turn.evidence)
      }
    }
    return mean(id, title, unit, "replies", values(a), values(b), isMoreWorse: true)
  }

  var cache: Comparison.Figure {
    func values(_ side: CompareSide) -> [(Double, Answer.Evidence)] {
      side.calls.compactMap { call in call.cacheShare.map { ($0, call.evidence) } }
    }
    return mean(
      "cache", "input from the cache", .share, "calls", values(a), values(b), isMoreWorse: false)
  }

  private func mean(
    _ id: String, _ title: String, _ unit: Comparison.Unit, _ things: String,
    _ left: [(Double, Answer.Evidence)], _ right: [(Double, Answer.Evidence)], isMoreWorse: Bool
  ) -> Comparison.Figure {
    let (before, now) = (left.map(\.0), right.map(\.0))
    let isMean = min(before.count, now.count) >= Self.leastMean
    // The same range has the same draws.
    var random = SplitMix64(seed: UInt64(bitPattern: a.fromMs &* 31 &+ b.fromMs))
    func value(_ sample: [(Double, Answer.Evidence)]) -> Comparison.Value {
      let values = sample.map(\.0)
      var value = Comparison.Value(n: values.count)
      value.trend = Self.trend(values.map { $0 as Double? })
      value.evidence = sample.map(\.1)
      if isMean, let interval = Bootstrap.mean(values, using: &random) {
        value.value = values.reduce(0, +) / Double(values.count)
        (value.low, value.high) = (interval.low, interval.high)
      } else if !isMean, let found = Quantile(values, 0.5) {
        (value.value, value.low, value.high) =
          (found.value, found.interval.low, found.interval.high)
      } else {
        value.note = values.isEmpty ? "none" : "only \(values.count)"
      }
      return value
    }
    var figure = Comparison.Figure(
      id: id, title: isMean ? title : title + ", median", cause: .cost, unit: unit, things: things,
      a: value(left), b: value(right), verdict: .tooLittle,
      remark: "at least \(Quantile.leastCount(0.5)) on each side")
    guard figure.a.value != nil, figure.b.value != nil else { return figure }
    guard isMean else {
      // Shares of 0 have no logarithm.
      let isPositive = (before + now).allSatisfy { $0 > 0 }
      if isPositive { compare(before, now, into: &figure) }
      if !isMoreWorse { figure.verdict = figure.verdict.opposite }
      return figure
    }
    guard
      let found = Bootstrap.ratio(
        before, now, confidence: Confidence.difference, using: &random)
    else { return figure }
    figure.difference = .init(
      scale: .ratio, value: found.value, low: found.interval.low, high: found.interval.high)
    let isApart =
      !found.interval.contains(1) && abs(found.value - 1) >= Self.leastCost
    let isMore = found.value > 1
    figure.verdict = !isApart ? .same : isMore == isMoreWorse ? .worse : .better
    let half = max(Self.leastCost, (found.interval.high - found.interval.low) / 2)
    figure.remark =
      "no difference that \(before.count) and \(now.count) \(things) could show (less than about \(CompareWords.fixed(half * 100, 0)) % is not seen)"
    return figure
  }

  private static let leastMean = 30
  private static let leastCost = 0.1
}

extension Comparison.Verdict {
  fileprivate var opposite: Comparison.Verdict {
    switch self {
    case .worse: .better
    case .better: .worse
    case .same, .tooLittle: self
    }
  }
}
