import CockpitStores
import TerminalUI
import TerminalCore

extension PulsePane {
  /// The rectangles of PULSE's parts; empty if a part is hidden (drop order: side column, rate
  /// chart, detail, chips, KPI sparklines).
  struct Layout: Hashable {
    var kpi = Rect(width: 0, height: 0)
    var chips = Rect(width: 0, height: 0)
    var bar = Rect(width: 0, height: 0)
    var feed = Rect(width: 0, height: 0)
    var detail = Rect(width: 0, height: 0)
    var side = Rect(width: 0, height: 0)
    var rate = Rect(width: 0, height: 0)
    /// Panels have boxes from width M on; narrower ones share rules.
    var hasBoxes = false
  }

  /// - Parameter body: the screen without header, alert and hints.
  func layout(in body: Rect, of screen: Size) -> Layout {
    let layout = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.hasBoxes = layout.width >= .medium && layout.height > .short
    if isZoomed {
      let hasBar = bar != nil || isFiltering || level != .everything && focus == .feed
      parts.bar = rest.takeTop(hasBar ? 1 : 0)
      switch focus {
      case .detail where isDetailOpen: parts.detail = rest
      case .rate: parts.rate = rest
      default: parts.feed = rest
      }
      return parts
    }
    if layout.height > .short { parts.kpi = rest.takeTop(1) }
    if layout.width >= .medium, layout.height > .short || focus == .chips {
      parts.chips = rest.takeTop(1)
    } else if focus == .chips || !chips.isEmpty, rest.height > 6 {
      parts.chips = rest.takeTop(1)
    }
    parts.bar = rest.takeTop(1)

    switch layout.width {
    case .extraSmall:
      // One panel at a time; an open detail has the screen.
      if isDetailOpen { parts.detail = rest } else { parts.feed = rest }
    case .small:
      if isDetailOpen {
        let share = focus == .detail ? rest.height * 2 / 3 : rest.height * 2 / 5
        parts.detail = rest.takeBottom(min(rest.height, max(5, share)))
      }
      parts.feed = rest
    case .medium, .large:
      if layout.height >= .tall, !isOfSeveral {
        parts.rate = rest.takeBottom(layout.width == .large ? 9 : 6)
      }
      if layout.width == .large {
        if hasSidebar, !isOfSeveral { parts.side = rest.takeRight(40) }
        if isDetailOpen { parts.detail = rest.takeRight(min(72, rest.width * 2 / 5)) }
      } else if isDetailOpen {
        parts.detail = rest.takeRight(min(52, rest.width * 2 / 5))
      }
      parts.feed = rest
    }
    return parts
  }

  /// The panels that can have the focus in a layout, in the order of Tab.
  func panels(in layout: Layout) -> [Panel] {
    var panels: [Panel] = []
    if !layout.feed.isEmpty { panels.append(.feed) }
    if !layout.detail.isEmpty { panels.append(.detail) }
    panels.append(.chips)
    if !layout.rate.isEmpty { panels.append(.rate) }
    return panels
  }
}
