import TerminalCore

/// A piece of a line: text, or a glyph of the cockpit itself.
package struct DialogRun: Hashable {
  package enum Content: Hashable {
    case text(PlainText)
    case symbols([Symbol])
  }

  package var content: Content
  package var role: Role
  package var attributes: Attributes
  /// The place of the button that this is, in its row.
  package var button: Int?
  /// Whether the cursor of a text field is on it.
  package var isCursor = false

  package init(_ text: PlainText, _ role: Role = .text, _ attributes: Attributes = []) {
    content = .text(text)
    self.role = role
    self.attributes = attributes
  }

  package init(symbols: [Symbol], _ role: Role = .text) {
    content = .symbols(symbols)
    self.role = role
    attributes = []
  }

  /// The cell of a text field that its cursor stands on.
  package static func cursor(on text: PlainText) -> DialogRun {
    var run = DialogRun(text, .input, .reverse)
    run.isCursor = true
    return run
  }

  package var columns: Int {
    switch content {
    case .text(let text): text.columns
    case .symbols(let symbols): symbols.count
    }
  }
}

/// One line of a dialog, with something at its right end.
package struct DialogLine: Hashable {
  package var runs: [DialogRun] = []
  package var right: DialogRun?

  package init(_ runs: [DialogRun] = [], right: DialogRun? = nil) {
    self.runs = runs
    self.right = right
  }

  package init(_ text: PlainText, _ role: Role = .text, _ attributes: Attributes = []) {
    runs = [DialogRun(text, role, attributes)]
  }

  /// A sentence in as many lines as it takes.
  package static func wrapped(_ text: PlainText, to width: Int, _ role: Role = .text)
    -> [DialogLine]
  {
    text.wrapped(to: max(1, width)).map { DialogLine($0, role) }
  }

  package func draw(into canvas: inout Canvas, y: Int) {
    var x = 0
    for run in runs {
      // Reverse video marks the focus: a button, an entry, a field.
      if run.attributes.contains(.reverse) {
        canvas.placeCursor(x: x, y: y, isVisible: run.isCursor)
      }
      switch run.content {
      case .text(let text):
        x = canvas.write(text, x: x, y: y, role: run.role, attributes: run.attributes)
      case .symbols(let symbols):
        for symbol in symbols {
          canvas.symbol(symbol, x: x, y: y, role: run.role)
          x += 1
        }
      }
    }
    guard let right, case .text(let text) = right.content,
      x + text.columns < canvas.bounds.width || runs.isEmpty
    else { return }
    canvas.writeRight(text, y: y, role: right.role, attributes: right.attributes)
  }
}

/// The content of a dialog: scrolling lines, and footer lines that stay visible.
///
/// All dialogs of MEMORY use it, at one position: full width on a narrow screen, else at the lower
/// right, so that the list stays readable beside it.
package struct DialogPage {
  package var title: PlainText
  package var trailing: PlainText = ""
  package var lines: [DialogLine]
  package var footer: [DialogLine]
  /// Lines that must be visible; defaults to the first.
  package var needed = 0..<1

  /// The target of a click on a button; nil to ignore the mouse.
  package var target: ((Int) -> Frame.Target)?

  package init(
    title: PlainText, trailing: PlainText = "", lines: [DialogLine], footer: [DialogLine],
    needed: Range<Int> = 0..<1, target: ((Int) -> Frame.Target)? = nil
  ) {
    self.title = title
    self.trailing = trailing
    self.lines = lines
    self.footer = footer
    self.needed = needed
    self.target = target
  }

  private static let widest = 96

  private static func boxWidth(_ body: Rect) -> Int {
    body.width < 100 ? body.width : min(widest, max(72, body.width * 2 / 3))
  }

  /// Columns for text: lines are made for this width.
  package static func textWidth(in body: Rect) -> Int { max(1, boxWidth(body) - 4) }

  /// Lines that scroll and are in sight at most.
  package static func room(in body: Rect, footer: Int) -> Int { max(0, body.height - 2 - footer) }

  /// The first line in sight.
  private func first(room: Int) -> Int {
    guard lines.count > room else { return 0 }
    let lowest = min(max(0, needed.upperBound - room), needed.lowerBound)
    return min(max(0, lowest), lines.count - max(1, room))
  }

  package func render(in body: Rect, into frame: inout Frame) {
    let width = Self.boxWidth(body)
    let height = min(body.height, lines.count + footer.count + 2)
    let area = Rect(
      x: body.x + body.width - width, y: body.y + body.height - height, width: width,
      height: height)
    let foot = Array(footer.suffix(max(0, height - 3)))
    let room = max(0, height - 2 - foot.count)
    let first = first(room: room)
    let hidden = lines.count - room
    let more: PlainText = hidden > 0 ? PlainText("\(first + room)/\(lines.count)") : ""
    let note = [trailing, more].filter { !$0.isEmpty }.joined(separator: "  ")
    frame.cover()
    frame.canvas.clear(area)
    frame.canvas.panel(frame.owned(title), trailing: note, in: area, isFocused: true) { canvas in
      let inner = Rect(
        x: 1, width: max(0, canvas.bounds.width - 2), height: canvas.bounds.height)
      canvas.inside(inner) { canvas in
        for (y, line) in lines.dropFirst(first).prefix(room).enumerated() {
          line.draw(into: &canvas, y: y)
        }
        for (index, line) in foot.enumerated() {
          line.draw(into: &canvas, y: canvas.bounds.height - foot.count + index)
        }
      }
    }
    let inner = area.inset(by: 1)
    mark(Array(lines.dropFirst(first).prefix(room)), y: inner.y, in: inner, into: &frame)
    mark(foot, y: inner.maxY - foot.count, in: inner, into: &frame)
  }

  /// Marks the buttons of lines that begin at a row of the screen.
  private func mark(_ lines: [DialogLine], y: Int, in inner: Rect, into frame: inout Frame) {
    guard let target else { return }
    for (index, line) in lines.enumerated() {
      var x = inner.x + 1
      for run in line.runs {
        if let button = run.button {
          let place = Rect(x: x, y: y + index, width: run.columns, height: 1)
          frame.mark(place.intersection(inner), target(button))
        }
        x += run.columns
      }
    }
  }
}
