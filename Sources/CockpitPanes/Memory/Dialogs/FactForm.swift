import TerminalUI
import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The form of one fact: five fields, a row of buttons, and the outcome once it was sent.
///
/// Every change is saved as a draft at once, so closing the form, a crash or a signal loses nothing
/// (promise P8). Only Ctrl-S, or Enter on [SEND], sends.
package struct FactForm: Hashable, Sendable {
  typealias Field = FactFields.Field

  enum Action: Hashable, Sendable { case send, editor, drop, close }

  enum Focus: Hashable, Sendable {
    case field(Field)
    case button(Action)
  }

  /// How the form was opened, for the line that says so.
  enum Opening: Hashable, Sendable {
    case fresh
    /// From a draft that was changed last at this time, in ms since 1970.
    case draft(changedAtMs: Int64)
  }

  let factID: Int
  let target: FactTarget
  /// The fact that the form started from: a re-read fact is compared with it.
  var base: Fact
  var opening: Opening
  var fields: FactFields
  var focus = Focus.field(.fact)
  /// The field that was typed into last: letters that are typed on a button go there.
  var lastField = Field.fact
  var history = FieldHistory()
  /// The result of the last key if it is not otherwise visible.
  var message: PlainText?
  /// Ctrl-X was pressed: the next key belongs to it, as in readline.
  var isAfterControlX = false
  /// A button that destroys text was pressed once; the second time it does so.
  var armed: AnswerAction?
  /// A file that the user's editor left and that cannot be read: it is opened again.
  package var unreadable: String?
  /// Where the focus is while an outcome is shown; nil is the first button.
  var answer: AnswerAction?
  /// The first line in sight of an outcome.
  var scroll = 0
  /// When the fact was requested again after an unknown outcome.
  var isReadingAgain = false

  /// nil if nothing can be edited: read-only, or a fact without identity.
  @MainActor init?(_ fact: Fact, on facts: ViewContext) {
    guard !facts.isReadOnly, let id = fact.id else { return nil }
    let current = facts.memory.facts[id]?.fact ?? fact
    let draft = facts.memory.changes[id]?.draft ?? facts.memory.drafts[id]
    if let draft {
      self.init(starting: draft.edit, base: draft.base)
      opening = .draft(changedAtMs: draft.changedAtMs)
      let isUntouched = draft.edit.confidence == draft.base.confidence
      fields = FactFields(
        draft.edit,
        confidenceText: isUntouched
          ? ConfidenceText.text(draft.base.confidence) : draft.confidenceText)
      return
    }
    // Without a guild the form shows what is missing, and does not send.
    let target = facts.memory.target(of: current) ?? .guild("")
    guard let edit = FactEdit(editing: current, target: target) else { return nil }
    self.init(starting: edit, base: current)
  }

  /// A fresh form, without a draft.
  private init(starting edit: FactEdit, base: Fact) {
    factID = edit.factID
    target = edit.target
    self.base = base
    opening = .fresh
    fields = FactFields(edit, confidenceText: ConfidenceText.text(base.confidence))
  }

  // MARK: Content

  var edit: FactEdit {
    var edit = fields.edit(of: factID, target)
    // An untouched confidence keeps its exact value although it is displayed rounded.
    if fields[.confidence].text == ConfidenceText.text(base.confidence) {
      edit.confidence = base.confidence
    }
    return edit
  }

  /// The fact when the form was opened, as an edit; equal to `edit` if nothing changed.
  var baseEdit: FactEdit {
    FactEdit(
      factID: factID, target: target, subject: base.subject ?? "", fact: base.fact ?? "",
      factType: base.factType?.rawValue ?? "", evidenceText: base.evidenceText ?? "",
      confidence: base.confidence)
  }

  var isChanged: Bool { edit.normalized != baseEdit.normalized }

  @MainActor func draft(_ facts: ViewContext) -> FactDraft {
    FactDraft(
      edit: edit, confidenceText: fields[.confidence].text, base: base,
      changedAtMs: facts.nowMs)
  }

  /// The effect that saves the draft, or drops it if it equals the fact.
  @MainActor func keeping(_ facts: ViewContext) -> [Effect] {
    [.memory(isChanged ? .keep(draft(facts)) : .dropDraft(factID: factID))]
  }

  /// Resets the form to a fact, for example after it was stored.
  mutating func restart(from fact: Fact) {
    let edit = FactEdit(editing: fact, target: target) ?? baseEdit
    self = FactForm(starting: edit, base: fact)
  }

  // MARK: Changing

  /// Changes a field, notes it for undo and keeps the draft.
  @MainActor mutating func change(
    _ field: Field, _ kind: FieldHistory.Kind, _ facts: ViewContext,
    _ body: (inout TextField) -> Void
  ) -> [Effect] {
    let before = fields
    body(&fields[field])
    guard !fields[field].text.isIdentical(to: before[field].text) else { return [] }
    history.note(before, kind)
    return keeping(facts)
  }

  @MainActor mutating func paste(_ text: String, on facts: ViewContext) -> [Effect] {
    message = nil
    isAfterControlX = false
    armed = nil
    guard facts.memory.changes[factID] == nil else { return [] }
    if case .button = focus { focus = .field(lastField) }
    return change(lastField, .other, facts) { $0.paste(text) }
  }

  // MARK: The user's editor

  private var document: FactDocument {
    FactDocument(
      subject: fields[.subject].text, type: fields[.type].text,
      confidence: fields[.confidence].text, evidence: fields[.evidence].text,
      fact: fields[.fact].text)
  }

  /// Opens the text in the user's editor: once more the file that could not be read, if there is
  /// one.
  @MainActor mutating func openEditor(on facts: ViewContext) -> [Effect] {
    guard facts.memory.changes[factID] == nil else { return [] }
    let name = facts.names.subject(base.subject ?? "")
    return [.edit(text: unreadable ?? document.text(about: "Fact \(factID), \(name)."))]
  }

  @MainActor mutating func edited(_ text: String?, on facts: ViewContext) -> [Effect] {
    guard facts.memory.changes[factID] == nil else { return [] }
    guard let text else {
      message = "The editor left the text as it was."
      return []
    }
    do throws(FactDocument.Problem) {
      guard let new = try FactDocument.read(text) else {
        message = "The file was empty; the text is as it was."
        return []
      }
      unreadable = nil
      let before = fields
      let old = document
      take(new.subject, insteadOf: old.subject, .subject)
      take(new.type, insteadOf: old.type, .type)
      take(new.confidence, insteadOf: old.confidence, .confidence)
      take(new.evidence, insteadOf: old.evidence, .evidence)
      take(new.fact, insteadOf: old.fact, .fact)
      guard !fields.hasSameTexts(as: before) else {
        message = "The editor left the text as it was."
        return []
      }
      history.note(before, .other)
      history.pause()
      message = "The text of the editor is here; nothing is sent yet."
      return keeping(facts)
    } catch {
      unreadable = text
      message = PlainText(error.description + " [EDITOR] opens it again.")
      return []
    }
  }

  /// A field unchanged in the editor keeps the characters that the file could not hold.
  private mutating func take(_ new: String, insteadOf old: String, _ field: Field) {
    if !new.isIdentical(to: old) { fields[field] = TextField(new) }
  }
}
