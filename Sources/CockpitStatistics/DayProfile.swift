/// Hourly sums of past days, and a bootstrap forecast of the total at the end of a day.
///
/// A draw adds the remaining hours of one past day, because hours of the same day correlate. Where that day lacks an
/// hour, another day provides it. The range is the 10-90 % quantile range of the draws, widened for few days by the
/// rank p(n+1) of n order statistics.
package struct DayProfile: Hashable, Sendable {
  /// One day.
  package struct Day: Hashable, Sendable {
    /// Days since 1970.
    package var number: Int
    /// 24 sums; nil for an hour that is not known wholly.
    package var hours: [Double?]

    package init(number: Int, hours: [Double?]) {
      self.number = number
      self.hours = Array((hours + Array(repeating: nil, count: 24)).prefix(24))
    }
  }

  package static let fewestDays = 7
  package static let mostDays = 28
  /// How many days before one its forecast and its trial depend on.
  package static let lookBackDays = 3 * mostDays
  package static let draws = 1000
  /// Draws of one try of a trial: there are hundreds.
  private static let trialDraws = 200
  /// Hours between the starts of a trial.
  private static let trialStep = 3
  /// The quantiles of the range, which covers 80 %.
  private static let (low, high) = (0.1, 0.9)

  /// Oldest first; days of which no hour is known are left out.
  package let days: [Day]

  package init(_ days: [Day]) {
    self.days = days.filter { $0.hours.contains { $0 != nil } }.sorted { $0.number < $1.number }
  }

  /// The forecast total of a day.
  package struct Outlook: Hashable, Sendable {
    package var low: Double
    package var middle: Double
    package var high: Double
    /// The past days that each hour left could be drawn from, at least.
    package var days: Int
    /// When the limit is reached; nil without one.
    package var reached: Reach?
  }

  /// When a limit is reached, in hours since midnight; nil for not on this day.
  package struct Reach: Hashable, Sendable {
    package var early: Double?
    package var middle: Double?
    package var late: Double?

    package init(early: Double? = nil, middle: Double? = nil, late: Double? = nil) {
      (self.early, self.middle, self.late) = (early, middle, late)
    }
  }

  /// The end of a day of which some is known; nil if fewer than seven days are known for an hour that is left.
  ///
  /// - Parameters:
  ///   - day: days since 1970; later days are not looked at.
  ///   - hour: how much of it is over, 0..<24.
  ///   - sofar: what it has added up to.
  ///   - limit: of which the time is wanted.
  package func outlook(
    of day: Int, at hour: Double, sofar: Double, limit: Double? = nil
  ) -> Outlook? {
    outlook(of: day, at: hour, sofar: sofar, limit: limit, draws: Self.draws)
  }

  private func outlook(
    of day: Int, at hour: Double, sofar: Double, limit: Double?, draws: Int
  ) -> Outlook? {
    let hour = min(max(0, hour), 24)
    let first = min(Int(hour), 23)
    let pool = days.filter { $0.number < day && $0.number >= day - Self.mostDays }.map(\.hours)
    let lenders = (first..<24).map { hour in pool.compactMap { $0[hour] } }
    guard let fewest = lenders.map(\.count).min(), fewest >= Self.fewestDays else { return nil }
    // Seeded by the day, so that the same input gives the same figures.
    var random = SplitMix64(seed: UInt64(bitPattern: Int64(day)))
    // A complete day gives the same result in each draw.
    var whole: [Walk?] = Array(repeating: nil, count: pool.count)
    var ends = Tally()
    var times = Tally()
    for _ in 0..<draws {
      let base = random.place(below: pool.count)
      var walk: Walk
      if let known = whole[base] {
        walk = known
      } else {
        walk = Walk(sum: sofar, reached: limit.map { sofar >= $0 } == true ? hour : .infinity)
        var isWhole = true
        for (place, lent) in lenders.enumerated() {
          let own = pool[base][first + place]
          if own == nil { isWhole = false }
          walk.add(
            own ?? lent[random.place(below: lent.count)],
            at: place == 0 ? hour : Double(first + place),
            part: place == 0 ? Double(first + 1) - hour : 1, limit: limit)
        }
        if isWhole { whole[base] = walk }
      }
      ends.add(walk.sum)
      if limit != nil { times.add(walk.reached) }
    }
    let (sums, reached) = (ends.ranked(), times.ranked())
    func end(_ p: Double) -> Double { sums[Self.rank(p, of: draws, days: fewest)] }
    func time(_ p: Double) -> Double? {
      let time = reached[Self.rank(p, of: draws, days: fewest)]
      return time.isFinite ? time : nil
    }
    return Outlook(
      low: end(Self.low), middle: end(0.5), high: end(Self.high), days: fewest,
      reached: limit.map { _ in
        Reach(early: time(Self.low), middle: time(0.5), late: time(Self.high))
      })
  }

  private static func rank(_ p: Double, of draws: Int, days: Int) -> Int {
    let share = (p * Double(days + 1) - 0.5) / Double(days)
    return min(draws - 1, max(0, Int(share * Double(draws))))
  }

  // MARK: Backtest

  /// Backtest: how often the range would have contained the total of past days.
  package struct Trial: Hashable, Sendable {
    package var held = 0
    package var tries = 0

    package static let fewestTries = 30
    package init(held: Int = 0, tries: Int = 0) { (self.held, self.tries) = (held, tries) }

    package var share: Double? { tries > 0 ? Double(held) / Double(tries) : nil }
    /// Whether there are enough tries to judge.
    package var isEnough: Bool { tries >= Self.fewestTries }
    /// Whether the 80 % range may be shown. With too few tries it may, and the display says how few.
    package var fits: Bool {
      guard isEnough, let share else { return true }
      return (0.7...0.9).contains(share)
    }
  }

  /// Backtests the complete days before a day, from every third hour, each with only the days before it. Starts after
  /// which the range has no width are not counted.
  package func trial(before day: Int) -> Trial {
    var trial = Trial()
    for past in days where past.number < day && past.number >= day - 2 * Self.mostDays {
      let hours = past.hours.compactMap(\.self)
      guard hours.count == 24 else { continue }
      let truth = hours.reduce(0, +)
      for start in stride(from: 0, to: 24, by: Self.trialStep) {
        let sofar = hours[..<start].reduce(0, +)
        guard
          let range = outlook(
            of: past.number, at: Double(start), sofar: sofar, limit: nil, draws: Self.trialDraws),
          range.high > range.low
        else { continue }
        trial.tries += 1
        let slack = 1e-9 * max(1, truth)
        if range.low - slack <= truth, truth <= range.high + slack { trial.held += 1 }
      }
    }
    return trial
  }
}
