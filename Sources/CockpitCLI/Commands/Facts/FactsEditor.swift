import CockpitSession
import CTermSupport
import Children
import ClankyWire
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation
import TerminalCore
import TerminalCurses

/// A fact in the user's editor, without a screen of ours around it.
@MainActor
struct FactsEditor {
  private let session: FactsSession

  init(_ session: FactsSession) { self.session = session }

  /// Opens the fact, or the draft of it that is still there, and asks whether to send what came
  /// back.
  ///
  /// - Throws: exit code 1 when nothing is to be sent; a changed text is kept as a draft then.
  func draft(of fact: Fact, _ edit: FactEdit) async throws(Failure) -> FactDraft {
    let id = edit.factID
    var draft =
      session.store.drafts[id]
      ?? FactDraft(
        edit: edit, confidenceText: ConfidenceText.text(edit.confidence), base: fact,
        changedAtMs: session.nowMs)
    let isResumed = session.store.drafts[id] != nil
    if isResumed {
      let sent =
        session.store.doubtfulEdits[id] == nil
        ? "" : " It was sent before, and what came of that is unknown; compare with the fact."
      session.output.complain("The draft of fact \(id) that was kept is opened again.\(sent)")
    }
    while true {
      if try await change(&draft, of: fact) {
        session.desk.perform(.keep(draft))
      } else if !isResumed, draft.edit == edit {
        throw Failure(.failed, "Nothing was changed, so nothing was sent.")
      }
      guard let problem = draft.edit.problems.first else { break }
      session.output.complain(problem.description)
      guard session.confirms("Open it again?") else {
        throw Failure(.usage, "Nothing was sent. \(kept(draft))")
      }
    }
    let text = FactsText(session)
    for line in text.content(draft.base) { session.output.remark("-" + line) }
    for line in text.content(draft.edit) { session.output.remark("+" + line) }
    guard session.confirms("Send this change?") else {
      throw Failure(.failed, "Nothing was sent. \(kept(draft))")
    }
    return draft
  }

  /// What became of a draft that is not sent.
  private func kept(_ draft: FactDraft) -> String {
    session.store.unsavedDrafts.contains(draft.factID)
      ? DraftRecovery.words(for: draft) : "The draft is kept, and opens with the next edit."
  }

  /// Opens the draft until what comes back can be read.
  ///
  /// - Returns: whether it changed.
  private func change(_ current: inout FactDraft, of fact: Fact) async throws(Failure) -> Bool {
    let draft = current
    let shown = FactDocument(draft)
    let original = shown.text(about: FactsText(session).title(fact).description)
    var text = original
    var setAside: SetAsideText?
    while true {
      text = try await edited(text) { isKept($0, instead: shown, in: draft) } ?? text
      guard !text.isSame(as: original) else { return false }
      let read: FactDocument?
      do throws(FactDocument.Problem) {
        read = try FactDocument.read(text)
      } catch {
        // Before the question: a signal may be the answer.
        let kept = SetAsideText(text)
        setAside?.remove()
        setAside = kept
        session.output.complain("\(error.description) \(Self.sentence(kept.words))")
        guard session.confirms("Open it again?") else {
          throw Failure(.usage, "Nothing was sent; \(kept.words).")
        }
        continue
      }
      setAside?.remove()
      guard let read else { throw Failure(.failed, "The file was empty, so nothing was sent.") }
      take(read, instead: shown, into: &current)
      return true
    }
  }

  /// Keeps what an editor has written so far as a draft; false when that is not possible.
  private func isKept(_ text: String, instead shown: FactDocument, in draft: FactDraft) -> Bool {
    // A text that cannot be read stays in its file, which is named.
    guard let read = try? FactDocument.read(text) else { return false }
    var draft = draft
    take(read, instead: shown, into: &draft)
    session.desk.perform(.keep(draft))
    return !session.store.unsavedDrafts.contains(draft.factID)
  }

  private static func sentence(_ words: PlainText) -> String {
    let text = words.description
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Takes over what differs: the file lacks what would act on a terminal, so a text that was not
  /// touched stays as it was.
  private func take(
    _ read: FactDocument, instead shown: FactDocument, into draft: inout FactDraft
  ) {
    if !read.subject.isSame(as: shown.subject) { draft.edit.subject = read.subject }
    if !read.type.isSame(as: shown.type) { draft.edit.factType = read.type }
    if !read.evidence.isSame(as: shown.evidence) { draft.edit.evidenceText = read.evidence }
    if !read.fact.isSame(as: shown.fact) { draft.edit.fact = read.fact }
    if !read.confidence.isSame(as: shown.confidence) {
      draft.confidenceText = read.confidence
      draft.edit.confidence = FactFieldsOptions.number(read.confidence)
    }
    draft.changedAtMs = session.nowMs
  }

  /// The text as the editor left it; nil when it is as it was.
  ///
  /// - Parameter keep: takes what is written so far when a signal ends the program; false when it
  ///   cannot.
  private func edited(
    _ text: String, keep: @escaping @MainActor (String) -> Bool
  ) async throws(Failure) -> String? {
    let file: ExternalEdit
    do throws(FileError) {
      file = try ExternalEdit(text, variables: session.settings.environment)
    } catch {
      throw Failure(.failed, error.description)
    }
    // The keys of the terminal are the editor's: an interrupt there does not end this program.
    let (interrupt, quit) = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    let environment = session.settings.environment
    let editor = ShellCommand.editor(environment).program([file.path], environment: environment)
    let end: LoanEnd
    do throws(ChildFailure) {
      let child = try Child.start(editor)
      let process = session.settings.process
      let signals = Self.endSignals { number in
        // It has the terminal, and would go on with nobody to read what it writes.
        child.end(with: SIGTERM, patience: 200)
        if let words = file.rescue(keep) { process.output.complain(words.description) }
        process.end(.exit(128 + number))
      }
      defer { signals.close() }
      let over = await withCheckedContinuation { continuation in
        child.whenOver { continuation.resume(returning: $0) }
      }
      end = .ended(status: over.status)
    } catch {
      end = .notStarted(errno: error.code)
    }
    signal(SIGINT, interrupt)
    signal(SIGQUIT, quit)
    let (result, note) = file.finish(end)
    if let note { throw Failure(.failed, note.description) }
    return result
  }

  /// What asks the program to end while an editor runs. SIGHUP stays ignored where it was: that is what
  /// `nohup` asks for.
  private static func endSignals(_ end: @escaping @MainActor (Int32) -> Void) -> CaughtSignals {
    CaughtSignals([SIGTERM, SIGHUP].filter { !cterm_is_ignored($0) }, take: end)
  }
}
