import CockpitStores
import TerminalCore

/// The identity of a line in VOICE: what Enter opens, a click selects and the cursor stays on while
/// newer lines arrive.
package enum VoiceItem: Hashable, Sendable {
  /// A turn that was put together from events.
  case turn(VoiceTurnRecord.ID)
  /// A line of the transcript that has no turn: by time, speaker and words (contract 5.2.4).
  case spoken(Int64, String, String)
  /// A tool call, by its call id.
  case tool(String)
  /// A past session, by its id.
  case past(String)
  /// A step of a verdict, counted from the top.
  case step(Int)
  /// An event of the session.
  case event(VoiceEvent.ID)
  /// What went wrong in a turn.
  case anomaly(VoiceTurnRecord.ID, VoiceTurnRecord.Anomaly)
  /// A figure.
  case figure(RowsBehind)

  var isFigure: Bool { if case .figure = self { true } else { false } }
}

/// One line of a panel: runs of text from the left, one short thing at the right.
struct VoiceLine: Hashable {
  /// A run of text with one meaning.
  struct Span: Hashable {
    var text: PlainText
    var role: Role = .text
    var attributes: Attributes = []
    /// Drawn in place of the text: a glyph of the cockpit itself.
    var symbol: Symbol?
  }

  var spans: [Span] = []
  var trailing: [Span] = []
  /// The item of the line; nil for a purely informative line.
  var item: VoiceItem?

  init(_ spans: [Span] = [], trailing: [Span] = [], item: VoiceItem? = nil) {
    self.spans = spans
    self.trailing = trailing
    self.item = item
  }

  /// A label and its value: `up 01:23`.
  init(_ label: PlainText, _ value: PlainText, _ role: Role = .text, labelWidth: Int = 10) {
    self.init([.label(label.padded(to: labelWidth)), .init(text: value, role: role)])
  }

  /// A muted remark.
  static func note(_ text: PlainText) -> VoiceLine { VoiceLine([.init(text: text, role: .muted)]) }

  /// A label and a long value in as many lines as it needs, at most `limit`.
  static func wrapped(
    _ label: PlainText, _ value: PlainText, _ role: Role = .text, width: Int, limit: Int = 12,
    labelWidth: Int = 10
  ) -> [VoiceLine] {
    let room = max(8, width - labelWidth - 1)
    return value.wrapped(to: room, limit: limit).enumerated().map { index, part in
      VoiceLine(index == 0 ? label : "", part, role, labelWidth: labelWidth)
    }
  }

  /// Columns of the runs at the right, with a space between them.
  var trailingColumns: Int {
    trailing.isEmpty ? 0 : trailing.reduce(-1) { $0 + $1.columns + 1 }
  }

  /// The columns where a text occurs in the runs from the left.
  func hits(of needle: PlainText) -> [Range<Int>] {
    guard !needle.isEmpty else { return [] }
    return spans.map { $0.symbol == nil ? $0.text : " " }.joined(separator: " ")
      .ranges(of: needle)
  }

  /// Draws the line over the whole width; the right part is never covered.
  func render(into canvas: inout Canvas, background: Role? = nil) {
    let right = trailingColumns
    let room = canvas.bounds.width - (right > 0 ? right + 1 : 0)
    var x = 0
    for span in spans where x < room {
      x = span.render(x: x, room: room - x, background: background, into: &canvas) + 1
    }
    x = canvas.bounds.width - right
    for span in trailing {
      x =
        span.render(x: x, room: canvas.bounds.width - x, background: background, into: &canvas) + 1
    }
  }
}

extension VoiceLine.Span {
  /// A short label for the text that follows.
  static func label(_ text: PlainText) -> Self { Self(text: text, role: .muted) }

  /// A glyph of the cockpit.
  static func symbol(_ symbol: Symbol, _ role: Role) -> Self {
    Self(text: " ", role: role, symbol: symbol)
  }

  /// An on/off light: a dot for on, a ring for off, `-` for unknown.
  static func light(_ isOn: Bool?, off: Role = .muted) -> Self {
    switch isOn {
    case true?: .symbol(.dot, .positive)
    case false?: .symbol(.ring, off)
    case nil: Self(text: "-", role: .muted)
    }
  }

  var columns: Int { symbol == nil ? text.columns : 1 }

  /// - Returns: the column after it.
  func render(x: Int, room: Int, background: Role?, into canvas: inout Canvas) -> Int {
    guard room > 0 else { return x }
    if let symbol {
      canvas.symbol(symbol, x: x, y: 0, role: role, attributes: attributes, background: background)
      return x + 1
    }
    return canvas.write(
      text.cut(to: room), x: x, role: role, attributes: attributes, background: background)
  }
}
