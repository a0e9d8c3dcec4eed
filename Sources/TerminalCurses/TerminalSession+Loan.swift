import CTermSupport
import Children
import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// How a program that borrowed the terminal ended.
package enum LoanEnd: Hashable, Sendable {
  /// The program exited with this status; 127 if the shell did not find it.
  case ended(status: Int32)
  /// The program could not be started.
  case notStarted(errno: Int32)
}

/// A child program that owns the terminal.
struct TerminalLoan {
  let child: Child
  private let start = DispatchTime.now()

  init(_ child: Child) { self.child = child }

  /// Whether it was seen in a non-canonical input mode, as a waiting pager is.
  var readsKeys = false

  /// Whether it exited too soon to have been quit by the user.
  var isBrief: Bool {
    !readsKeys && DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds < 500_000_000
  }

  /// Terminates the program, waiting 200 ms for it to clean up.
  func end() { child.end(with: SIGTERM, patience: 200) }
}

extension TerminalSession {
  /// Runs the user's pager (`PAGER`, else `less`) on the terminal and reclaims it when the pager exits.
  /// Meanwhile no frame is drawn, no key is read, and Ctrl-C goes to the pager; the main queue keeps
  /// running. If the pager exits at once, as `cat` does and `less -F` with a short text, its output
  /// stays on the primary screen until a key is pressed.
  ///
  /// - Parameter lines: what to show; `PlainText`, because a pager may pass control bytes through.
  package func page(
    _ lines: [PlainText], whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    guard !isClosed, loan == nil else { return }
    // A file rather than a pipe: it needs no feeding, and the pager can seek in it.
    let file = cterm_open_scratch()
    guard file >= 0 else { return whenDone(.notStarted(errno: errno)) }
    defer { Foundation.close(file) }
    guard Self.write(lines.map(readable), to: file) else {
      return whenDone(.notStarted(errno: errno))
    }
    // The text is UTF-8 regardless of the locale.
    let environment = options.environment.merging(["LESSCHARSET": "utf-8"]) {
      $0.isEmpty ? $1 : $0
    }
    var pager = ShellCommand.pager(environment).program([], environment: environment)
    pager.input = .descriptor(file)
    lend(to: pager, keepsOutput: true, whenDone)
  }

  /// Lends the terminal to the user's editor (`VISUAL`, else `EDITOR`, else `vi`) with the file at
  /// `path`, as `page` does to the pager.
  package func edit(
    path: String, whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    guard !isClosed, loan == nil else { return }
    var editor = ShellCommand.editor(options.environment)
      .program([path], environment: options.environment)
    editor.input = .descriptor(options.input)
    lend(to: editor, keepsOutput: false, whenDone)
  }

  /// - Parameter keepsOutput: whether to wait for a key if the program exits at once.
  private func lend(
    to program: Program, keepsOutput: Bool,
    _ whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    keyboard?.wanted = []
    giveBack()
    cterm_disarm()
    standardError?.restore()
    cterm_lend_signals()
    do throws(ChildFailure) {
      let loan = TerminalLoan(try Child.start(program))
      self.loan = loan
      // By now `less -F` with a short text has exited; a `less` still running is waiting for keys.
      loanTimer = timer(after: .milliseconds(150)) { session in
        session.loan?.readsKeys = !session.isCooked
      }
      loan.child.whenOver { [weak self] end in
        guard let self, !isClosed, let loan = self.loan else { return }
        let done: @MainActor @Sendable () -> Void = {
          whenDone(.ended(status: end.status))
        }
        // Failures are reported separately, and an interrupt was already a key.
        guard keepsOutput, loan.isBrief, end.status < 126 else {
          reclaim()
          return done()
        }
        waitForKey(done)
      }
    } catch {
      reclaim()
      whenDone(.notStarted(errno: error.code))
    }
  }

  /// Whether the terminal is in canonical (line) mode.
  private var isCooked: Bool {
    var modes = termios()
    return tcgetattr(options.input, &modes) != 0 || modes.c_lflag & tcflag_t(ICANON) != 0
  }

  private func reclaim() {
    loan = nil
    loanTimer?.unset()
    cterm_reclaim_signals()
    takeAgain()
    keyboard?.wanted = .reading
  }

  /// Keeps the program's output on the primary screen until a key is pressed.
  private func waitForKey(_ done: @escaping @MainActor () -> Void) {
    loan = nil
    loanTimer?.unset()
    cterm_reclaim_signals()
    _ = cterm_make_raw(options.input)
    arm()
    standardError?.redirect()
    whenPlainEnds = done
    output.send("\r\n" + Self.keyQuestion)
    keyboard?.wanted = .reading
  }

  private static func write(_ lines: [PlainText], to file: Int32) -> Bool {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.description.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Foundation.write(file, $0.baseAddress, $0.count)
      }
      if count <= 0 {
        if errno == EINTR { continue }
        return false
      }
      start += count
    }
    return lseek(file, 0, SEEK_SET) == 0
  }
}
