/// Remote text on which somebody decides: every character can be seen, none acts.
///
/// Control characters, characters that turn the direction of writing and characters without a glyph become
/// `\u{…}`, and a backslash becomes two, so that no text can be mistaken for another.
struct VisibleText {
  /// Whether all that is not ASCII is written so too: elsewhere a terminal would get a question mark.
  var isASCII = false

  func of(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": out += "\\\\"
      case "\n": out += "\\n"
      case "\t": out += "\\t"
      case "\r": out += "\\r"
      case " ": out += " "
      default:
        if Self.isVisible(scalar), !isASCII || scalar.isASCII {
          out.unicodeScalars.append(scalar)
        } else {
          out += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
        }
      }
    }
    return out
  }

  /// A mark that joins the letter before it may hide it, so marks are none.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    guard !properties.isDefaultIgnorableCodePoint, !properties.isBidiControl else { return false }
    switch properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .spaceSeparator, .lineSeparator,
      .paragraphSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
      return false
    default: return true
    }
  }
}
