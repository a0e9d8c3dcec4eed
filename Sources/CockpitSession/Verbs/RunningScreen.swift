import TerminalCore

/// What a running cockpit knows about its terminal, for a verb that it runs: the verb itself has no
/// terminal, and `doctor` reports on the screen that shows it.
package struct RunningScreen: Equatable, Sendable {
  /// Whether this is linear mode, which has lines but no screen.
  package var isLinear = false
  package var size = Size(width: 0, height: 0)
  package var depth = ColorDepth.mono
  /// nil if the terminal did not report it.
  package var isDark: Bool?
  package var hasSynchronizedOutput = false
  package var glyphs = SymbolSet.Kind.unicode
  /// Whether the user disabled colours; a verb inside a cockpit prints none in any case.
  package var prefersNoColor = false
  /// The terminal; nil in linear mode. ncurses must not be queried again while it has a screen.
  package var identity: TerminalIdentity?

  package init(
    size: Size, depth: ColorDepth, isDark: Bool?, hasSynchronizedOutput: Bool,
    glyphs: SymbolSet.Kind, prefersNoColor: Bool, identity: TerminalIdentity?
  ) {
    self.size = size
    self.depth = depth
    self.isDark = isDark
    self.hasSynchronizedOutput = hasSynchronizedOutput
    self.glyphs = glyphs
    self.prefersNoColor = prefersNoColor
    self.identity = identity
  }

  /// Linear mode.
  package static let linear = RunningScreen()

  private init() { isLinear = true }
}
