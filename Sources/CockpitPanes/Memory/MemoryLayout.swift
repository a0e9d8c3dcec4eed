import TerminalCore
import TerminalUI

/// The rectangles of the parts; empty if a part is hidden. Drop order: reflections, provenance, the
/// column of subjects (it becomes a row of chips, then a picker), and last the detail.
struct MemoryLayout: Hashable {
  /// Guild, counts, last reflection.
  var summary = Rect(width: 0, height: 0)
  /// The views, or the typed text, with the active filters.
  var bar = Rect(width: 0, height: 0)
  /// A note on the typed text, such as the scope of a search.
  var remark = Rect(width: 0, height: 0)
  /// Subjects in one row.
  var chips = Rect(width: 0, height: 0)
  var panels: [MemoryPanel: Rect] = [:]
  /// Columns between panels that share rules instead of having boxes.
  var dividers: [Rect] = []
  var hasBoxes = false
  /// One panel at a time: `2/3` in its heading.
  var isSingle = false
  var width = LayoutClass.Width.small
  /// The panels in the order of Tab.
  var order: [MemoryPanel] = []

  subscript(panel: MemoryPanel) -> Rect { panels[panel] ?? Rect(width: 0, height: 0) }

  /// Rows and columns inside a panel.
  func content(_ panel: MemoryPanel) -> Rect {
    PanelFrame.content(of: self[panel], hasBox: hasBoxes)
  }

  /// Cuts off the left part, with a divider between the two if there are no boxes.
  mutating func takeLeft(_ width: Int, of area: inout Rect) -> Rect {
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

  /// Lines per fact in the list: two if there is room.
  var rowHeight: Int { width == .large && rows.height >= 24 ? 2 : 1 }

  /// Facts that fit into the list; 1 at least.
  var visibleFacts: Int { max(1, rows.height / rowHeight) }

  /// Whether the columns of the list have headings.
  var hasHeadings: Bool { content(.facts).height >= 8 && content(.facts).width >= 50 }

  /// Draws a panel's frame and returns the content's rectangle; empty if the panel is hidden.
  ///
  /// - Parameters:
  ///   - focus: the focused panel.
  ///   - behind: what stands behind the figures of the title, and of the text at its right.
  func draw(
    _ panel: MemoryPanel, _ title: PlainText, trailing: PlainText = "", focus: MemoryPanel,
    behind: (title: RowsBehind?, trailing: RowsBehind?) = (nil, nil), into frame: inout Frame
  ) -> Rect {
    let number = (order.firstIndex(of: panel) ?? 0) + 1
    return PanelFrame(
      title: title, trailing: trailing,
      place: isSingle && panel != .document ? (number, order.count) : nil,
      isFocused: focus == panel || panel == .document, hasBox: hasBoxes,
      titleTarget: behind.title.map(Frame.Target.figure),
      trailingTarget: behind.trailing.map(Frame.Target.figure)
    ).draw(in: self[panel], .memory(.panel(panel)), into: &frame)
  }
}
