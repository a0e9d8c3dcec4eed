import CockpitPanes
import CockpitStores
import TerminalCore

extension CockpitShell {
  /// Asks before quitting while something is unfinished.
  @MainActor mutating func confirmingQuit(_ effects: [Effect], _ facts: ViewContext) -> [Effect] {
    guard effects.contains(.quit), !isConfirmingQuit else { return effects }
    let work = UnfinishedWork(facts)
    guard !work.isEmpty else { return effects }
    if work.underWay == 0, work.unsaved == 0, heldAtQuit == .drop { return effects }
    let isSending = heldAtQuit == .send && work.unsaved == 0
    layers.push(QuitPrompt(isWaiting: isSending))
    return effects.filter { $0 != .quit } + (isSending ? [.finishAndQuit] : [])
  }

  /// Whether the question before quitting is open.
  package var isConfirmingQuit: Bool { layers.first(QuitPrompt.self) != nil }

  /// Whether something on the screen waits for a yes.
  var isAsking: Bool { layers.isQuestion }

  /// Whether an event arrived together with the one that opened the question on screen: it was
  /// typed, or pasted without bracketed paste, before the user could have read the question.
  mutating func isTooEarly(_ read: Int?) -> Bool {
    guard let question = readOfQuestion else { return false }
    if question == read { return true }
    readOfQuestion = nil
    return false
  }
}
