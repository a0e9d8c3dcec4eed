/// What is exported, and how. Times are milliseconds since 1970 on the backend's clock.
package struct BundleRequest: Sendable {
  package var fromMs: Int64
  package var toMs: Int64
  /// The voice session that the range was taken from; nil if the range was named.
  package var session: String?
  package var redaction: RedactionLevel
  package var keepsPrompts: Bool
  package var note: String
  /// The program's version.
  package var version: String
  package var createdMs: Int64
  /// Finds what must not be in the file, the token, in bytes.
  package var findsSecret: @Sendable (UnsafeRawBufferPointer) -> Bool
  /// For a file that is made again with the same pseudonyms: nil for random ones.
  package var seed: UInt64?

  package init(
    fromMs: Int64, toMs: Int64, redaction: RedactionLevel = .people, keepsPrompts: Bool = false,
    note: String = "", version: String, createdMs: Int64,
    findsSecret: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool = { _ in false }
  ) {
    self.fromMs = fromMs
    self.toMs = toMs
    self.redaction = redaction
    self.keepsPrompts = keepsPrompts
    self.note = note
    self.version = version
    self.createdMs = createdMs
    self.findsSecret = findsSecret
  }

  /// What began before the range or ends after it is in the file too, so that answers about the range are the same.
  package static let leadMs: Int64 = 900_000
  package static let tailMs: Int64 = 120_000
  /// Rows of a voice session from before that.
  static let sessionRows = 3000
  /// More rows are refused: one bundle is one incident.
  package static let maxRows = 200_000

  var contextMs: ClosedRange<Int64> {
    let begin = max(0, fromMs - Self.leadMs)
    return begin...max(begin, toMs + Self.tailMs)
  }
}

/// The same numbers for the same seed.
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}
