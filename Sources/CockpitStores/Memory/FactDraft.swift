internal import Networking
package import ClankyWire

/// A change of a fact that somebody has begun and not finished: the text of the form, and the fact
/// as it was when the form was opened. It is on the disk as soon as it differs (promise P8).
package struct FactDraft: Hashable, Sendable {
  /// The texts of the form, as typed.
  package var edit: FactEdit
  /// What was typed for the confidence; `edit.confidence` is its number.
  package var confidenceText: String
  /// The fact as it was when editing began: what a re-read fact is compared with.
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

  /// Texts count as they are spelled.
  package static func == (left: FactDraft, right: FactDraft) -> Bool {
    left.edit == right.edit && left.confidenceText.isSame(as: right.confidenceText)
      && left.base == right.base && FactContent(left.base) == FactContent(right.base)
      && left.changedAtMs == right.changedAtMs
  }

  /// A text that still has what stands in place of the dashboard token: sent back whole, as every edit
  /// is, it would take the place of words that nobody here has seen.
  ///
  /// - Parameter base: the fact that the edit is to replace.
  func hidden(in base: Fact) -> FactProblem.Field? {
    FactContent(base).texts.first { field, text in
      text.contains(TokenText.standIn)
        && FactContent(edit).texts[field]?.contains(TokenText.standIn) == true
    }?.key
  }
}
