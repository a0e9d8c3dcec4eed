import Foundation

/// What a bot costs minute by minute over two days, written without a look at the forecaster: kinds of
/// evenings that differ in what makes them hard.
enum SimulatedEvening: String, CaseIterable, Sendable {
  /// Voice sessions of minutes to hours between quiet stretches, some text all the time; nights are
  /// quiet, evenings busy.
  case sessions
  /// A steady trickle, bursts of minutes that cost many times as much, and single dear calls.
  case bursts
  /// A load that drifts up and down over hours.
  case drift
  /// Nothing but the same, call by call.
  case steady

  static let minutes = 2 * 1440

  func costs(seed: UInt64) -> [Double] {
    var dice = Dice(seed &* 7919 &+ UInt64(rawValue.utf8.reduce(0) { $0 &* 31 &+ Int($1) }))
    var costs = [Double](repeating: 0, count: Self.minutes)
    switch self {
    case .sessions: Self.sessions(&costs, &dice)
    case .bursts: Self.bursts(&costs, &dice)
    case .drift: Self.drift(&costs, &dice)
    case .steady:
      let price = dice.lognormal(0, 1) / 90
      for minute in costs.indices { costs[minute] = dice.calls(1.5, price, 0.5) }
    }
    return costs
  }

  /// How much goes on at an hour of the day.
  private static func activity(_ hour: Double) -> Double {
    switch hour.truncatingRemainder(dividingBy: 24) {
    case 2..<8: 0.05
    case ..<15: 0.4
    default: 1
    }
  }

  private static func sessions(_ costs: inout [Double], _ dice: inout Dice) {
    let busy = dice.lognormal(0, 0.4)
    for minute in costs.indices {
      costs[minute] = dice.calls(0.1 * activity(Double(minute) / 60) * busy, 0.012, 0.6)
    }
    var hour = 0.0
    while true {
      hour += dice.exponential(2 / busy)
      guard hour < 48 else { return }
      guard dice.unit() < activity(hour) else { continue }
      let end = min(48, hour + dice.exponential(0.45) + 0.05)
      let price = dice.lognormal(log(0.04), 0.4)
      let pause = 10 + 30 * dice.unit()
      var moment = hour
      while moment < end {
        costs[Int(moment * 60)] += price * dice.lognormal(0, 0.4)
        moment += dice.exponential(pause / 3600)
      }
    }
  }

  private static func bursts(_ costs: inout [Double], _ dice: inout Dice) {
    let base = dice.lognormal(log(0.25), 0.5)
    for minute in costs.indices { costs[minute] = dice.calls(1, base / 60, 0.5) }
    for _ in 0..<dice.poisson(0.6 * 48) {
      let start = Int(dice.unit() * Double(costs.count))
      let factor = 5 + 7 * dice.unit()
      for minute in start..<min(costs.count, start + 3 + Int(dice.unit() * 10)) {
        costs[minute] += base / 60 * factor
      }
    }
    for _ in 0..<dice.poisson(0.25 * 48) {
      costs[Int(dice.unit() * Double(costs.count))] += base * dice.lognormal(-1, 0.5)
    }
  }

  private static func drift(_ costs: inout [Double], _ dice: inout Dice) {
    let base = dice.lognormal(log(0.6), 0.6)
    var level = dice.normal()
    for minute in costs.indices {
      level += -level / 120 + (2.0 / 120).squareRoot() * dice.normal()
      costs[minute] = dice.calls(2 * exp(level - 0.5), base / 120, 0.5)
    }
  }
}

/// Draws from the distributions that the evenings are made of; the same for the same seed (SplitMix64).
struct Dice {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// From 0 up to, but not, 1.
  mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  mutating func normal() -> Double {
    (-2 * log(1 - unit())).squareRoot() * cos(2 * .pi * unit())
  }

  mutating func lognormal(_ mu: Double, _ sigma: Double) -> Double { exp(mu + sigma * normal()) }

  mutating func exponential(_ mean: Double) -> Double { -mean * log(1 - unit()) }

  mutating func poisson(_ mean: Double) -> Int {
    var count = 0
    var time = exponential(1)
    while time < mean {
      count += 1
      time += exponential(1)
    }
    return count
  }

  /// What a minute's calls cost together.
  mutating func calls(_ count: Double, _ price: Double, _ sigma: Double) -> Double {
    (0..<poisson(count)).reduce(0) { sum, _ in sum + price * lognormal(-0.1, sigma) }
  }
}
