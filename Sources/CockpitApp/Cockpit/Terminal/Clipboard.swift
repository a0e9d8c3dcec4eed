import CockpitText
import CTermSupport
import CockpitFiles
import Foundation
import LenientJSON
import TerminalCore
import TerminalCurses

/// Puts text on the clipboard and says in one line which way it went and how much it was.
@MainActor
package final class Clipboard {
  /// Longer than a clipboard tool that works ever takes.
  private static let limit = Duration.seconds(2)

  private let session: TerminalSession
  private let environment: [String: String]
  /// The directory for text too long for the terminal; nil if there is none.
  private let state: String?
  /// Takes the line about how it went.
  package var say: (PlainText) -> Void = { _ in }
  private var running: BriefProcess?

  package init(session: TerminalSession, environment: [String: String], state: String?) {
    self.session = session
    self.environment = environment
    self.state = state
  }

  /// - Parameter what: names the text in the message.
  package func copy(_ text: String, what: PlainText) {
    let text = text.withoutHalves
    let route = ClipboardRoute(environment: environment) { access($0, X_OK) == 0 }
    guard case .tool(let tool, let path) = route else {
      return copyThroughTerminal(text, what, after: nil)
    }
    guard let input = Self.file(holding: text) else {
      return copyThroughTerminal(text, what, after: "no file could be made for \(tool.rawValue)")
    }
    running = BriefProcess(
      path, tool.arguments, environment: environment, input: input, limit: Self.limit
    ) { [weak self] end in
      guard let self else { return }
      running = nil
      switch end {
      case .ended(status: 0):
        say("copied \(what), \(Self.size(text)), with \(PlainText(tool.rawValue))")
      case .ended(let status):
        copyThroughTerminal(text, what, after: "\(tool.rawValue) failed with status \(status)")
      case .notStarted:
        copyThroughTerminal(text, what, after: "\(tool.rawValue) could not be started")
      case .tookTooLong:
        copyThroughTerminal(text, what, after: "\(tool.rawValue) did not end within 2 s")
      }
    }
  }

  /// - Parameter problem: why the preferred route failed.
  private func copyThroughTerminal(_ text: String, _ what: PlainText, after problem: String?) {
    let remark = problem.map { PlainText("; \($0)") } ?? ""
    let size = Self.size(text)
    let route = session.copy(text)
    switch route {
    case .terminal: say("copied \(what), \(size), through the terminal (OSC 52)" + remark)
    case .multiplexer:
      say("copied \(what), \(size), through tmux to the terminal (OSC 52)" + remark)
    case .screen:
      say("copied \(what), \(size), through screen to the terminal (OSC 52)" + remark)
    case .tooLong, .notHere:
      let reason: PlainText =
        route == .notHere
        ? "this terminal is not known to take a copy (OSC 52) of \(what)"
        : "\(what) has \(size), more than terminals take"
      guard let state else {
        return say(reason + " and there is no state directory to write it to" + remark)
      }
      let path = "\(state)/copied.txt"
      do throws(FileError) {
        try AtomicFile.replace(path, with: Array(text.utf8))
        say(reason + "; it is in \(PlainText(path, limit: 300))" + remark)
      } catch {
        say(reason + "; \(PlainText(error.description, limit: 300))" + remark)
      }
    }
  }

  private static func size(_ text: String) -> PlainText {
    Figures.count(text.utf8.count) + " B"
  }

  /// An unlinked file: the tool reads it without our feeding a pipe.
  private static func file(holding text: String) -> FileHandle? {
    let descriptor = cterm_open_scratch()
    guard descriptor >= 0 else { return nil }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: Data(text.utf8))
      try handle.seek(toOffset: 0)
      return handle
    } catch {
      return nil  // the terminal gets it instead, and the line says so
    }
  }
}
