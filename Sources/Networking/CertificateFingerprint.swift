/// SHA-256 of a server's own certificate (DER).
///
/// In a request it replaces the check of issuer, dates and host name: the certificate with this digest is accepted,
/// any other refused. A connection without TLS has no certificate, and the fingerprint no meaning.
package struct CertificateFingerprint: Sendable, Hashable, CustomStringConvertible {
  /// 32 bytes.
  package let bytes: [UInt8]

  package static let length = 32

  /// - Parameter text: 64 hexadecimal digits of either case; colons between bytes, as `openssl` prints them, are
  ///   accepted, and nothing else.
  package init?(_ text: String) {
    let digits = text.utf8.contains(UInt8(ascii: ":")) ? Self.joined(text) : Array(text.utf8)
    guard let digits, digits.count == 2 * Self.length else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  /// Without the colons; nil unless one stands after every second digit.
  private static func joined(_ text: String) -> [UInt8]? {
    let pairs = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard pairs.allSatisfy({ $0.count == 2 }) else { return nil }
    return pairs.flatMap { $0 }
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// 64 lower-case digits.
  package var description: String {
    let digits = Array("0123456789abcdef")
    return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
  }
}
