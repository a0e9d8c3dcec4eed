import CockpitDomain
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import CockpitVoice
import TerminalCurses

/// Answers to what waits at a gateway.
extension CockpitApp {
  /// The gateway; nil for a Clanky bot, and while the past is on the screen.
  private var controlled: (any ControlledSource)? {
    replay == nil ? model.bot.source as? any ControlledSource : nil
  }

  func decide(_ decision: ControlDecision) {
    let named = decision.source.map { name in
      replay == nil ? sources?.model(named: name)?.bot.source as? any ControlledSource : nil
    }
    guard let controlled = named ?? controlled else {
      return take(ControlOutcome(isDone: false, "Nothing can be answered here."))
    }
    controlled.decide(decision) { [weak self] in self?.take($0) }
  }

  func stopEverything() {
    // Microphone and loudspeaker first: that needs no answer of anybody.
    for model in sources?.members.map(\.model) ?? [self.shownModel] {
      model.chat?.perform(.voice(.cancel))
    }
    if let sources, replay == nil { return stopEverything(at: sources) }
    guard let controlled else {
      return take(
        ControlStep(number: 1, state: .impossible, "nothing can be stopped from here"))
    }
    controlled.stopEverything { [weak self] step in
      self?.shell.take(step)
      self?.frames?.setNeedsFrame(.key)
    }
  }

  private func take(_ outcome: ControlOutcome) {
    shell.take(outcome)
    frames?.setNeedsFrame(.key)
  }

  func take(_ step: ControlStep) {
    shell.take(step)
    frames?.setNeedsFrame(.key)
  }

  /// Connects the conversations to messages and input of the screen.
  func prepareChat(of model: CockpitModel) {
    model.chat?.say = { [weak self] in self?.tell($0) }
    model.chat?.giveBack = { [weak self, weak model] text in
      guard let self, let model else { return }
      give(back: text, to: model)
      frames?.setNeedsFrame(.key)
    }
    model.chat?.open(
      voice: settings, on: loop, clock: model.bot.clock
    ) { [weak self, weak model] text in
      guard let self, let model else { return }
      show(draft: text, of: model)
      frames?.setNeedsFrame(.key)
    }
  }
}
