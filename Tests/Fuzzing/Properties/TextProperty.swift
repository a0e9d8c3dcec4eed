import TerminalCore

/// Whatever comes, nothing acts on the terminal, columns add up, and cutting and wrapping keep within
/// the width.
enum TextProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    let source = String(decoding: input, as: UTF8.self)
    let text = PlainText(source)
    for scalar in text.description.unicodeScalars {
      try require(
        HarmlessScalar.holds(scalar), "U+\(String(scalar.value, radix: 16)) was let through")
    }
    let again = PlainText(text.description)
    try require(again.columns == text.columns, "\(again.columns) columns, \(text.columns) before")
    let width = Int(input.first ?? 0) % 24
    let limited = PlainText(source, limit: width)
    try require(limited.columns <= width, "\(limited.columns) columns in \(width)")
    try require(
      text.description.utf8.starts(with: limited.description.utf8), "the cut is another text")
    try require(text.cut(to: width).columns <= width, "the ellipsis stands outside")
    try require(text.padded(to: width).columns >= min(width, text.columns), "padding takes away")
    let lines = text.wrapped(to: width)
    try require(lines.allSatisfy { $0.columns <= width }, "a line is wider than \(width)")
    try require(width == 0 || !lines.isEmpty, "no line")
    let whole = PlainText.lines(source)
    try require(
      whole.allSatisfy { line in line.description.unicodeScalars.allSatisfy(HarmlessScalar.holds) },
      "a line acts on the terminal")
  }
}
