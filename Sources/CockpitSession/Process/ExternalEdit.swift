import Children
import CockpitFiles
import Foundation
import TerminalCore
import TerminalCurses

/// A text that the user's editor has for a while, as a private file that is removed afterwards.
@MainActor
package final class ExternalEdit {
  package let path: String
  private let original: [UInt8]
  private let variables: [String: String]

  /// - Parameter variables: they name the editor.
  /// - Throws: when the file cannot be written.
  package init(_ text: String, variables: [String: String]) throws(FileError) {
    self.variables = variables
    original = Array(text.utf8)
    path = try SafeFile.writeTemporary(original, suffix: ".txt")
  }

  /// Reads the text back and removes the file, unless it was written but not adopted.
  ///
  /// - Returns: the text, or nil if it is unchanged or the editor failed; and a note for the user.
  package func finish(_ end: LoanEnd) -> (text: String?, note: PlainText?) {
    if let problem = problem(end) {
      // Many editors exit like this when told to discard the text, but not all of them, and not
      // always.
      guard let left = abandon() else { return (nil, problem) }
      return (nil, left + "; " + problem)
    }
    var isKept = false
    defer { if !isKept { SafeFile.remove(path) } }
    do throws(FileError) {
      guard let bytes = try SafeFile.read(path) else {
        return (nil, "the editor removed the file; nothing was taken over")
      }
      guard bytes != original else { return (nil, nil) }
      guard let text = String(bytes: bytes, encoding: .utf8) else {
        isKept = true
        return (nil, PlainText("the file is not UTF-8 and was left at \(path)"))
      }
      return (text, nil)
    } catch {
      return (nil, PlainText(error.description))
    }
  }

  private func problem(_ end: LoanEnd) -> PlainText? {
    switch end {
    case .ended(status: 0): nil
    case .ended(let status) where ShellCommand.isMissing(status):
      PlainText(
        ShellCommand.editor(variables)
          .missing("editor", names: "VISUAL or EDITOR"), limit: 300)
    case .ended(let status):
      PlainText("the editor ended with status \(status); nothing was taken over")
    case .notStarted(let number): PlainText("no editor could be started (error \(number))")
    }
  }

  /// The program ends while the editor is open: adopts what was written so far, or leaves the file
  /// if that fails.
  ///
  /// - Parameter keep: stores the text; false if it cannot.
  /// - Returns: a note for the user; nil if nothing was written.
  package func rescue(_ keep: (String) -> Bool) -> PlainText? {
    // An unreadable file is left in place and reported, like any other failure.
    guard let bytes = try? SafeFile.read(path), bytes != original,
      let text = String(bytes: bytes, encoding: .utf8), keep(text)
    else { return abandon() }
    SafeFile.remove(path)
    return "what you wrote in the editor is kept as a draft"
  }

  /// Leaves the written file in place; removes an untouched one.
  ///
  /// - Returns: the location of the file; nil if nothing was written.
  package func abandon() -> PlainText? {
    let bytes: [UInt8]?
    do throws(FileError) {
      bytes = try SafeFile.read(path)
    } catch {
      return PlainText("your text may be in \(path)")
    }
    guard let bytes, bytes != original else {
      SafeFile.remove(path)
      return nil
    }
    return PlainText("what you wrote in the editor is in \(path)")
  }
}
