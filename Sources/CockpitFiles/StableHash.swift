/// FNV-1a, stable across runs unlike Swift's own hashes, for file names. Not collision resistant;
/// files contain their real key.
package enum StableHash {
  /// FNV-1a with 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv) of the text's UTF-8.
  package static func of(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
  }

  /// The same as hexadecimal digits.
  package static func digits(of text: String) -> String { String(of(text), radix: 16) }
}
