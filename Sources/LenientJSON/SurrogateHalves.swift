/// Halves of surrogate pairs that stand alone, as in `"\ud83d"`: JSON can say them and a `String`
/// cannot hold them. In the texts that are read from the wire a private character stands for each, so
/// that every text goes out again as it came in (promises P1b and P8), in a line of `--json` as in
/// the body of a `PUT`.
///
/// A text that came with one of these 2,048 characters themselves, which nobody uses, has its two
/// halves in their place; side by side they are written as the pair that they are.
package enum SurrogateHalves {
  /// What stands for U+D800 to U+DFFF: plane 16 is for private use.
  private static let standIns: ClosedRange<UInt32> = 0x10F000...0x10F7FF
  private static let first: UInt32 = 0xD800

  /// The first byte of every stand-in in UTF-8, and of few other characters.
  static let lead: UInt8 = 0xF4

  /// The character that stands for a half.
  ///
  /// - Parameter unit: 0xD800 to 0xDFFF; U+FFFD for everything else.
  static func standIn(for unit: UInt32) -> Unicode.Scalar {
    guard (0xD800...0xDFFF).contains(unit) else { return "\u{FFFD}" }
    return Unicode.Scalar(unit - first + standIns.lowerBound) ?? "\u{FFFD}"
  }

  /// The half that a character stands for; nil for every other character.
  static func unit(of scalar: Unicode.Scalar) -> UInt16? {
    guard standIns.contains(scalar.value) else { return nil }
    return UInt16(truncatingIfNeeded: scalar.value - standIns.lowerBound + first)
  }

  /// Whether the character itself cannot be in a text because it stands for something else.
  static func isReserved(_ scalar: Unicode.Scalar) -> Bool { standIns.contains(scalar.value) }

  /// Whether the four bytes at `at` are such a character in UTF-8.
  static func isReserved(_ bytes: UnsafeRawBufferPointer, at: Int) -> Bool {
    at + 4 <= bytes.count && bytes[at] == lead && bytes[at + 1] == 0x8F
      && (0x80...0x9F).contains(bytes[at + 2]) && bytes[at + 3] & 0xC0 == 0x80
  }

  /// Appends what the text has for a character that came as these four bytes.
  static func appendHalves(ofFour bytes: UnsafeRawBufferPointer, at: Int, to out: inout [UInt8]) {
    var at = at
    for unit in UTF16.encode(JSONText.scalar(in: bytes, at: &at))
      ?? UTF16.encodedReplacementCharacter
    {
      JSONText.append(standIn(for: UInt32(unit)), to: &out)
    }
  }
}

extension String {
  /// Text that did not come from the wire, such as what the user typed, as the texts from the wire
  /// are: a character that stands for something else becomes its two halves.
  package var keepingReservedCharacters: String {
    guard hasHalves else { return self }
    var out = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if SurrogateHalves.isReserved(scalar) {
        out += (UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter).map {
          SurrogateHalves.standIn(for: UInt32($0))
        }
      } else {
        out.append(scalar)
      }
    }
    return String(out)
  }

  /// The text for everything but JSON: U+FFFD in place of each half that stands alone.
  package var withoutHalves: String {
    guard hasHalves else { return self }
    let units = unicodeScalars.flatMap { scalar in
      SurrogateHalves.unit(of: scalar).map { [$0] }
        ?? Array(UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter)
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// UTF-16 units, as the backend counts: a half is one of them.
  package var unitCount: Int {
    utf16.count - (hasHalves ? unicodeScalars.count(where: SurrogateHalves.isReserved) : 0)
  }

  /// Whether there is a character in it that stands for a half. Nearly no text has its first byte.
  var hasHalves: Bool {
    utf8.contains(SurrogateHalves.lead)
      && unicodeScalars.contains(where: SurrogateHalves.isReserved)
  }
}
