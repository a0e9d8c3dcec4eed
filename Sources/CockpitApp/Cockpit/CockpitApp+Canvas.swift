import CockpitDomain
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import TerminalCurses

/// What the user does on an agent's canvas.
extension CockpitApp {
  func carryOut(_ wish: CanvasWish) {
    // Bound before the drawing is encoded: the user may switch to another source meanwhile.
    guard replay == nil, let source = model.bot.source as? any CanvasSource else {
      return takeCanvas(ControlOutcome(isDone: false, "Nothing can be sent to this source."))
    }
    Task { [weak self] in
      switch await CanvasTouch.made(of: wish) {
      case .success(let touch): source.touch(touch) { self?.takeCanvas($0) }
      case .failure(let problem):
        self?.takeCanvas(ControlOutcome(isDone: false, problem.sentence))
      }
    }
  }

  /// Lends the terminal to `chafa`.
  func view(_ image: [UInt8]) {
    let isThere = session.view(image: image) { [weak self] end in
      guard let self else { return }
      switch end {
      case .ended(0): break
      case .ended(let status):
        takeCanvas(ControlOutcome(isDone: false, "chafa could not show it (status \(status))."))
      case .notStarted(let number):
        takeCanvas(ControlOutcome(isDone: false, "chafa could not be started (error \(number))."))
      }
      frames?.setNeedsFrame(.key)
    }
    if !isThere {
      takeCanvas(
        ControlOutcome(
          isDone: false, "chafa shows images better than half blocks: apt install chafa."))
    }
  }

  private func takeCanvas(_ outcome: ControlOutcome) {
    shell.takeCanvas(outcome)
    frames?.setNeedsFrame(.key)
  }
}
