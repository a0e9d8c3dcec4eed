import TerminalCore

/// The frame of a panel: a box, or where there is no room for boxes a rule above it. All tabs draw
/// their panels with it.
package struct PanelFrame {
  package var title: PlainText
  package var trailing: PlainText = ""
  /// Which panel of how many it is, where one is shown at a time: `2/5 LANES`.
  package var place: (number: Int, count: Int)?
  package var isFocused = false
  package var hasBox: Bool
  /// Whether a line at its left parts it from the panel beside it; boxes need none.
  package var hasDivider = false

  package init(
    title: PlainText, trailing: PlainText = "", place: (number: Int, count: Int)? = nil,
    isFocused: Bool = false, hasBox: Bool, hasDivider: Bool = false
  ) {
    self.title = title
    self.trailing = trailing
    self.place = place
    self.isFocused = isFocused
    self.hasBox = hasBox
    self.hasDivider = hasDivider
  }

  /// Draws the frame and says what a click into it means.
  ///
  /// - Returns: where its content goes; empty when the panel is not shown.
  @discardableResult
  package func draw(in area: Rect, _ target: Frame.Target, into frame: inout Frame) -> Rect {
    guard !area.isEmpty else { return area }
    frame.mark(area, target)
    let title = place.map { PlainText("\($0.number)/\($0.count) ") + self.title } ?? self.title
    if hasBox {
      frame.canvas.panel(title, trailing: trailing, in: area, isFocused: isFocused) { _ in }
    } else {
      frame.canvas.inside(area) {
        $0.rule(title, trailing: trailing, y: 0, isFocused: isFocused)
        if hasDivider, area.x > 0 { $0.verticalRule(x: 0, from: 1) }
      }
    }
    return Self.content(of: area, hasBox: hasBox)
  }

  /// Where the content of a panel goes, a column free on either side.
  package static func content(of area: Rect, hasBox: Bool) -> Rect {
    guard !area.isEmpty else { return area }
    return hasBox
      ? Rect(x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 2)
      : Rect(x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 1)
  }
}
