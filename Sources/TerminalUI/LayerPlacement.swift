import TerminalCore

/// Where a layer is on the screen, and what remains for the layers below.
package enum LayerPlacement: Hashable, Sendable {
  /// Over the body of the screen: layers below receive no input.
  case modal
  /// At an edge of the body, which shrinks accordingly.
  ///
  /// - Parameter share: percentage of the remaining width or height of the body.
  case docked(Edge, share: Int)
  /// Lines at the bottom of the body.
  case strip(lines: Int)
  /// The last row of the screen, where the hints stand otherwise.
  case line

  /// An edge at which a layer can stand.
  package enum Edge: Hashable, Sendable { case left, right, bottom }
}

/// The rectangles of the layers of a screen, and of the tab below them.
package struct LayerLayout: Hashable, Sendable {
  /// The part of the screen between header and alert.
  package let body: Rect
  /// The body minus docked layers: the tab's rectangle.
  package private(set) var tab: Rect
  /// One for each placement, in its order.
  package private(set) var areas: [Rect] = []

  /// A tab is not drawn into less than this; a layer that would leave less lies over the tab.
  private static let least = Size(width: LayoutClass.minimum.width, height: 7)

  /// - Parameters:
  ///   - placements: of the layers, the lowest first.
  ///   - body: the part of the screen between header and alert.
  ///   - lastRow: the row of the hints.
  package init(_ placements: [LayerPlacement], body: Rect, lastRow: Rect) {
    self.body = body
    tab = body
    for placement in placements {
      switch placement {
      case .modal: areas.append(body)
      case .line: areas.append(lastRow)
      case .docked(let edge, let share): areas.append(take(edge, share))
      case .strip(let lines):
        var rest = tab
        let area = rest.takeBottom(min(max(0, lines), max(0, rest.height - Self.least.height)))
        tab = rest
        areas.append(area)
      }
    }
  }

  /// The size that the tab treats as the whole screen when selecting a layout.
  package func screen(_ size: Size) -> Size {
    Size(
      width: size.width - body.width + tab.width, height: size.height - body.height + tab.height)
  }

  private mutating func take(_ edge: LayerPlacement.Edge, _ share: Int) -> Rect {
    var rest = tab
    let share = min(max(0, share), 100)
    let area =
      switch edge {
      case .left: rest.takeLeft(rest.width * share / 100)
      case .right: rest.takeRight(rest.width * share / 100)
      case .bottom: rest.takeBottom(rest.height * share / 100)
      }
    guard rest.width >= Self.least.width, rest.height >= Self.least.height else { return body }
    tab = rest
    return area
  }
}
