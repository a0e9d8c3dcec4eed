import CockpitFiles
import CockpitPanes
import CockpitStores

/// The last resort for a draft that could not be written where drafts belong, when the program ends.
package enum DraftRecovery {
  /// Writes the text of a draft into the folder for temporary files.
  ///
  /// - Returns: where it is, as one sentence; or that it is lost.
  package static func words(for draft: FactDraft) -> String {
    let text = FactDocument(draft).text(about: "Fact \(draft.factID).")
    do throws(FileError) {
      let path = try SafeFile.writeTemporary(Array(text.utf8), suffix: ".txt")
      return "The draft of fact \(draft.factID) could not be kept; its text is in \(path)."
    } catch {
      return "The draft of fact \(draft.factID) is lost: \(error.description)."
    }
  }
}
