/// Lone halves of surrogate pairs, as in `"\ud83d"`: JSON can express them and a `String` cannot.
/// In texts read from the wire a private-use character stands in for each, so that every text is
/// written exactly as received (promises P1b and P8), in a line of `--json` and in the body of a
/// `PUT`.
///
/// One of these 2,048 otherwise unused characters in the input is replaced by the stand-ins of its
/// two halves; adjacent halves are written as the pair they form.
package enum SurrogateHalves {
  /// The stand-ins of U+D800 to U+DFFF: plane 16 is for private use.
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

  /// The half represented by a character; nil for ordinary characters.
  static func unit(of scalar: Unicode.Scalar) -> UInt16? {
    guard standIns.contains(scalar.value) else { return nil }
    return UInt16(truncatingIfNeeded: scalar.value - standIns.lowerBound + first)
  }

  /// Whether the character is reserved as a stand-in.
  static func isReserved(_ scalar: Unicode.Scalar) -> Bool { standIns.contains(scalar.value) }

  /// Whether the four bytes at `at` encode a reserved character.
  static func isReserved(_ bytes: UnsafeRawBufferPointer, at: Int) -> Bool {
    at + 4 <= bytes.count && bytes[at] == lead && bytes[at + 1] == 0x8F
      && (0x80...0x9F).contains(bytes[at + 2]) && bytes[at + 3] & 0xC0 == 0x80
  }

  /// Appends the stand-ins for a reserved character in the input.
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
  /// Converts text from elsewhere, such as user input, to the form of wire texts: a reserved
  /// character becomes the stand-ins of its two halves.
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

  /// UTF-16 units as the backend counts them: a half is one unit.
  package var unitCount: Int {
    utf16.count - (hasHalves ? unicodeScalars.count(where: SurrogateHalves.isReserved) : 0)
  }

  /// Whether it contains a stand-in. Almost no text contains the lead byte.
  var hasHalves: Bool {
    utf8.contains(SurrogateHalves.lead)
      && unicodeScalars.contains(where: SurrogateHalves.isReserved)
  }
}
