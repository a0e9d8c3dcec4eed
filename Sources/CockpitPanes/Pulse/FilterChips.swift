import CockpitStores
import ClankyWire
import TerminalCore

/// One chip for each group of kinds, with live counts; several can be on at once.
struct FilterChips {
  /// Left to right; the ones that do not fit are reached by moving the chip cursor.
  static let groups: [ChipGroup] = ChipGroup.primary

  var pane: PulsePane

  @MainActor func render(_ facts: Facts, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    let isFocused = pane.focus == .chips && pane.bar == nil
    let tally = facts.activity.log.totals.retained
    var chips: [(chip: ChipGroup, text: PlainText)] = []
    for chip in Self.groups {
      let count = chip == .all ? facts.activity.log.count : tally[chip]
      let title = PlainText(chip.title)
      chips.append((chip, chip == .all ? title : title + " " + Figures.short(Double(count))))
    }
    // Scroll so that the chip cursor is visible.
    var first = 0
    if isFocused {
      while first < pane.chipCursor {
        let width = chips[first...pane.chipCursor].reduce(1) { $0 + $1.text.columns + 3 }
        guard width > area.width else { break }
        first += 1
      }
    }
    var x = area.x + 1
    for index in first..<chips.count {
      let (chip, text) = chips[index]
      let isOn = chip == .all ? pane.chips.isEmpty : pane.chips.contains(chip)
      let shown = isOn ? "[" + text + "]" : " " + text + " "
      guard x + shown.columns <= area.x + area.width else {
        let rest = PlainText("+\(chips.count - index)")
        if x + rest.columns <= area.x + area.width {
          frame.canvas.write(rest, x: x, y: area.y, role: .faint)
        }
        break
      }
      let role: Role =
        isOn ? .chipActive : chip == .error && tally[ChipGroup.error] > 0 ? .negative : .chip
      let isUnderCursor = isFocused && index == pane.chipCursor
      frame.canvas.write(
        shown, x: x, y: area.y, role: role,
        attributes: isUnderCursor ? [.reverse, .bold] : isOn ? .bold : [])
      frame.mark(Rect(x: x, y: area.y, width: shown.columns, height: 1), .pulse(.chip(chip)))
      x += shown.columns + 1
    }
  }
}
