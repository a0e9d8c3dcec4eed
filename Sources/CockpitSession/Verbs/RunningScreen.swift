import TerminalCore

/// What a running cockpit knows of its terminal, for the verb that it runs as a child. The child's
/// streams are pipes, of which nobody wants to hear: `doctor` speaks of the screen that shows it.
package struct RunningScreen: Equatable {
  /// Hands it to the child.
  package static let variable = "CLANKY_COCKPIT_SCREEN"

  /// In linear mode there is no screen, only lines.
  package var isLinear = false
  package var size = Size(width: 0, height: 0)
  package var depth = ColorDepth.mono
  /// Nil when the terminal did not say.
  package var isDark: Bool?
  package var hasSynchronizedOutput = false
  package var glyphs = SymbolSet.Kind.unicode
  /// Whether the user wants no colours; the child is told so in any case.
  package var hasNoColorWish = false

  /// Words that a variable of the environment can have.
  package var text: String {
    guard !isLinear else { return "linear" }
    return [
      "columns=\(size.width)", "rows=\(size.height)", "depth=\(depth.rawValue)",
      "dark=\(isDark.map { $0 ? "1" : "0" } ?? "")", "frames=\(hasSynchronizedOutput ? 1 : 0)",
      "glyphs=\(glyphs.rawValue)", "nocolor=\(hasNoColorWish ? 1 : 0)",
    ].joined(separator: " ")
  }

  package init(
    size: Size, depth: ColorDepth, isDark: Bool?, hasSynchronizedOutput: Bool,
    glyphs: SymbolSet.Kind, hasNoColorWish: Bool
  ) {
    self.size = size
    self.depth = depth
    self.isDark = isDark
    self.hasSynchronizedOutput = hasSynchronizedOutput
    self.glyphs = glyphs
    self.hasNoColorWish = hasNoColorWish
  }

  /// Linear mode.
  package static let linear = RunningScreen()

  private init() { isLinear = true }

  /// Nil for whoever was started by a shell.
  package init?(environment: [String: String]) {
    guard let text = environment[Self.variable], !text.isEmpty else { return nil }
    guard text != "linear" else {
      self = .linear
      return
    }
    let words = text.split(separator: " ").map { word in
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    let values = Dictionary(words) { first, _ in first }
    guard let columns = values["columns"].flatMap({ Int($0) }),
      let rows = values["rows"].flatMap({ Int($0) }),
      let depth = values["depth"].flatMap({ Int($0) }).flatMap(ColorDepth.init(rawValue:)),
      let glyphs = values["glyphs"].flatMap(SymbolSet.Kind.init(rawValue:))
    else { return nil }
    self.init(
      size: Size(width: columns, height: rows), depth: depth,
      isDark: values["dark"].flatMap { $0.isEmpty ? nil : $0 == "1" },
      hasSynchronizedOutput: values["frames"] == "1", glyphs: glyphs,
      hasNoColorWish: values["nocolor"] == "1")
  }
}
