internal import Foundation

/// Text for comparisons in which case and the form of accents do not count.
enum FoldedText {
  /// One folded scalar for each scalar of the composed text, so that places agree.
  static func scalars(_ text: String) -> (composed: [Unicode.Scalar], folded: [Unicode.Scalar]) {
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let composed = Array(
      (isASCII ? text : text.precomposedStringWithCanonicalMapping).unicodeScalars)
    return (composed, composed.map(fold))
  }

  static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    if scalar.isASCII {
      return (0x41...0x5A).contains(scalar.value)
        ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar
    }
    let lower = scalar.properties.lowercaseMapping.unicodeScalars
    guard let first = lower.first, lower.count == 1 else { return scalar }
    return first
  }

  /// Equal for texts that differ in case or in the form of accents only.
  static func key(_ text: String) -> String {
    var key = String.UnicodeScalarView()
    key.append(contentsOf: scalars(text).folded)
    return String(key)
  }

  /// A letter, a digit or an underscore. Marks are not: any number of them may be put before a name.
  static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: return true
    case ..<0x80: return false
    default: break
    }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber:
      return true
    default: return false
    }
  }

  /// Han, kana, Hangul and Thai: scripts without spaces between words.
  static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0E7F, 0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
