#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Text as it is compared when something is looked for: small letters without accents, so that
/// `jose` finds `José`. Made once for each fact.
struct FoldedText: Hashable, Sendable {
  /// UTF-8.
  private(set) var bytes: [UInt8] = []

  init(_ text: String = "") { append(text) }

  var isEmpty: Bool { bytes.isEmpty }
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Begins another field: nothing that is looked for reaches over it.
  mutating func separate() { bytes.append(0) }

  mutating func append(_ text: String) {
    var text = text
    let isASCII = text.withUTF8 { utf8 in
      guard utf8.allSatisfy({ $0 < 0x80 }) else { return false }
      bytes.append(contentsOf: utf8.lazy.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 })
      return true
    }
    guard !isASCII else { return }
    for scalar in text.unicodeScalars { append(scalar) }
  }

  func hasPrefix(_ other: FoldedText) -> Bool { bytes.starts(with: other.bytes) }

  func contains(_ needle: FoldedText) -> Bool {
    guard let first = needle.bytes.first else { return true }
    return bytes.withUnsafeBytes { text in
      needle.bytes.count > 2
        ? ByteSearch.contains(text, needle.bytes)
        : Self.contains(text, first, needle.bytes.dropFirst().first)
    }
  }

  /// One byte, or two that follow each other.
  private static func contains(
    _ text: UnsafeRawBufferPointer, _ first: UInt8, _ second: UInt8?
  ) -> Bool {
    guard var at = text.baseAddress else { return false }
    let end = at + text.count
    while at < end, let hit = memchr(at, Int32(first), end - at) {
      guard let second else { return true }
      at = UnsafeRawPointer(hit) + 1
      if at < end, at.load(as: UInt8.self) == second { return true }
    }
    return false
  }

  private mutating func append(_ scalar: Unicode.Scalar) {
    switch scalar.value {
    case 0..<0x80:
      let byte = UInt8(truncatingIfNeeded: scalar.value)
      bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    case 0xC0...0x17F: append(scalar, Self.latin[Int(scalar.value - 0xC0)])
    case 0x1E00...0x1EFF: append(scalar, Self.latinAdditional[Int(scalar.value - 0x1E00)])
    case 0x300...0x36F: break  // combining accents
    default: append(scalar, UInt8(ascii: "."))
    }
  }

  private mutating func append(_ scalar: Unicode.Scalar, _ base: UInt8) {
    if base != UInt8(ascii: ".") { return bytes.append(base) }
    bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
  }

  /// The base letter of each canonical decomposition in lower case (UnicodeData.txt), with strokes
  /// removed; a dot stands for other characters.
  private static let latin = Array(
    ("aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaacccccccc"
      + "ddddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllll..llnnnnnn...oooooo..rrrrrrss"
      + "ssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs").utf8)
  private static let latinAdditional = Array(
    ("aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnooo"
      + "ooooopppprrrrrrrrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy....."
      + ".aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuu"
      + "uuuyyyyyyyy......").utf8)
}
