import TerminalUI
import CockpitText
import CockpitStores
import ClankyWire
import TerminalCore

/// One chip per group of kinds, with live counts; several can be on at once. A count covers 24
/// hours, or the time since the rows begin: its window is shown if it differs from that of all
/// actions.
struct FilterChips: FramePart {
  /// Left to right; the ones that do not fit are reached by moving the chip cursor.
  static let groups: [ChipGroup] = ChipGroup.primary

  let isFocused: Bool
  let cursor: Int
  let isOn: [Bool]
  let counts: WindowCounts
  /// Whether anything is known to count.
  let isKnown: Bool
  /// The present minute, in ms since 1970.
  let minuteMs: Int64

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let chips = Self.groups.map { chip in
      let title = PlainText(chip.title)
      guard chip != .all, isKnown else { return (chip: chip, text: title) }
      let count =
        " " + Figures.short(Double(counts.count(chip)))
        + counts.otherWindow(chip, minuteMs: minuteMs)
      return (chip: chip, text: title + count)
    }
    // Scroll so that the chip cursor is visible.
    var first = 0
    if isFocused {
      while first < cursor {
        let width = chips[first...cursor].reduce(1) { $0 + $1.text.columns + 3 }
        guard width > area.width else { break }
        first += 1
      }
    }
    var x = area.x + 1
    for index in first..<chips.count {
      let (chip, text) = chips[index]
      let isOn = isOn[index]
      let shown = isOn ? "[" + text + "]" : " " + text + " "
      guard x + shown.columns <= area.x + area.width else {
        let rest = PlainText("+\(chips.count - index)")
        if x + rest.columns <= area.x + area.width {
          frame.canvas.write(rest, x: x, y: area.y, role: .faint)
        }
        break
      }
      let role: Role =
        isOn ? .chipActive : chip == .error && counts.count(.error) > 0 ? .negative : .chip
      let isUnderCursor = isFocused && index == cursor
      frame.canvas.write(
        shown, x: x, y: area.y, role: role,
        attributes: isUnderCursor ? [.reverse, .bold] : isOn ? .bold : [])
      if isUnderCursor { frame.canvas.placeCursor(x: x, y: area.y) }
      frame.mark(Rect(x: x, y: area.y, width: shown.columns, height: 1), .pulse(.chip(chip)))
      x += shown.columns + 1
    }
  }
}
