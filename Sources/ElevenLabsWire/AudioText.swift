/// Base64 of audio (RFC 4648, 4).
package enum AudioText {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each letter; 255 for all other bytes.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  package static func encoded(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    for at in stride(from: 0, to: bytes.count, by: 3) {
      let left = bytes.count - at
      let group =
        UInt32(bytes[at]) << 16 | (left > 1 ? UInt32(bytes[at + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[at + 2]) : 0)
      output.append(letters[Int(group >> 18 & 63)])
      output.append(letters[Int(group >> 12 & 63)])
      output.append(left > 1 ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      output.append(left > 2 ? letters[Int(group & 63)] : UInt8(ascii: "="))
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// nil for text that is not base64. Padding may be missing.
  package static func decoded(_ text: String) -> [UInt8]? {
    var input = Array(text.utf8)
    while input.last == UInt8(ascii: "=") { input.removeLast() }
    guard input.count % 4 != 1 else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(input.count / 4 * 3 + 2)
    var (group, bits): (UInt32, Int) = (0, 0)
    for byte in input {
      let value = values[Int(byte)]
      guard value != 255 else { return nil }
      group = (group << 6 | UInt32(value)) & 0xFFFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        output.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
      }
    }
    return output
  }
}
