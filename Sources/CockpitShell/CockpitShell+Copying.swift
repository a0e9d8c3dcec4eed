import CockpitPanes
import TerminalUI
import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore

extension CockpitShell {
  /// Opens the copy menu for the selection.
  @MainActor mutating func openCopyMenu(_ facts: ViewContext) {
    var items = pane.copyItems(facts)
    if let replay = facts.replay, !replay.command.isEmpty {
      // What shows the live bot does not show this.
      items.removeAll { $0.kind == .permalink }
      let at = WireTime(milliseconds: replay.atMs).iso
      items.append(CopyItem(.permalink, "\(replay.command) --at \(at) --tab \(tab)"))
    }
    guard !items.isEmpty else {
      note("nothing is selected that can be copied")
      return
    }
    layers.push(CopyMenu(items))
  }

  /// Copies the JSON of the selection without a menu.
  @MainActor mutating func copyJSON(_ facts: ViewContext) -> [Effect] {
    guard let item = pane.copyItems(facts).first(where: { $0.kind == .json }) else {
      note("nothing is selected that has JSON")
      return []
    }
    return [item.effect]
  }

  /// Shows the focused panel's data on the plain screen; if a tab has none, its rendering.
  @MainActor mutating func plain(_ facts: ViewContext) -> [Effect] {
    if let text = pane.plainText(facts) {
      guard text.contains(where: { !$0.isWhitespace }) else {
        note("there is nothing to show as plain text")
        return []
      }
      return [.plain(text: text)]
    }
    var frame = Frame(size: size, symbols: .unicode)
    drawTab(facts, in: Rect(width: size.width, height: size.height), into: &frame)
    let lines = (0..<size.height).map { row -> String in
      // Frames of panels are no data; with these glyphs no letter of the data looks like one.
      let isFrame = { (scalar: Unicode.Scalar) in (0x2500...0x257F).contains(scalar.value) }
      let text = frame.canvas.text(row: row).unicodeScalars.map { isFrame($0) ? " " : $0 }
      return String(String.UnicodeScalarView(text))
    }
    return [.plain(text: lines.joined(separator: "\n"))]
  }

  /// Reports the new mouse mode.
  @MainActor mutating func noteMouse(_ facts: ViewContext) {
    let key = keys.binding(for: .mouse)?.keyTexts.first ?? ":mouse"
    note(
      facts.isMouseOn
        ? "the mouse is the terminal's now, for selecting text; \(PlainText(key)) takes it back"
        : "the mouse clicks and scrolls here again; \(PlainText(key)) gives it to the terminal")
  }

  /// Shows the links of PULSE's row; if it has none, its text in the pager.
  @MainActor mutating func openLinks(_ facts: ViewContext) -> [Effect] {
    let links = pulse.links(facts)
    guard links.isEmpty else {
      layers.push(LinkList(links))
      return []
    }
    guard let row = pulse.selectedRow(facts), !row.isGap,
      let lines = row.withRaw({ (try? JSONValue.parse($0))?.prettyLines(limit: 50_000) })
    else {
      note("no row is selected")
      return []
    }
    return [.page(text: lines.joined(separator: "\n"))]
  }
}
