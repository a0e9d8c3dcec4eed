import CockpitFiles
import TerminalCore

/// Unreadable output of an editor. It stays on disk until a readable text replaces it, so that no
/// exit of the program loses it (promise P8).
package struct SetAsideText {
  /// A note that says where it is, or why it could not be kept.
  package let words: PlainText
  private let path: String?

  package init(_ text: String) {
    do throws(FileError) {
      let path = try SafeFile.writeTemporary(Array(text.utf8), suffix: ".txt")
      self.path = path
      words = PlainText("what you wrote in the editor is in \(path)")
    } catch {
      path = nil
      words = PlainText("what you wrote in the editor is on no disk: \(error.description)")
    }
  }

  package func remove() {
    if let path { SafeFile.remove(path) }
  }
}
