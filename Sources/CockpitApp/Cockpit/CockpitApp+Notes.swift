import CockpitHistory
import CockpitPanes
import CockpitSession
import CockpitStores
import CockpitText
import TerminalCore

/// Marks and pins of the user, in the notes of what is recorded.
extension CockpitApp {
  package func carryOut(_ wish: HistoryNoteWish) {
    guard recording == nil else {
      return tell("this is a file; marks and pins are made in the recording of a bot")
    }
    let opened = connector.opened
    guard let folder = opened.settings.historyFolder(of: opened.name) else {
      return tell("there is no folder for what is recorded: set HOME, or [history] folder")
    }
    let atMs = replay?.atMs ?? model.bot.serverNowMs
    let clock = settings.clock
    let when = clock.day(ms: atMs) + " " + clock.time(ms: atMs)
    Task {
      let result = await OwnThread.run { () -> Result<PlainText, HistoryError> in
        Result { () throws(HistoryError) in
          // Without a recording there is nothing to mark.
          _ = try HistoryFolder(folder).span()
          return try Self.add(wish, atMs: atMs, when: when, to: folder)
        }
      }
      switch result {
      case .success(let words):
        replay?.notesChanged()
        tell(words)
      case .failure(let error):
        tell(PlainText("nothing was noted: \(whyNoPast(error))", limit: 300))
      }
    }
  }

  private nonisolated static func add(
    _ wish: HistoryNoteWish, atMs: Int64, when: PlainText, to folder: String
  ) throws(HistoryError) -> PlainText {
    switch wish {
    case .mark(let note):
      let id = try HistoryNotes.mark(atMs: atMs, note: note, in: folder)
      return "mark \(id) at " + when + "; :marks lists them"
    case .pin(let beforeMs, let note):
      let stretch = max(0, atMs - beforeMs)...atMs + HistoryNoteWish.afterMs
      let id = try HistoryNotes.pin(stretch, note: note, in: folder)
      return "pin \(id) keeps the recording before " + when
        + " and 2 min after; history unpin \(id) lets it go"
    }
  }
}
