import Children
import CockpitPanes
import CockpitShell
import CockpitSession
import CockpitFiles
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

  /// Messages for standard error after exit: the fate of the text in an open editor when a signal
  /// ended the program, and drafts that could not be saved.
  package func lastWords() -> [PlainText] {
    let words = externalEdit?.rescue { keepAsDraft($0) }
    externalEdit = nil
    return [words, setAsideText?.words].compactMap(\.self) + rescuedDrafts()
  }

  /// Adopts an editor's text as if the editor had exited; false if the text is then on no disk.
  private func keepAsDraft(_ text: String) -> Bool {
    for effect in shell.edited(text, on: facts) {
      switch effect {
      case .memory(.keep(let draft)):
        model.bot.memoryService.perform(.keep(draft))
        return !model.bot.memory.unsavedDrafts.contains(draft.factID)
      case .settings(let request):
        model.bot.settingsService.perform(request)
        return model.bot.settingsService.hasDraftFile
      default: break
      }
    }
    return false
  }

  /// A user who was asked and quit anyway has discarded the drafts.
  private func rescuedDrafts() -> [PlainText] {
    guard endCode != 0 || !shell.isConfirmingQuit else { return [] }
    return model.bot.memory.unsavedDrafts.sorted().compactMap { id in
      model.bot.memory.drafts[id].map { PlainText(DraftRecovery.words(for: $0)) }
    }
  }

  /// Shows a text in the user's pager.
  func page(_ text: String) {
    session.page(PlainText.lines(text)) { [weak self] end in
      guard let self else { return }
      switch end {
      case .ended(let status) where ShellCommand.isMissing(status):
        let pager = ShellCommand.pager(settings.environment)
        shell.note(PlainText(pager.missing("pager", names: "PAGER"), limit: 300))
      case .notStarted(let number):
        shell.note(PlainText("no pager could be started (error \(number))"))
      case .ended: break
      }
      frames?.setNeedsFrame(.key)
    }
  }
}
