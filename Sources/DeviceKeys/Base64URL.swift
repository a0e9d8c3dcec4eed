/// Base64 with `-` and `_`, without padding (RFC 4648, 5).
package enum Base64URL {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    var out: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let bits = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for index in 0...piece.count { out.append(letters[Int(bits >> UInt32(18 - 6 * index) & 63)]) }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// nil for other characters, for an impossible length and for bits that are left over.
  package static func decoded(_ text: String) -> [UInt8]? {
    var out: [UInt8] = []
    var (bits, count) = (UInt32(0), 0)
    for letter in text.utf8 {
      guard let value = letters.firstIndex(of: letter) else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        bits &= (1 << UInt32(count)) - 1
      }
    }
    return count < 6 && bits == 0 ? out : nil
  }
}
