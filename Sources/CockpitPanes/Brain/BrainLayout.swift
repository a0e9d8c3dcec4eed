import TerminalCore
import TerminalUI

/// The rectangles of the parts; empty if a part is hidden. Drop order: tools and roster, facts,
/// budget trend, time axis (the flow stays), and last the calls.
struct BrainLayout: Hashable {
  var strip = Rect(width: 0, height: 0)
  var calls = Rect(width: 0, height: 0)
  var prompt = Rect(width: 0, height: 0)
  var chain = Rect(width: 0, height: 0)
  var budget = Rect(width: 0, height: 0)
  var facts = Rect(width: 0, height: 0)
  var context = Rect(width: 0, height: 0)
  /// Columns between panels that share rules instead of having boxes.
  var dividers: [Rect] = []
  var hasBoxes = false
  /// One panel at a time: `2/6` in its heading.
  var isSingle = false

  subscript(panel: BrainPanel) -> Rect {
    switch panel {
    case .calls: calls
    case .prompt: prompt
    case .chain: chain
    case .budget: budget
    case .facts: facts
    case .context: context
    }
  }

  mutating func set(_ panel: BrainPanel, _ area: Rect) {
    switch panel {
    case .calls: calls = area
    case .prompt: prompt = area
    case .chain: chain = area
    case .budget: budget = area
    case .facts: facts = area
    case .context: context = area
    }
  }

  /// Cuts off the left part, with a divider between the two if there are no boxes.
  mutating func takeLeft(_ width: Int, of area: inout Rect) -> Rect {
    let left = area.takeLeft(width)
    if !hasBoxes, !area.isEmpty { dividers.append(area.takeLeft(1)) }
    return left
  }

  /// Rows and columns inside a panel.
  func content(_ panel: BrainPanel) -> Rect {
    PanelFrame.content(of: self[panel], hasBox: hasBoxes)
  }

  /// Draws a panel's frame and returns the content's rectangle; empty if the panel is hidden.
  ///
  /// - Parameters:
  ///   - hasFocus: whether the panel has the focus.
  ///   - behind: what stands behind the figures of the title, and of the text at its right.
  func draw(
    _ panel: BrainPanel, _ title: PlainText, trailing: PlainText = "", hasFocus: Bool,
    behind: (title: RowsBehind?, trailing: RowsBehind?) = (nil, nil), into frame: inout Frame
  ) -> Rect {
    PanelFrame(
      title: title, trailing: trailing,
      place: isSingle ? (panel.rawValue + 1, BrainPanel.allCases.count) : nil,
      isFocused: hasFocus, hasBox: hasBoxes,
      titleTarget: behind.title.map(Frame.Target.figure),
      trailingTarget: behind.trailing.map(Frame.Target.figure)
    ).draw(in: self[panel], .brain(.panel(panel)), into: &frame)
  }
}
