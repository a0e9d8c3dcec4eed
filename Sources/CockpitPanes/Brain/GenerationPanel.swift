import LenientJSON
import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The context of an answer besides prompts and facts: the transcript with speakers, the
/// tools offered and withheld and why, the channel, the model's settings.
struct GenerationPanel {
  static let title: PlainText = "generation context"

  /// The right end of the title.
  let trailing: PlainText
  let lines: [DetailLine]
  let scroll: Int
  let hasFocus: Bool

  @MainActor func render(_ facts: ViewContext, _ layout: BrainLayout, into frame: inout Frame) {
    guard !layout.context.isEmpty else { return }
    let area = layout.draw(
      .context, Self.title, trailing: trailing, hasFocus: hasFocus, into: &frame)
    guard !area.isEmpty else { return }
    ScrolledLines(lines: lines, scroll: scroll).render(in: area, into: &frame)
  }
}
