import CockpitFiles
import CockpitPanes
import CockpitSession
import CockpitShell
import TerminalCore
import TerminalCurses

/// The settings of the profile on the screen: read, changed and used.
extension CockpitApp {
  func carryOut(_ request: ProfileSettingsRequest) {
    if request == .reconnect { return connectAnew() }
    let answer: ProfileSettingsAnswer
    do {
      answer = try self.answer(to: request)
    } catch {
      answer = .refused(PlainText("\(error)", limit: 400))
    }
    shell.take(answer)
    frames?.setNeedsFrame(.key)
  }

  private func answer(to request: ProfileSettingsRequest) throws -> ProfileSettingsAnswer {
    let file = try settingsFile()
    switch request {
    case .load, .reconnect: return .loaded(file.board(undo: settingsUndo))
    case .propose(let key, let value): return .proposed(try file.proposal(key, value))
    case .save(let key, let value):
      settingsUndo = try file.save(key, value)
      return .done(
        try settingsFile().board(undo: settingsUndo),
        PlainText("written: \(key); R reconnects with it", limit: 200))
    case .undo:
      guard let undo = settingsUndo else { return .refused("there is nothing to take back") }
      try file.takeBack(undo)
      settingsUndo = nil
      return .done(
        try settingsFile().board(undo: nil),
        PlainText("taken back: \(undo.key); R reconnects with it", limit: 200))
    }
  }

  /// Reads the file anew for every request: another program may have edited it.
  private func settingsFile() throws -> ProfileSettingsFile {
    try ProfileSettingsFile(connector.opened.settings, now: try connector.configurationNow())
  }

  private func connectAnew() {
    connector.noteSaved(connector.current)
    switchProfile(to: connector.current)
  }
}
