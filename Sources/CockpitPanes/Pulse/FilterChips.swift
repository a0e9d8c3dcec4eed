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
  /// Row count per group; nil if unknown.
  let counts: [Int]?
  let windows: [PlainText]
  let hasErrors: Bool

  func render(in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let chips = Self.groups.enumerated().map { index, chip in
      let title = PlainText(chip.title)
      let count =
        chip == .all
        ? nil : counts.map { " " + Figures.short(Double($0[index])) + windows[index] }
      return (chip: chip, text: title + (count ?? ""))
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
        isOn ? .chipActive : chip == .error && hasErrors ? .negative : .chip
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
