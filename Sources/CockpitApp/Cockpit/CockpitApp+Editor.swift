import CockpitSession
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation
import TerminalCore
import TerminalCurses

/// The user's editor, and that nothing written there is lost.
extension CockpitApp {
  package func edit(_ text: String) {
    do throws(FileError) {
      let edit = try ExternalEdit(text, variables: settings.environment)
      externalEdit = edit
      session.edit(path: edit.path) { [weak self] end in
        guard let self else { return }
        externalEdit = nil
        let (text, note) = edit.finish(end)
        // A form that gets no text says that the editor has changed nothing.
        let effects = note == nil ? shell.edited(text, on: facts) : []
        for effect in effects { carryOut(effect) }
        shell.note(note)
        if text != nil { keepWhatIsUnread() }
        frames?.setNeedsFrame(.key)
      }
    } catch {
      shell.note(PlainText(error.description))
    }
  }

  /// Text that cannot be read is in the form alone, which a closed terminal takes along.
  private func keepWhatIsUnread() {
    setAsideText?.remove()
    setAsideText = shell.unreadText.map(SetAsideText.init)
    if let setAsideText { shell.note(setAsideText.words) }
  }

  /// What to tell the user on standard error after the end: what became of the text that an editor had
  /// when a signal ended the program, and drafts that could not be written where they belong.
  package func lastWords() -> [PlainText] {
    let words = externalEdit?.rescue { keepAsDraft($0) }
    externalEdit = nil
    return [words, setAsideText?.words].compactMap(\.self) + rescuedDrafts()
  }

  /// Keeps what an editor has written as if it had ended; false when it is on no disk then.
  private func keepAsDraft(_ text: String) -> Bool {
    for case .memory(.keep(let draft)) in shell.edited(text, on: facts) {
      model.bot.desk.perform(.keep(draft))
      return !model.bot.memory.unsavedDrafts.contains(draft.factID)
    }
    return false
  }

  /// Whoever was asked and left nevertheless wants them no more.
  private func rescuedDrafts() -> [PlainText] {
    guard endCode != 0 || !shell.isAskedToQuit else { return [] }
    return model.bot.memory.unsavedDrafts.sorted().compactMap { id in
      model.bot.memory.drafts[id].map { PlainText(DraftRecovery.words(for: $0)) }
    }
  }
}
