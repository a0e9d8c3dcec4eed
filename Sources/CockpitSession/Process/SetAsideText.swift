import CockpitFiles
import TerminalCore

/// What an editor has left and nobody could read: on the disk until a text that can be read takes its place, so that
/// no ending of the program loses it (promise P8).
package struct SetAsideText {
  /// Where it is, or why it is nowhere.
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
