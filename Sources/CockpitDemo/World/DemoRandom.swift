/// SplitMix64 (Steele, Lea, Flood 2014): small, fast, and the same on every platform.
struct DemoRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func int(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  /// A number between 0 and 1.
  mutating func unit() -> Double {
    Double(next() >> 11) / 9_007_199_254_740_992
  }

  mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// One element; `items` must not be empty.
  mutating func pick<T>(_ items: [T]) -> T {
    items[int(0...items.count - 1)]
  }

  /// Lower-case letters and digits, for ids made by third parties.
  mutating func token(_ length: Int) -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz0123456789")
    return String((0..<length).map { _ in alphabet[int(0...alphabet.count - 1)] })
  }

  /// A version 4 UUID in lower case (RFC 9562).
  mutating func uuid() -> String {
    let hex = Array("0123456789abcdef")
    let variant = Array("89ab")
    return String(
      (0..<36).map { index -> Character in
        switch index {
        case 8, 13, 18, 23: "-"
        case 14: "4"
        case 19: variant[int(0...3)]
        default: hex[int(0...15)]
        }
      })
  }
}
