internal import Networking
package import ClankyWire

/// An unfinished change of a fact: the text of the form, and the fact when the form was opened. It
/// is saved to disk as soon as it differs (promise P8).
package struct FactDraft: Hashable, Sendable {
  /// The texts of the form, as typed.
  package var edit: FactEdit
  /// The confidence as typed; `edit.confidence` is its number.
  package var confidenceText: String
  /// The fact when editing began, for comparison with a re-read fact.
  package var base: Fact
  /// When it was last changed, in ms since 1970.
  package var changedAtMs: Int64

  package init(edit: FactEdit, confidenceText: String, base: Fact, changedAtMs: Int64) {
    self.edit = edit
    self.confidenceText = confidenceText
    self.base = base
    self.changedAtMs = changedAtMs
  }

  package var factID: Int { edit.factID }

  /// Texts are compared scalar by scalar.
  package static func == (left: FactDraft, right: FactDraft) -> Bool {
    left.edit == right.edit && left.confidenceText.isIdentical(to: right.confidenceText)
      && left.base == right.base && FactContent(left.base) == FactContent(right.base)
      && left.changedAtMs == right.changedAtMs
  }

  /// A field that still contains the placeholder of the redacted dashboard token: edits are sent
  /// whole, so it would overwrite text that the user has never seen.
  ///
  /// - Parameter base: the fact that the edit replaces.
  func hidden(in base: Fact) -> FactProblem.Field? {
    FactContent(base).texts.first { field, text in
      text.contains(TokenText.standIn)
        && FactContent(edit).texts[field]?.contains(TokenText.standIn) == true
    }?.key
  }
}
