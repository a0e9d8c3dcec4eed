import CockpitStatistics
import Testing

/// The end of a day by past days, against days that are known.
@Suite struct DayProfileTests {
  /// An evening bot: little at night, most after 18:00, and days that differ from each other as a whole.
  private static func days(
    _ count: Int, seed: UInt64, spread: Double = 0.6, scale: Double = 1
  ) -> [DayProfile.Day] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { number in
      let level = 1 + spread * (random.unit() + random.unit() - 1)
      let hours = (0..<24).map { hour in
        let usual = hour < 7 ? 0.01 : hour < 18 ? 0.1 : 0.5
        return scale * usual * level * 2 * random.unit()
      }
      return DayProfile.Day(number: number, hours: hours)
    }
  }

  private static func sum(_ day: DayProfile.Day) -> Double {
    day.hours.reduce(0) { $0 + ($1 ?? 0) }
  }

  @Test("the range holds the truth about four times in five", arguments: [8, 15, 28, 40])
  func holds(count: Int) throws {
    var (held, tries) = (0, 0)
    for seed in 0..<150 as Range<UInt64> {
      let days = Self.days(count + 1, seed: seed)
      let (profile, today) = (DayProfile(Array(days.dropLast())), days[count])
      for start in [6, 12, 18] {
        let sofar = today.hours[..<start].reduce(0) { $0 + ($1 ?? 0) }
        let outlook = try #require(
          profile.outlook(of: count, at: Double(start), sofar: sofar))
        tries += 1
        if (outlook.low...outlook.high).contains(Self.sum(today)) { held += 1 }
      }
    }
    let share = Double(held) / Double(tries)
    #expect((0.7...0.9).contains(share), "\(share) of \(tries)")
  }

  @Test("the same facts give the same figures, and later days change nothing")
  func isSeeded() {
    let days = Self.days(30, seed: 3)
    let some = DayProfile(Array(days.prefix(20))).outlook(of: 20, at: 13.5, sofar: 1, limit: 3)
    #expect(some != nil)
    #expect(some == DayProfile(days.reversed()).outlook(of: 20, at: 13.5, sofar: 1, limit: 3))
    // Older days than four weeks neither.
    let recent = DayProfile(Array(days.suffix(28))).outlook(of: 30, at: 13.5, sofar: 1, limit: 3)
    #expect(recent == DayProfile(days).outlook(of: 30, at: 13.5, sofar: 1, limit: 3))
  }

  @Test("equal days leave no doubt: value, range and time of a limit")
  func exact() throws {
    let days = (0..<10).map {
      DayProfile.Day(number: $0, hours: Array(repeating: 1, count: 24))
    }
    let outlook = try #require(
      DayProfile(days).outlook(of: 10, at: 20.5, sofar: 7, limit: 8.25))
    #expect((outlook.low, outlook.high) == (10.5, 10.5))
    #expect(outlook.middle == 10.5)
    #expect(outlook.days == 10)
    #expect(outlook.reached == .init(early: 21.75, middle: 21.75, late: 21.75))
    let far = try #require(DayProfile(days).outlook(of: 10, at: 20.5, sofar: 7, limit: 11))
    #expect(far.reached == .init())
  }

  @Test(
    "six days say nothing; hours that were not recorded are unknown, and the whole hours of such a day count"
  )
  func holes() throws {
    var days = Self.days(7, seed: 9)
    #expect(DayProfile(Array(days.prefix(6))).outlook(of: 7, at: 12, sofar: 0) == nil)
    #expect(DayProfile(days).outlook(of: 7, at: 12, sofar: 0) != nil)
    days[2].hours[15] = nil
    #expect(DayProfile(days).outlook(of: 7, at: 12, sofar: 0) == nil, "15:00 is known six times")
    #expect(DayProfile(days).outlook(of: 7, at: 16, sofar: 0)?.days == 7)
    // Were a hole $0, the lower end would fall to it.
    let flat = (0..<20).map { number in
      DayProfile.Day(
        number: number,
        hours: (0..<24).map { hour in number % 2 == 0 && hour > 11 ? nil : 1 })
    }
    let outlook = try #require(DayProfile(flat).outlook(of: 20, at: 12, sofar: 12))
    #expect((outlook.low, outlook.high) == (24, 24))
    #expect(outlook.days == 10)
  }

  @Test("a trial tells regular days from irregular ones, and says when it was tried too little")
  func trials() {
    var fits = 0
    for seed in 0..<12 as Range<UInt64> {
      let trial = DayProfile(Self.days(60, seed: seed)).trial(before: 60)
      #expect(trial.tries > 300)
      if trial.fits { fits += 1 }
    }
    #expect(fits >= 9, "\(fits) of 12 regular histories")
    // Each week costs three times as much as the one before.
    let growing = (0..<42).map { number in
      let level = [1, 3, 9, 27, 81, 243][number / 7]
      return DayProfile.Day(
        number: number, hours: (0..<24).map { Double(level) * (1 + Double(($0 + number) % 5)) })
    }
    let trial = DayProfile(growing).trial(before: 42)
    #expect(trial.isEnough && !trial.fits, "held \(trial.held) of \(trial.tries)")
    let short = DayProfile(Self.days(9, seed: 1)).trial(before: 9)
    #expect(short.tries == 16 && !short.isEnough && short.fits)
  }
}
