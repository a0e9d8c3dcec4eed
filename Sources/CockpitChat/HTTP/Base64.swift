/// Base64 with padding (RFC 4648, 4).
package enum Base64 {
  private static let letters = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  package static func encoded(_ bytes: [UInt8]) -> String {
    var output: [UInt8] = []
    output.reserveCapacity((bytes.count + 2) / 3 * 4)
    var at = 0
    while at < bytes.count {
      let left = bytes.count - at
      let group =
        UInt32(bytes[at]) << 16 | (left > 1 ? UInt32(bytes[at + 1]) << 8 : 0)
        | (left > 2 ? UInt32(bytes[at + 2]) : 0)
      output.append(letters[Int(group >> 18 & 63)])
      output.append(letters[Int(group >> 12 & 63)])
      output.append(left > 1 ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      output.append(left > 2 ? letters[Int(group & 63)] : UInt8(ascii: "="))
      at += 3
    }
    return String(decoding: output, as: UTF8.self)
  }
}
