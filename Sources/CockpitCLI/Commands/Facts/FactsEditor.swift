import CockpitSession
import ClankyWire
import CockpitFiles
import CockpitPanes
import CockpitStores
import Foundation
import TerminalCore

/// A fact in the user's editor, without a screen of ours around it.
@MainActor
struct FactsEditor {
  private let session: FactsSession

  init(_ session: FactsSession) { self.session = session }

  /// Opens the fact, or its existing draft, and asks whether to send the result.
  ///
  /// - Throws: exit code 1 if nothing is to be sent; a changed text is saved as a draft then.
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
        session.memoryService.perform(.keep(draft))
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

  /// What happened to a draft that is not sent.
  private func kept(_ draft: FactDraft) -> String {
    session.store.unsavedDrafts.contains(draft.factID)
      ? DraftRecovery.words(for: draft) : "The draft is kept, and opens with the next edit."
  }

  /// Opens the draft repeatedly until the result can be parsed.
  ///
  /// - Returns: whether it changed.
  private func change(_ current: inout FactDraft, of fact: Fact) async throws(Failure) -> Bool {
    let draft = current
    let shown = FactDocument(draft)
    let original = shown.text(about: FactsText(session).title(fact).description)
    var text = original
    var setAside: SetAsideText?
    while true {
      text =
        try await EditorRun(session.settings).edited(text) {
          isKept($0, instead: shown, in: draft)
        } ?? text
      guard !text.isIdentical(to: original) else { return false }
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

  /// Saves the editor's text so far as a draft; false if that fails.
  private func isKept(_ text: String, instead shown: FactDocument, in draft: FactDraft) -> Bool {
    // A text that cannot be read stays in its file, which is named.
    guard let read = try? FactDocument.read(text) else { return false }
    var draft = draft
    take(read, instead: shown, into: &draft)
    session.memoryService.perform(.keep(draft))
    return !session.store.unsavedDrafts.contains(draft.factID)
  }

  private static func sentence(_ words: PlainText) -> String {
    let text = words.description
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// Adopts changed fields only: the file omits characters that would act on a terminal, so an
  /// untouched text keeps its original.
  private func take(
    _ read: FactDocument, instead shown: FactDocument, into draft: inout FactDraft
  ) {
    if !read.subject.isIdentical(to: shown.subject) { draft.edit.subject = read.subject }
    if !read.type.isIdentical(to: shown.type) { draft.edit.factType = read.type }
    if !read.evidence.isIdentical(to: shown.evidence) { draft.edit.evidenceText = read.evidence }
    if !read.fact.isIdentical(to: shown.fact) { draft.edit.fact = read.fact }
    if !read.confidence.isIdentical(to: shown.confidence) {
      draft.confidenceText = read.confidence
      draft.edit.confidence = FactFieldsOptions.number(read.confidence)
    }
    draft.changedAtMs = session.nowMs
  }
}
