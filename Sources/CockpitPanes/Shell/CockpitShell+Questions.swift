import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Asks before quitting while something is unfinished.
  @MainActor mutating func asked(_ effects: [Effect], _ facts: Facts) -> [Effect] {
    guard effects.contains(.quit), quitPrompt == nil else { return effects }
    let work = UnfinishedWork(facts.memory)
    guard !work.isEmpty else { return effects }
    if work.underWay == 0, work.unsaved == 0, heldAtQuit == .drop { return effects }
    let isSending = heldAtQuit == .send && work.unsaved == 0
    quitPrompt = QuitPrompt(isWaiting: isSending)
    return effects.filter { $0 != .quit } + (isSending ? [.finishAndQuit] : [])
  }

  @MainActor mutating func answer(_ press: KeyPress, _ facts: Facts) -> [Effect] {
    switch quitPrompt?.press(press, on: facts) {
    case .stay, nil: return []
    case .leave:
      quitPrompt = nil
      return []
    case .quit: return [.quit]
    case .finish: return [.finishAndQuit]
    }
  }

  /// Whether something on the screen waits for a yes.
  var isAsking: Bool { quitPrompt != nil || memory.isAsking || layers.isQuestion }

  /// Whether an event came together with the one that opened the question on the screen: it was typed, or
  /// pasted into a terminal that does not mark pastes, before anybody could have read that.
  mutating func isTooEarly(_ read: Int?) -> Bool {
    guard let question = readOfQuestion else { return false }
    if question == read { return true }
    readOfQuestion = nil
    return false
  }
}
