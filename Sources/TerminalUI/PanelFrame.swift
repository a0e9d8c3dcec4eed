import TerminalCore

/// The frame of a panel: a box, or where there is no room for boxes a rule above it. All tabs draw
/// their panels with it.
package struct PanelFrame {
  package var title: PlainText
  package var trailing: PlainText = ""
  /// Position among the panels if one is shown at a time: `2/5 LANES`.
  package var place: (number: Int, count: Int)?
  package var isFocused = false
  package var hasBox: Bool
  /// What clicks on the title and on the text at its right mean, where they are more than words.
  package var titleTarget: Frame.Target?
  package var trailingTarget: Frame.Target?
  /// Whether a line separates it from the panel on its left; boxes need none.
  package var hasDivider = false

  package init(
    title: PlainText, trailing: PlainText = "", place: (number: Int, count: Int)? = nil,
    isFocused: Bool = false, hasBox: Bool, hasDivider: Bool = false,
    titleTarget: Frame.Target? = nil, trailingTarget: Frame.Target? = nil
  ) {
    self.titleTarget = titleTarget
    self.trailingTarget = trailingTarget
    self.title = title
    self.trailing = trailing
    self.place = place
    self.isFocused = isFocused
    self.hasBox = hasBox
    self.hasDivider = hasDivider
  }

  /// Draws the frame and marks its mouse target.
  ///
  /// - Parameter target: what a click on the panel means; nil if it has no cursor and no focus.
  /// - Returns: the content's rectangle; empty if the panel is hidden.
  @discardableResult
  package func draw(in area: Rect, _ target: Frame.Target? = nil, into frame: inout Frame) -> Rect {
    guard !area.isEmpty else { return area }
    if let target { frame.mark(area, target) }
    let title = place.map { PlainText("\($0.number)/\($0.count) ") + self.title } ?? self.title
    if hasBox {
      frame.canvas.panel(title, trailing: trailing, in: area, isFocused: isFocused) { _ in }
    } else {
      frame.canvas.inside(area) {
        $0.rule(title, trailing: trailing, y: 0, isFocused: isFocused)
        if hasDivider, area.x > 0 { $0.verticalRule(x: 0, from: 1) }
      }
    }
    let columns = Canvas.headerColumns(title, trailing, width: area.width)
    for (range, target) in [(columns.title, titleTarget), (columns.trailing, trailingTarget)] {
      guard let target, !range.isEmpty else { continue }
      let place = Rect(x: area.x + range.lowerBound, y: area.y, width: range.count, height: 1)
      frame.mark(place, target)
    }
    return Self.content(of: area, hasBox: hasBox)
  }

  /// The content's rectangle, with a free column on either side.
  package static func content(of area: Rect, hasBox: Bool) -> Rect {
    guard !area.isEmpty else { return area }
    return hasBox
      ? Rect(x: area.x + 2, y: area.y + 1, width: area.width - 4, height: area.height - 2)
      : Rect(x: area.x + 1, y: area.y + 1, width: area.width - 2, height: area.height - 1)
  }
}
