/// How long to wait before the next attempt: 1 s, doubling to 60 s, 20 % more or less.
package struct RetryDelay: Hashable, Sendable {
  private var attempts = 0

  package static let firstMs = 1000.0
  package static let mostMs = 60_000.0
  /// A longer wait that a far end asks for is not believed.
  package static let longestAskedMs = 3_600_000

  package init() {}

  /// The wait in ms.
  ///
  /// - Parameters:
  ///   - askedMs: what the far end asks for; nothing is sent before.
  ///   - random: from 0 up to 1.
  package mutating func next(askedMs: Int?, random: Double) -> Int64 {
    let plain = min(Self.mostMs, Self.firstMs * Double(1 << min(attempts, 10)))
    attempts += 1
    let varied = Int64(plain * (0.8 + 0.4 * random))
    return max(varied, Int64(min(askedMs ?? 0, Self.longestAskedMs)))
  }

  package mutating func reset() { attempts = 0 }
}
