internal import Foundation

/// Splits text into searchable words: that of a row as well as that of a query, so that they agree.
package enum HistoryWords {
  /// The words of a text in their order: runs of letters and digits, in lower case and without diacritics.
  /// Characters of scripts that put no spaces between words are words of their own.
  package static func split(_ text: String) -> [String] {
    var words: [String] = []
    each(text) { word, _ in words.append(word) }
    return words
  }

  /// Calls back with each word of a text and its place among the UTF-8 bytes.
  static func each(_ text: String, _ take: (String, Range<Int>) -> Void) {
    var word: [UInt8] = []
    var isPlain = true
    var start = 0
    var at = 0
    func finish() {
      guard !word.isEmpty else { return }
      let text = String(decoding: word, as: UTF8.self)
      take(isPlain ? text : folded(text), start..<at)
      word.removeAll(keepingCapacity: true)
      isPlain = true
    }
    for scalar in text.unicodeScalars {
      if word.isEmpty { start = at }
      let length = scalar.value < 0x80 ? 1 : UTF8.width(scalar)
      switch scalar.value {
      case 0x30...0x39, 0x61...0x7A: word.append(UInt8(truncatingIfNeeded: scalar.value))
      case 0x41...0x5A: word.append(UInt8(truncatingIfNeeded: scalar.value | 0x20))
      case ..<0x80: finish()
      case _ where standsAlone(scalar):
        finish()
        start = at
        word.append(contentsOf: scalar.utf8)
        isPlain = false
        at += length
        finish()
        continue
      default:
        if isWordPart(scalar) {
          word.append(contentsOf: scalar.utf8)
          isPlain = false
        } else {
          finish()
        }
      }
      at += length
    }
    finish()
  }

  /// Appends the words of a text, each with a space after it.
  static func append(_ text: String, to line: inout [UInt8]) {
    var text = text
    let isASCII = text.withUTF8 { bytes in
      guard bytes.allSatisfy({ $0 < 0x80 }) else { return false }
      for byte in bytes {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: line.append(byte)
        case 0x41...0x5A: line.append(byte | 0x20)
        default: if let last = line.last, last != 0x20 { line.append(0x20) }
        }
      }
      return true
    }
    if isASCII {
      if let last = line.last, last != 0x20 { line.append(0x20) }
    } else {
      each(text) { word, _ in
        line += word.utf8
        line.append(0x20)
      }
    }
  }

  private static func folded(_ word: String) -> String {
    let folded = word.folding(
      options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
    return folded.isEmpty ? word : folded
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
      true
    default: false
    }
  }

  /// Han, kana, Hangul and Thai.
  private static func standsAlone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x0E7F, 0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x3400...0x4DBF,
      0x4E00...0x9FFF, 0xAC00...0xD7AF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
