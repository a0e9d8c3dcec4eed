import LenientJSON

/// Sanitises untrusted text for the clipboard: a terminal treats pasted text as keys, so the end of
/// a bracketed paste, a carriage return or an interrupt in it would act there.
package enum PasteSafe {
  /// Line breaks and tabs stay, other control characters are spelled `\x1b`, bidi controls are left out.
  package static func text(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { acts($0) || $0 == "\r" }) else { return text }
    var clean = String.UnicodeScalarView()
    var wasReturn = false
    for scalar in text.unicodeScalars {
      defer { wasReturn = scalar == "\r" }
      switch scalar {
      case "\n" where wasReturn: continue
      case "\r", "\u{2028}", "\u{2029}": clean.append("\n")
      case _ where isControl(scalar):
        let digits = String(scalar.value, radix: 16)
        clean.append(contentsOf: "\\x\(digits.count < 2 ? "0" : "")\(digits)".unicodeScalars)
      case _ where acts(scalar): continue
      default: clean.append(scalar)
      }
    }
    return String(clean)
  }

  /// The same value, spelled with escapes where its bytes would act; else byte for byte.
  package static func json(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: acts) else { return json }
    var safe: [UInt8] = []
    Array(json.utf8).withUnsafeBytes { JSONText.asciiSafe($0, into: &safe) }
    return String(decoding: safe, as: UTF8.self)
  }

  /// Whether the scalar acts where it is pasted. A carriage return does in a line, but is white
  /// space in JSON.
  package static func acts(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2028, 0x2029, 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    case 0x0D: false
    default: isControl(scalar)
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F...0x9F: true
    default: false
    }
  }
}
