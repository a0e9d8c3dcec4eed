import ClankyLink
import CockpitStores
import TerminalCore

/// Row 1 of every screen: identity, tabs, connection state, data age, cost today, clock.
struct Header {
  var tab: Tab

  @MainActor func render(_ facts: Facts, into frame: inout Frame) {
    let width = frame.canvas.bounds.width
    guard width > 0 else { return }
    frame.canvas.inside(Rect(width: width, height: 1)) { canvas in
      canvas.fill(canvas.bounds, background: .header)
    }
    let layout = LayoutClass(frame.canvas.size)
    var right = rightSide(facts, layout: layout)
    var rightWidth: Int { right.reduce(0) { $0 + $1.text.columns + 2 } }
    // Every tab is worth more than who, how quick and how dear.
    let tabsEnd = 8 + Self.names.reduce(0) { $0 + $1.open.columns }
    while layout.width > .extraSmall, tabsEnd >= width - rightWidth + 2,
      let part = right.firstIndex(where: \.isOptional)
    {
      right.remove(at: part)
    }
    var x = 1
    if layout.width > .extraSmall || width - rightWidth > 18 {
      frame.canvas.write("CLANKY", x: x, role: .title, attributes: .bold, background: .header)
      x += 7
    }
    if layout.width == .extraSmall {
      let text = Self.names[tab.rawValue].open
      frame.canvas.write(
        text.cut(to: max(0, width - rightWidth - x)), x: x, role: .focus, attributes: .bold,
        background: .header)
      frame.mark(Rect(x: x, y: 0, width: text.columns, height: 1), .tab(tab.stepped(by: 1)))
    } else {
      // Where not all names fit, the open tab has its name and the others their numbers.
      let isTight = tabsEnd >= width - rightWidth + 2
      for (each, names) in zip(Tab.allCases, Self.names) {
        let isOpen = each == tab
        let text = isOpen ? names.open : isTight ? names.number : names.closed
        guard x + text.columns < width - rightWidth + 2 else { break }
        frame.canvas.write(
          text, x: x, role: isOpen ? .focus : .muted, attributes: isOpen ? .bold : [],
          background: .header)
        frame.mark(Rect(x: x, y: 0, width: text.columns, height: 1), .tab(each))
        x += text.columns
      }
    }
    frame.clock = Rect(width: 0, height: 1)
    var column = width
    for part in right.reversed() {
      column -= part.text.columns + 1
      guard column > x || part.isVital else { break }
      frame.canvas.write(part.text, x: column, role: part.role, background: .header)
      if part.isClock { frame.clock = Rect(x: column, width: part.text.columns, height: 1) }
      if part.hasDot {
        frame.canvas.symbol(part.dot, x: column, y: 0, role: part.role, background: .header)
      }
      column -= 1
    }
  }

  /// How each tab is written: as the open one, as another one, and as one without room for a name.
  private static let names = Tab.allCases.map { tab in
    let number = PlainText("\(tab.rawValue + 1)")
    let name = number + " " + tab.title
    return (open: "[" + name + "]", closed: " " + name + " ", number: " " + number + " ")
  }

  private struct Part {
    var text: PlainText
    var role: Role
    var isVital = false
    /// Left out before a tab is; the first of them first.
    var isOptional = false
    var hasDot = false
    var dot = Symbol.dot
    var isClock = false
  }

  @MainActor private func rightSide(_ facts: Facts, layout: LayoutClass) -> [Part] {
    var parts: [Part] = []
    let status = facts.status
    if layout.width >= .medium {
      let name = facts.profile.isEmpty ? "clanky" : "clanky@\(facts.profile)"
      parts.append(Part(text: PlainText(name, limit: 24), role: .muted, isOptional: true))
    }
    let state = ConnectionWords(status: status, monotonicNs: facts.monotonicNs)
    parts.append(
      Part(
        text: "  " + state.short, role: state.role, isVital: true, hasDot: true,
        dot: state.isLive ? .dot : .ring))
    if layout.width >= .medium {
      if let latency = status.restLatencyMs {
        parts.append(Part(text: Figures.duration(ms: latency), role: .muted, isOptional: true))
      }
      parts.append(
        Part(text: Figures.cost(facts.costToday) + " UTC", role: .cost, isOptional: true))
    }
    parts.append(Part(text: facts.clock.time(ms: facts.nowMs), role: .text, isClock: true))
    return parts
  }
}
