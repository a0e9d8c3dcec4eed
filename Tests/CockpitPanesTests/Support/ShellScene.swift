import TerminalCore
import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell

/// Facts that a shell is drawn with after keys.
@MainActor
protocol ShellScene {
  mutating func facts(_ shell: CockpitShell) -> ViewContext
}

extension ShellScene {
  /// The screen after these keys.
  mutating func draw(_ shell: inout CockpitShell, keys: String = "") -> Canvas {
    for word in keys.split(separator: " ") {
      guard let chord = try? KeyChord(parsing: String(word)) else { continue }
      for press in chord.presses {
        let frame = frame(&shell)
        _ = shell.handle(.key(press.key, press.modifiers), on: facts(shell), frame: frame)
      }
    }
    return frame(&shell).canvas
  }

  private mutating func frame(_ shell: inout CockpitShell) -> Frame {
    for _ in 0..<2 { _ = shell.update(facts(shell), size: shell.size) }
    return shell.render(facts(shell), size: shell.size)
  }
}
