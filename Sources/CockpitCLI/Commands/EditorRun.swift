import CockpitSession
import CTermSupport
import Children
import CockpitFiles
import Foundation
import TerminalCore
import TerminalCurses

/// A text in the user's editor, without a screen of ours around it.
@MainActor
struct EditorRun {
  private let settings: Settings

  init(_ settings: Settings) { self.settings = settings }

  /// The text from the editor; nil if unchanged.
  ///
  /// - Parameter keep: stores the text so far if a signal ends the program; false if it cannot.
  func edited(
    _ text: String, keep: @escaping @MainActor (String) -> Bool
  ) async throws(Failure) -> String? {
    let file: ExternalEdit
    do throws(FileError) {
      file = try ExternalEdit(text, variables: settings.environment)
    } catch {
      throw Failure(.failed, error.description)
    }
    // The keys of the terminal are the editor's: an interrupt there does not end this program.
    let (interrupt, quit) = (signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN))
    let environment = settings.environment
    let editor = ShellCommand.editor(environment).program([file.path], environment: environment)
    let end: LoanEnd
    do throws(ChildFailure) {
      let child = try Child.start(editor)
      let process = settings.process
      let signals = Self.endSignals { number in
        // The editor owns the terminal and would outlive us without a reader.
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

  /// The signals that end the program while an editor runs. SIGHUP stays ignored if it was, as
  /// `nohup` requires.
  private static func endSignals(_ end: @escaping @MainActor (Int32) -> Void) -> CaughtSignals {
    CaughtSignals([SIGTERM, SIGHUP].filter { !cterm_is_ignored($0) }, take: end)
  }
}
