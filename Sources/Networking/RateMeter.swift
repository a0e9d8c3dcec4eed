/// Events in the last 60 s, in steps of 5 s.
package struct RateMeter {
  private static let stepNs = Nanoseconds.seconds(5)
  private var buckets = [Int](repeating: 0, count: 12)
  private var step: UInt64 = 0

  package init() {}

  package mutating func add(_ count: Int, nowNs: UInt64) {
    advance(nowNs)
    buckets[Int(step % 12)] += count
  }

  package mutating func perMinute(nowNs: UInt64) -> Int {
    advance(nowNs)
    return buckets.reduce(0, +)
  }

  private mutating func advance(_ nowNs: UInt64) {
    let now = nowNs / Self.stepNs
    guard now > step else { return }
    if now - step >= 12 {
      for index in buckets.indices { buckets[index] = 0 }
    } else {
      for passed in (step + 1)...now { buckets[Int(passed % 12)] = 0 }
    }
    step = now
  }
}
