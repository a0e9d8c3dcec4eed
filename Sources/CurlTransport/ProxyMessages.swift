import Networking

/// libcurl's error messages while a proxy of the environment is in use, with the user name and
/// password of the proxy's address removed.
struct ProxyMessages {
  /// User name and password as they are written, and as they are meant.
  private let secrets: [String]
  /// They hold a character that ends the host or divides an address, so libcurl takes parts of them for host, port
  /// and path, and may repeat these one by one.
  private let isTorn: Bool

  /// - Parameter address: the value of the variable; empty when there is none.
  init(address: String) {
    guard let range = UserInfo.range(in: address), !range.isEmpty else {
      (secrets, isTorn) = ([], false)
      return
    }
    let written = String(address[range])
    secrets = [written, Self.decoded(written)]
    isTorn = written.unicodeScalars.contains {
      $0.value <= 0x20 || "/?#\\[]".unicodeScalars.contains($0)
    }
  }

  /// - Parameters:
  ///   - general: libcurl's message for this failure without names.
  ///   - isCut: the message fills libcurl's buffer, so its end is missing.
  func cleaned(_ words: String, general: String, isCut: Bool) -> String {
    guard !isTorn else { return general }
    var words = words
    for secret in secrets { words = words.replacing(secret, with: "") }
    return UserInfo.removed(from: words, of: .library, isCut: isCut)
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
