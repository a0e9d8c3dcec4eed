import ClankyLink
import CockpitStores
import TerminalCore

/// Row 1 of every screen: identity, tabs, connection state, data age, cost today, clock.
struct Header {
  var tab: Tab

  @MainActor func render(_ facts: Facts, into frame: inout Frame) {
    let size = frame.canvas.size
    guard size.width > 0, size.height > 0 else { return }
    let time = facts.clock.time(ms: facts.nowMs)
    frame.draw(
      HeaderBar(tab: tab, facts, layout: LayoutClass(size).width, clockColumns: time.columns),
      in: Rect(width: size.width, height: 1))
    guard !frame.clock.isEmpty else { return }
    frame.canvas.write(time, x: frame.clock.x, role: .text, background: .header)
  }
}

/// The header without the time, for which it leaves room; where that is it notes in the frame.
private struct HeaderBar: FramePart {
  private let tab: Tab
  private let layout: LayoutClass.Width
  private let profile: String
  private let state: PlainText
  private let role: Role
  private let isLive: Bool
  /// How long a request takes, in ms.
  private let latencyMs: Double?
  private let costToday: Double?
  private let clockColumns: Int

  @MainActor init(tab: Tab, _ facts: Facts, layout: LayoutClass.Width, clockColumns: Int) {
    self.tab = tab
    self.layout = layout
    self.clockColumns = clockColumns
    profile = facts.profile
    let words = ConnectionWords(status: facts.status, monotonicNs: facts.monotonicNs)
    (state, role, isLive) = (words.short, words.role, words.isLive)
    latencyMs = facts.status.restLatencyMs
    costToday = facts.costToday
  }

  func render(in area: Rect, into frame: inout Frame) {
    let width = area.width
    frame.canvas.fill(area, background: .header)
    var right = rightSide
    var rightWidth: Int { right.reduce(0) { $0 + $1.columns + 2 } }
    // Every tab is worth more than who, how quick and how dear.
    let tabsEnd = 8 + Self.names.reduce(0) { $0 + $1.open.columns }
    while layout > .extraSmall, tabsEnd >= width - rightWidth + 2,
      let part = right.firstIndex(where: \.isOptional)
    {
      right.remove(at: part)
    }
    var x = 1
    if layout > .extraSmall || width - rightWidth > 18 {
      frame.canvas.write("CLANKY", x: x, role: .title, attributes: .bold, background: .header)
      x += 7
    }
    if layout == .extraSmall {
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
      column -= part.columns + 1
      guard column > x || part.isVital else { break }
      if part.isClock { frame.clock = Rect(x: column, width: part.columns, height: 1) }
      frame.canvas.write(part.text, x: column, role: part.role, background: .header)
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
    let text: PlainText
    let role: Role
    /// Room for it.
    let columns: Int
    let isVital: Bool
    /// Left out before a tab is; the first of them first.
    let isOptional: Bool
    let hasDot: Bool
    let dot: Symbol
    let isClock: Bool

    init(
      _ text: PlainText, _ role: Role, columns: Int? = nil, isVital: Bool = false,
      isOptional: Bool = false, hasDot: Bool = false, dot: Symbol = .dot, isClock: Bool = false
    ) {
      self.text = text
      self.role = role
      self.columns = columns ?? text.columns
      self.isVital = isVital
      self.isOptional = isOptional
      self.hasDot = hasDot
      self.dot = dot
      self.isClock = isClock
    }
  }

  private var rightSide: [Part] {
    var parts: [Part] = []
    if layout >= .medium {
      let name = profile.isEmpty ? "clanky" : "clanky@\(profile)"
      parts.append(Part(PlainText(name, limit: 24), .muted, isOptional: true))
    }
    parts.append(
      Part("  " + state, role, isVital: true, hasDot: true, dot: isLive ? .dot : .ring))
    if layout >= .medium {
      if let latencyMs {
        parts.append(Part(Figures.duration(ms: latencyMs), .muted, isOptional: true))
      }
      parts.append(Part(Figures.cost(costToday) + " UTC", .cost, isOptional: true))
    }
    parts.append(Part("", .text, columns: clockColumns, isClock: true))
    return parts
  }
}
