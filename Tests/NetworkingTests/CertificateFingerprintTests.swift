import Networking
import Testing

@Suite struct CertificateFingerprintTests {
  private let digits = "00ff10" + String(repeating: "7e", count: 28) + "9A"

  @Test func digitsOfEitherCase() throws {
    let print = try #require(CertificateFingerprint(digits))
    #expect(print.bytes == [0x00, 0xFF, 0x10] + [UInt8](repeating: 0x7E, count: 28) + [0x9A])
    #expect(print.description == digits.lowercased())
    #expect(CertificateFingerprint(digits.uppercased()) == print)
  }

  @Test("with colons, as openssl prints it")
  func colons() throws {
    var text = digits
    for place in stride(from: 62, to: 0, by: -2) {
      text.insert(":", at: text.index(text.startIndex, offsetBy: place))
    }
    #expect(CertificateFingerprint(text) == CertificateFingerprint(digits))
  }

  @Test(
    "anything else is no fingerprint",
    arguments: [
      "", "00", String(repeating: "0", count: 63), String(repeating: "0", count: 65),
      String(repeating: "g", count: 64), " " + String(repeating: "0", count: 63),
      String(repeating: "00:", count: 32), ":" + String(repeating: "0", count: 64),
      String(repeating: "０", count: 64),
    ])
  func refused(text: String) {
    #expect(CertificateFingerprint(text) == nil)
  }
}
