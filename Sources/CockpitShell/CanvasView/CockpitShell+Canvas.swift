import CockpitDomain
import CockpitPanes
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Shows what an agent has drawn, with the pencil if the user wants to draw.
  @MainActor mutating func openCanvas(draws: Bool, _ facts: ViewContext) {
    guard facts.hasCanvas || facts.canvas != nil else {
      note("no agent of this source draws")
      return
    }
    guard layers.first(CanvasOverlay.self) == nil else {
      if draws { layers.change(CanvasOverlay.self) { $0.startDrawing() } }
      return
    }
    layers.push(CanvasOverlay(draws: draws))
  }

  /// The outcome of something that was done on a canvas.
  package mutating func takeCanvas(_ outcome: ControlOutcome) {
    layers.change(CanvasOverlay.self) { $0.take(outcome) }
  }
}
