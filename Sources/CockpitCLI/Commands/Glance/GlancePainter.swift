import CockpitSession
import CockpitText
import TerminalCore

/// Prints lines, or draws them in place.
struct GlancePainter {
  private let output: Output
  /// Whether the lines are drawn in place on a terminal.
  private let isScreen: Bool
  private let hasColor: Bool
  private var printed: [[GlanceText.Span]]?

  init(output: Output, isScreen: Bool, hasColor: Bool) {
    self.output = output
    self.isScreen = isScreen
    self.hasColor = hasColor
  }

  /// The alternate screen without a cursor (ECMA-48; DEC private modes 1049 and 25, 7 for no wrapping).
  func begin() {
    if isScreen { output.write(Array("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l".utf8)) }
  }

  func end() {
    if isScreen { output.write(Array("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l".utf8)) }
  }

  mutating func paint(_ lines: [[GlanceText.Span]]) {
    guard isScreen else {
      guard lines != printed else { return }
      let text = lines.map(text).joined(separator: "\n") + "\n"
      output.write(Array(((printed == nil ? "" : "\n") + text).utf8))
      printed = lines
      return
    }
    // Each line is drawn over the old one, so that nothing flickers.
    let drawn = lines.enumerated().map { "\u{1B}[\($0 + 1);1H" + text($1) + "\u{1B}[K" }
    output.write(Array((drawn.joined() + "\u{1B}[J").utf8))
  }

  private func text(_ line: [GlanceText.Span]) -> String {
    line.map { span in
      let text = span.text.description
      let style: String? =
        switch span.tone {
        case .plain: nil
        case .good: "32"
        case .warning: "33"
        case .bad: "1;31"
        case .muted: "2"
        }
      guard hasColor, let style else { return text }
      return "\u{1B}[\(style)m\(text)\u{1B}[m"
    }.joined()
  }
}
