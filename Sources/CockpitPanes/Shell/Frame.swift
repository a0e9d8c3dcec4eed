import TerminalCore

/// A drawn screen and what can be clicked on it.
///
/// Drawing a pane gives both at once, so what the mouse hits is what the eye sees.
package struct Frame: Sendable {
  /// Something on the screen that answers to the mouse.
  package enum Target: Hashable, Sendable {
    case tab(Tab)
    case hint(CockpitCommand)
    case help
    case pulse(PulsePane.Target)
    case voice(VoicePane.Target)
    case brain(BrainPane.Target)
    case memory(MemoryPane.Target)
    case command(CommandPane.Target)
    /// An item of the overlay, by its number.
    case overlay(Int)
  }

  package var canvas: Canvas
  package private(set) var targets: [(area: Rect, target: Target)] = []
  /// The minute in which all but the header stays as it is while nothing but the time changes; nil
  /// where it depends on the second.
  var stillMinuteMs: Int64?
  /// How many of the targets are the header's.
  var headerTargets = 0

  package init(size: Size, symbols: SymbolSet = .unicode) {
    canvas = Canvas(size: size, symbols: symbols)
  }

  /// Says that a click into `area`, in cells of the whole screen, means `target`.
  package mutating func mark(_ area: Rect, _ target: Target) {
    guard !area.isEmpty else { return }
    targets.append((area, target))
  }

  /// What is under a position, topmost first.
  package func targets(x: Int, y: Int) -> [Target] {
    targets.reversed().filter { $0.area.contains(x: x, y: y) }.map(\.target)
  }

  /// Draws the header anew; all else stays.
  mutating func replaceHeader(_ draw: (inout Frame) -> Void) {
    let rest = targets[headerTargets...]
    targets = []
    draw(&self)
    headerTargets = targets.count
    targets += rest
  }

  /// Forgets what can be clicked: an overlay covers it.
  package mutating func cover() { targets = [] }
}
