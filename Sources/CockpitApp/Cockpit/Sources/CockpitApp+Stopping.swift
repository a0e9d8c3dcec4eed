import CockpitDomain
import CockpitPanes
import CockpitSession
import CockpitShell
import CockpitStores
import TerminalCore
import TerminalCurses

/// `!!!` with several sources.
extension CockpitApp {
  /// Numbers of steps that one source may have.
  private static let stepsOfSource = 1_000_000

  /// Stops all sources at the same time. The steps of each begin with its name.
  func stopEverything(at sources: LiveSources) {
    for (index, member) in sources.members.enumerated() {
      let first = index * Self.stepsOfSource
      guard let gateway = member.model.bot.source as? any ControlledSource else {
        take(
          ControlStep(
            number: first, state: .impossible,
            member.model.isChatServer
              ? "\(member.name): a chat server has nothing that runs on; Ctrl-C in the conversation ends an answer"
              : "\(member.name): a Clanky bot cannot be stopped by its API; stop its process where it runs"
          ))
        continue
      }
      guard !member.opened.settings.isReadOnly else {
        take(
          ControlStep(
            number: first, state: .impossible,
            "\(member.name): its profile is read-only, so nothing was stopped there"))
        continue
      }
      gateway.stopEverything { [weak self] step in
        var step = step
        step.number = first + min(step.number, Self.stepsOfSource - 1)
        step.sentence = "\(member.name): \(step.sentence)"
        self?.take(step)
      }
    }
  }
}
