import CockpitSession
import CockpitShell
import TerminalCore
import TerminalCurses

/// Verbs of the `:` line, run beside the screen.
extension CockpitApp {
  /// Runs a verb beside the screen, as a shell would, and shows its output.
  func run(_ words: [String]) {
    let invocation = model.invocation
    verbRunner.run(
      invocation.arguments(words, verbs.table(), scope: shell.scope), of: invocation, on: screen
    ) { [weak self] output, end in
      self?.shell.verbEnded(words, output: output, end: end)
      self?.frames?.setNeedsFrame(.key)
    }
  }

  /// The size, colours and glyphs of the current screen.
  private var screen: RunningScreen {
    RunningScreen(
      size: session.size, depth: session.screen.depth, isDark: session.facts.isDark,
      hasSynchronizedOutput: session.facts.hasSynchronizedOutput, glyphs: symbols.kind,
      prefersNoColor: model.invocation.prefersNoColor, identity: session.screen.identity)
  }
}
