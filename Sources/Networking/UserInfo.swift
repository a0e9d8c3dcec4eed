/// Removes user names and passwords of URLs from failure text: everything before the last `@`.
///
/// A password may contain unencoded characters, a second `@` or a slash. The rule is therefore
/// coarse and removes too much rather than too little.
package enum UserInfo {
  /// Who wrote the text.
  package enum Source: Sendable {
    /// The backend, or something in front of it: an `@` alone is a mention or a mail address.
    case remote
    /// The network library, which quotes what it cannot parse.
    case library
  }

  /// - Parameter isCut: the end of the text is missing, and an `@` may be with it.
  package static func removed(
    from text: String, of source: Source, isCut: Bool = false
  ) -> String {
    let bytes = Array(text.utf8)
    let at = lastAt(bytes)
    guard let end = isCut ? bytes.count : at else { return text }
    guard let start = start(bytes, before: end, at: at, source), start < end else { return text }
    return String(decoding: bytes[..<start], as: UTF8.self)
      + String(decoding: bytes[end...], as: UTF8.self)
  }

  /// The range of the user information in a proxy's or backend's address; nil if it has none.
  package static func range(in address: String) -> Range<String.Index>? {
    guard let at = address.lastIndex(of: "@") else { return nil }
    let start = address.firstRange(of: "://").map(\.upperBound) ?? address.startIndex
    return start <= at ? start..<at : nil
  }

  /// The last `@`, also one that is encoded.
  private static func lastAt(_ bytes: [UInt8]) -> Int? {
    bytes.indices.last { bytes[$0] == UInt8(ascii: "@") || matches("%40", bytes, at: $0) }
  }

  private static func start(
    _ bytes: [UInt8], before end: Int, at: Int?, _ source: Source
  ) -> Int? {
    for index in 0..<end {
      for separator in ["://", "%3a%2f%2f", ":\\/\\/"] where matches(separator, bytes, at: index) {
        return index + separator.utf8.count
      }
    }
    let isLibrary = source == .library
    if isLibrary, let quote = bytes[..<end].firstIndex(where: { "'\"`".utf8.contains($0) }) {
      return quote + 1
    }
    guard let at else { return nil }
    // The word with the `@`, if it has the form of a name and a password.
    let word = bytes[..<at].lastIndex { $0 <= 0x20 }.map { $0 + 1 } ?? 0
    return isLibrary || bytes[word..<at].contains(UInt8(ascii: ":")) ? word : nil
  }

  /// Whether a lower-case text occurs here, ignoring case.
  private static func matches(_ text: String, _ bytes: [UInt8], at index: Int) -> Bool {
    guard index + text.utf8.count <= bytes.count else { return false }
    return zip(text.utf8, bytes[index...]).allSatisfy { wanted, byte in
      wanted == ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
    }
  }
}
