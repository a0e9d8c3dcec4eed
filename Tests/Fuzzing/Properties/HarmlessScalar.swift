/// The rule of promise P1 for one scalar, written without the tables of the sanitiser. The tests of
/// sanitised text and the fuzzer hold it against them.
package enum HarmlessScalar {
  /// Whether a scalar may reach the terminal: no control, bidi or other format character, no mark
  /// of presentation, nothing whose meaning or width is not settled.
  package static func holds(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x20..<0x7F: true
    case ..<0xA0, 0x2028...0x202E, 0x2060...0x206F, 0x200B...0x200F, 0xFE00...0xFE0F, 0x61C,
      0xFEFF, 0xE0000...0xE0FFF, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF:
      false
    default:
      ![.control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned]
        .contains(scalar.properties.generalCategory)
    }
  }
}
