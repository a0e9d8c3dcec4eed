import TerminalUI

@testable import CockpitPanes
@testable import CockpitShell

/// What lies over the tab, by what it is.
extension CockpitShell {
  /// The topmost menu, picker or form.
  var overlay: (any Overlay)? {
    get { layers.topmost as? any Overlay }
    set {
      layers = LayerStack()
      if let newValue { layers.push(newValue) }
    }
  }

  var help: HelpOverlay? { layers.first(HelpOverlay.self) }

  /// The form or question of MEMORY.
  var dialog: MemoryDialog? {
    get { layers.first(MemoryDialog.self) }
    set {
      layers.remove(MemoryDialog.self)
      if let newValue { layers.push(newValue) }
    }
  }

  /// The line after `:`.
  var commandLine: PromptLine? { layers.first(PromptLine.self) }

  var quitPrompt: QuitPrompt? { layers.first(QuitPrompt.self) }
}
