import CockpitDomain
import CockpitPanes
import CockpitStores
import CockpitText
import TerminalCore
import TerminalUI

/// The card of what waits, between the tab and the hints. The tab is smaller by its rows, so that nothing is covered,
/// and it takes no key.
struct DockedCard: FramePart {
  private let heading: PlainText
  private let trailing: PlainText
  private let lines: [PlainText]
  private let foot: PlainText
  private let role: Role

  /// - Parameter key: the key that opens what waits.
  @MainActor init?(_ facts: ViewContext, key: PlainText, size: Size) {
    guard let attention = facts.attention, facts.replay == nil,
      facts.sources != nil || facts.status.overall == .live
    else { return nil }
    let waiting = facts.control?.waiting ?? []
    guard let id = attention.cards.first, let card = waiting.first(where: { $0.key == id }) else {
      return nil
    }
    let text = ControlText(facts)
    heading = text.heading(of: card)
    trailing = text.trailing(
      of: card, others: attention.cards.count - 1, isQuiet: attention.isQuiet)
    let limit = LayoutClass(size).height == .tall ? 3 : 1
    let width = max(1, size.width - 4)
    let subject = text.visible(card.subject, 1_000)
    lines =
      limit == 1 || subject.columns <= width
      ? [subject.cut(to: width)] : subject.wrapped(to: width, limit: limit)
    foot = key + " answers"
    role = AttentionBadge(level: attention.level).role
  }

  /// Rows with the border.
  var rows: Int { lines.count + 2 }

  func render(in area: Rect, into frame: inout Frame) {
    frame.canvas.clear(area)
    frame.canvas.panel("", trailing: trailing, in: area) { canvas in
      for (y, line) in lines.enumerated() { canvas.write(line, x: 1, y: y) }
    }
    frame.canvas.recolor(area, from: .border, to: role)
    let room = max(0, area.width - trailing.columns - 8)
    frame.canvas.write(
      " " + heading.cut(to: room) + " ", x: area.x + 1, y: area.y, role: role, attributes: .bold)
    frame.canvas.write(
      " " + foot + " ", x: max(area.x, area.maxX - foot.columns - 4), y: area.maxY - 1,
      role: role, attributes: .bold)
  }
}

/// Four dots that say a level: `●●●○`, in ASCII `!!!.`.
struct AttentionBadge {
  var level: AttentionLevel
  /// Without the dots that are not filled.
  var isShort = false

  var columns: Int { isShort ? level.rawValue : AttentionLevel.urgent.rawValue }

  var role: Role {
    switch level {
    case .passive: .muted
    case .notify: .info
    case .active, .interrupt: .warning
    case .urgent: .negative
    }
  }

  /// Draws into the first row.
  func draw(x: Int, in canvas: inout Canvas) {
    for place in 0..<columns {
      let isFilled = place < level.rawValue
      if canvas.symbols.kind == .ascii {
        canvas.write(isFilled ? "!" : ".", x: x + place, role: role, background: .header)
      } else {
        canvas.symbol(isFilled ? .dot : .ring, x: x + place, role: role, background: .header)
      }
    }
  }
}
