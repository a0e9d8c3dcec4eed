/// What does not hold for an input.
package struct PropertyFailure: Error, CustomStringConvertible {
  /// What was expected, in words.
  package let description: String

  package init(_ description: String) { self.description = description }
}

/// What must hold for every input of a parser, by the name of its corpus.
///
/// `scripts/fuzz` looks for inputs for which it does not, guided by coverage; every test run repeats
/// the corpora and what was found so far.
package struct Property: Sendable {
  /// The folder below `Tests/Fuzzing/Corpus`.
  package let name: String
  /// Throws `PropertyFailure` when the input shows that the property does not hold.
  package let check: @Sendable (_ input: [UInt8]) throws -> Void

  /// All of them.
  package static let all: [Property] = [
    Property(name: "sse", check: SSEProperty.check),
    Property(name: "json", check: JSONProperty.check),
    Property(name: "action", check: ActionProperty.check),
    Property(name: "rows", check: RowsProperty.check),
    Property(name: "wire", check: WireProperty.check),
    Property(name: "text", check: TextProperty.check),
    Property(name: "keys", check: KeysProperty.check),
    Property(name: "query", check: QueryProperty.check),
  ]

  /// The property with a name; nil if there is none.
  package static func named(_ name: String) -> Property? { all.first { $0.name == name } }
}

/// Throws when a condition does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
  if !condition { throw PropertyFailure(what()) }
}

/// A generator whose numbers follow from the input, so that a failing input fails again (SplitMix64).
package struct InputRandom: RandomNumberGenerator {
  private var state: UInt64

  /// A generator with a seed.
  package init(seed: UInt64) { state = seed }

  /// A generator for an input: FNV-1a of its bytes is the seed.
  package init(_ input: [UInt8]) {
    state = input.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}

extension [UInt8] {
  /// The bytes in pieces of one to `longest` bytes.
  package func pieces(upTo longest: Int, _ random: inout InputRandom) -> [[UInt8]] {
    var pieces: [[UInt8]] = []
    var rest = self[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 1...longest, using: &random))
      pieces.append(Array(piece))
      rest = rest.dropFirst(piece.count)
    }
    return pieces
  }
}
