/// Escapes remote text for an operator who decides on it: every character is visible, and none controls the terminal.
///
/// Control characters, bidirectional controls, combining marks and invisible characters become `\u{…}`, and a
/// backslash becomes two, so that different texts never look the same.
package struct VisibleText: Sendable {
  /// Whether all non-ASCII characters are escaped too, for terminals that would show a question mark.
  package var isASCII: Bool

  package init(isASCII: Bool = false) { self.isASCII = isASCII }

  package func of(_ text: String) -> String {
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

  /// Combining marks do not count as visible: one can hide the letter before it.
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
