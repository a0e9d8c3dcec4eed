/// Checks UTF-8 piece by piece: a character may span two pieces.
struct UTF8Check: Sendable {
  /// Continuation bytes that are still to come.
  private var missing = 0
  /// What the next continuation byte may be: no overlong forms, no surrogates, nothing above U+10FFFF.
  private var allowed: ClosedRange<UInt8> = 0x80...0xBF

  /// Whether the text so far ends with a whole character.
  var isWhole: Bool { missing == 0 }

  /// False when the text can not be UTF-8 any more.
  mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = 0
    while index < bytes.count {
      if missing == 0, index + 8 <= bytes.count, Self.isASCII(bytes, at: index) {
        index += 8
        continue
      }
      guard take(bytes[index]) else { return false }
      index += 1
    }
    return true
  }

  private static func isASCII(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    return word & 0x8080_8080_8080_8080 == 0
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    if missing > 0 {
      guard allowed.contains(byte) else { return false }
      missing -= 1
      allowed = 0x80...0xBF
      return true
    }
    switch byte {
    case 0x00...0x7F: return true
    case 0xC2...0xDF: missing = 1
    case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
    case 0xED: (missing, allowed) = (2, 0x80...0x9F)
    case 0xE1...0xEF: missing = 2
    case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
    case 0xF1...0xF3: missing = 3
    case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
    default: return false
    }
    return true
  }
}
