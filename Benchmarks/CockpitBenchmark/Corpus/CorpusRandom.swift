/// SplitMix64 (Steele, Lea and Flood, 2014): the same seed gives the same corpus on every machine.
struct CorpusRandom {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number in the range; the bias of the multiplication is of no interest here.
  mutating func number(_ range: ClosedRange<Int>) -> Int {
    let width = UInt64(range.upperBound - range.lowerBound + 1)
    return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
  }

  mutating func pick<Element>(_ list: [Element]) -> Element { list[number(0...list.count - 1)] }
}
