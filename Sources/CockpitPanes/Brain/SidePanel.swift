import ClankyWire
import TerminalUI
import CockpitText
import CockpitStores
import LenientJSON
import TerminalCore

/// Replaces the prompt panel: the selected call in full, or the raw JSON behind a panel.
struct SidePanel {
  let title: PlainText
  let trailing: PlainText
  /// nil if nothing is selected.
  let lines: [DetailLine]?
  let scroll: Int
  let line: Int
  let hasFocus: Bool

  func render(_ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.prompt.isEmpty else { return }
    let area = layout.draw(.prompt, title, trailing: trailing, hasFocus: hasFocus, into: &frame)
    guard !area.isEmpty else { return }
    guard let lines else {
      frame.canvas.inside(area) { $0.write("nothing is selected", role: .muted) }
      return
    }
    ScrolledLines(
      lines: lines, scroll: scroll,
      selected: hasFocus ? line : nil, target: { .detailLine($0) }
    ).render(in: area, into: &frame)
  }
}
