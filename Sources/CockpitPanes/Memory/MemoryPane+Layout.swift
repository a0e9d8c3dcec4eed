import TerminalUI
import CockpitStores
import TerminalCore

extension MemoryPane {
  /// Where the parts stand; a rectangle is empty when its part is not shown. Drop order of ux.md
  /// C.4: reflections, provenance, the column of subjects (it becomes a row of chips, then a
  /// picker), and last the detail.
  struct Layout: Hashable {
    /// Guild, counts, last reflection.
    var summary = Rect(width: 0, height: 0)
    /// The views, or what is typed; with what narrows the list.
    var bar = Rect(width: 0, height: 0)
    /// A remark to what is typed, such as the scope of a search.
    var remark = Rect(width: 0, height: 0)
    /// Subjects in one row.
    var chips = Rect(width: 0, height: 0)
    var panels: [Panel: Rect] = [:]
    /// Columns between panels that share rules instead of having boxes.
    var dividers: [Rect] = []
    var hasBoxes = false
    /// One panel at a time: `2/3` in its heading.
    var isSingle = false
    var width = LayoutClass.Width.small

    subscript(panel: Panel) -> Rect { panels[panel] ?? Rect(width: 0, height: 0) }

    /// Rows and columns inside a panel.
    func content(_ panel: Panel) -> Rect { PanelFrame.content(of: self[panel], hasBox: hasBoxes) }

    /// Cuts the left part off, with a line between the two where there are no boxes.
    fileprivate mutating func takeLeft(_ width: Int, of area: inout Rect) -> Rect {
      let left = area.takeLeft(width)
      if !hasBoxes, !area.isEmpty { dividers.append(area.takeLeft(1)) }
      return left
    }

    /// The list itself, without the headings of its columns.
    var rows: Rect {
      var area = content(.facts)
      if hasHeadings { _ = area.takeTop(1) }
      return area
    }

    /// Lines of one fact in the list: where there is room its text has two (ux.md C.4).
    var rowHeight: Int { width == .large && rows.height >= 24 ? 2 : 1 }

    /// Facts that fit into the list; 1 at least.
    var visibleFacts: Int { max(1, rows.height / rowHeight) }

    /// Whether the columns of the list have headings.
    var hasHeadings: Bool { content(.facts).height >= 8 && content(.facts).width >= 50 }
  }

  func layout(in body: Rect, of screen: Size) -> Layout {
    let size = LayoutClass(screen)
    var rest = body
    var parts = Layout()
    parts.width = size.width
    parts.hasBoxes = size.width >= .medium && size.height > .short
    if body.height >= 8 { parts.summary = rest.takeTop(1) }
    parts.bar = rest.takeTop(1)
    parts.remark = rest.takeTop(min(remarkHeight(size), rest.height - 6))
    guard view == .facts else {
      parts.panels[.document] = rest
      return parts
    }
    if isZoomed || size.width == .extraSmall || rest.height < 9 {
      parts.isSingle = !isZoomed
      parts.panels[focus] = rest
      return parts
    }
    switch size.width {
    case .extraSmall, .small: small(&rest, &parts)
    case .medium: medium(&rest, &parts)
    case .large: large(&rest, &parts)
    }
    return parts
  }

  /// Lines for what has to be known about a search or a question to RECALL.
  private func remarkHeight(_ size: LayoutClass) -> Int {
    switch bar {
    case .search?, .recallConfirmation?: size.width >= .medium ? 1 : 2
    case .recall?: 1
    case .find?, .filter?: 0
    case nil: view == .facts && query.source == .search ? 1 : 0
    }
  }

  private func small(_ rest: inout Rect, _ parts: inout Layout) {
    parts.chips = rest.takeTop(1)
    // The picker takes the place of the list.
    guard focus != .subjects else {
      parts.panels[.subjects] = rest
      return
    }
    if rest.height >= 12 {
      parts.panels[.detail] = rest.takeBottom(min(12, rest.height * 2 / 5))
    } else if focus == .detail {
      parts.panels[.detail] = rest
      return
    }
    parts.panels[.facts] = rest
  }

  private func medium(_ rest: inout Rect, _ parts: inout Layout) {
    if rest.height >= 30 { parts.panels[.reflections] = rest.takeBottom(3) }
    if rest.height >= 14 {
      parts.panels[.subjects] = parts.takeLeft(22, of: &rest)
    } else {
      parts.chips = rest.takeTop(1)
      guard focus != .subjects else {
        parts.panels[.subjects] = rest
        return
      }
    }
    var right = rest
    let list = right.width - max(36, right.width * 3 / 8)
    parts.panels[.facts] = parts.takeLeft(list, of: &right)
    parts.panels[.detail] = right
  }

  private func large(_ rest: inout Rect, _ parts: inout Layout) {
    parts.panels[.subjects] = parts.takeLeft(26, of: &rest)
    if rest.width >= 150 { parts.panels[.reflections] = rest.takeRight(34) }
    var right = rest.takeRight(min(50, rest.width * 2 / 5))
    if right.height >= 26 { parts.panels[.provenance] = right.takeBottom(right.height * 2 / 5) }
    parts.panels[.detail] = right
    parts.panels[.facts] = rest
  }

  /// The panels in the order of Tab.
  func panels(in layout: Layout) -> [Panel] {
    guard view == .facts else { return [.document] }
    if layout.isSingle || isZoomed { return [.subjects, .facts, .detail] }
    let shown = Panel.allCases.filter { !layout[$0].isEmpty }
    // What a picker or the detail has taken the place of can still be reached.
    let always: Set<Panel> = [.subjects, .facts, .detail]
    return Panel.allCases.filter { shown.contains($0) || always.contains($0) }
  }
}
