import CockpitPanes
import CockpitShell
import TerminalCore
import TerminalCurses

/// Updates the window title: only when it changes, and once a second at most, because some window
/// managers redraw their whole bar for it.
@MainActor
package final class TitleWriter {
  private static let intervalNs: UInt64 = 1_000_000_000

  private let session: TerminalSession
  private var lastNs: UInt64?
  private var shown: (title: WindowTitle, words: TitleText)?

  package init(session: TerminalSession) { self.session = session }

  /// A title that came too early is shown with a later frame: one comes with every tick.
  package func show(_ facts: ViewContext) {
    if let lastNs, facts.monotonicNs < lastNs + Self.intervalNs { return }
    let title = WindowTitle(facts)
    guard title != shown?.title else { return }
    let words = title.words
    defer { shown = (title, words) }
    guard words != shown?.words else { return }
    lastNs = facts.monotonicNs
    session.setTitle(words)
  }
}
