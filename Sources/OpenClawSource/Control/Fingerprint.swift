internal import DeviceKeys
package import OpenClawWire

extension Approval {
  /// Binds an answer to what was shown: the first 64 bits of SHA-256 over all shown text, as hex.
  package var fingerprint: String { Fingerprint.of(shownText) }
}

enum Fingerprint {
  static func of(_ text: String) -> String {
    String(Digest.hexadecimal(Digest.sha256(Array(text.utf8))).prefix(16))
  }
}
