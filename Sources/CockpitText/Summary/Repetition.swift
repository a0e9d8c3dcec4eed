/// The text already shown for a row, so that its metadata is not repeated: errors are in `content`,
/// in `error` or in both, whole or cut (contract 4.4).
///
/// Texts are compared as UTF-8, with every run of white space as one space.
package struct Repetition {
  private let bytes: [UInt8]
  /// It ended with dots that say that the rest was cut off.
  private let isCut: Bool

  /// Only this much is compared: a row has no more columns.
  private static let limit = 2400
  /// A shorter text may match by chance.
  private static let least = 8

  package init(_ text: String) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(text.utf8.count, Self.limit + 8))
    var wantsSpace = false
    var text = text
    text.withUTF8 { utf8 in
      var index = 0
      // The limit on bytes read bounds the work for a text of white space.
      while index < min(utf8.count, 4 * Self.limit), bytes.count <= Self.limit {
        let length = Self.length(utf8[index])
        let scalar = utf8[index..<min(index + length, utf8.count)]
        index += length
        if Self.isSpace(scalar) {
          wantsSpace = !bytes.isEmpty
        } else {
          if wantsSpace { bytes.append(UInt8(ascii: " ")) }
          wantsSpace = false
          bytes.append(contentsOf: scalar)
        }
      }
    }
    let dots = ["…", "..."].map { Array($0.utf8) }.first {
      bytes.suffix($0.count).elementsEqual($0)
    }
    if let dots { bytes.removeLast(dots.count) }
    while bytes.last == UInt8(ascii: " ") { bytes.removeLast() }
    self.bytes = bytes
    isCut = dots != nil
  }

  /// The number of bytes of a scalar, by its first one.
  private static func length(_ lead: UInt8) -> Int {
    lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
  }

  /// Whether a scalar is white space, or the sanitiser's sign for a line break.
  private static func isSpace(_ scalar: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    if scalar.count == 1, let byte = scalar.first { return byte == 32 || (9...13).contains(byte) }
    guard let scalar = String(decoding: scalar, as: UTF8.self).unicodeScalars.first else {
      return false
    }
    return scalar.properties.isWhitespace || scalar == "\u{23CE}"
  }

  package var isEmpty: Bool { bytes.isEmpty }

  /// Its length without the white space that does not count.
  var byteCount: Int { bytes.count }

  /// Whether it contains no space: an event name and no sentence.
  package var isOneWord: Bool { !bytes.contains(UInt8(ascii: " ")) }

  /// Whether it contains all of the other: the same text, or the other as whole words.
  package func tells(_ other: Repetition) -> Bool {
    if bytes == other.bytes { return true }
    guard other.bytes.count >= Self.least, bytes.count > other.bytes.count else { return false }
    // A cut text ends in the middle of a word.
    if other.isCut || other.bytes.count >= 2 * Self.least, bytes.starts(with: other.bytes) {
      return true
    }
    return holds(other.bytes)
  }

  /// Whether it contains these words, of any length.
  package func holds(_ words: [UInt8]) -> Bool {
    guard let first = words.first, bytes.count >= words.count else { return false }
    for start in 0...(bytes.count - words.count) where bytes[start] == first {
      let end = start + words.count
      guard start == 0 || !Self.isWord(bytes[start - 1]),
        end == bytes.count || !Self.isWord(bytes[end])
      else { continue }
      if bytes[start..<end].elementsEqual(words) { return true }
    }
    return false
  }

  /// Whether this text is a truncated start of the other.
  package func isBeginning(of other: Repetition) -> Bool {
    other.bytes.count > bytes.count && bytes.count >= Self.least && other.bytes.starts(with: bytes)
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}
