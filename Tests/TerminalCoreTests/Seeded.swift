import Foundation

/// SplitMix64 (Steele, Lea and Flood): small, and the same on every machine for the same seed.
struct Seeded: RandomNumberGenerator {
  private var state: UInt64
  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }

  /// Seeds of one property test: some that are always the same, or the one that the environment
  /// names, to repeat a failure: `PROPERTY_SEED=17 swift test --filter ...`.
  static func seeds(_ count: UInt64) -> [UInt64] {
    if let seed = ProcessInfo.processInfo.environment["PROPERTY_SEED"].flatMap(UInt64.init) {
      return [seed]
    }
    return Array(1...count)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[int(0...list.count - 1)] }

  /// Scalars of all the dangerous kinds, and any other.
  mutating func text(upTo count: Int) -> String {
    let kinds: [ClosedRange<UInt32>] = [
      0...0x1F, 0x7F...0x9F, 0x20...0x7E, 0x61...0x7A, 0x20...0x20, 0x0A...0x0A, 0x300...0x36F,
      0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFE00...0xFE0F, 0xE0000...0xE007F,
      0x1F1E6...0x1F1FF, 0x1F300...0x1FAFF, 0x1F3FB...0x1F3FF, 0x4E00...0x4EFF, 0x590...0x6FF,
      0x900...0x97F, 0x1100...0x11FF, 0xD7B0...0xD7FF, 0x200D...0x200D, 0...0xD7FF,
      0xE000...0x10FFFF,
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<int(0...count) {
      let kind = pick(kinds)
      if let scalar = Unicode.Scalar(UInt32.random(in: kind, using: &self)) { text.append(scalar) }
    }
    return String(text)
  }
}
