import CTermSupport
import Children
import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// How lending the terminal ended.
package enum LoanEnd: Hashable, Sendable {
  /// The program ended, with this status; 127 when the shell did not find it.
  case ended(status: Int32)
  /// It could not be started.
  case notStarted(errno: Int32)
}

/// A program that has the terminal for a while.
struct TerminalLoan {
  let child: Child
  private let start = DispatchTime.now()

  init(_ child: Child) { self.child = child }

  /// Whether it has been seen reading single keys, as a pager does that waits.
  var readsKeys = false

  /// Whether it ends sooner than a person would have ended it.
  var isBrief: Bool {
    !readsKeys && DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds < 500_000_000
  }

  /// Ends the program and waits a fifth of a second for it to tidy up.
  func end() { child.end(with: SIGTERM, patience: 200) }
}

extension TerminalSession {
  /// Lends the terminal to the user's pager (`PAGER`, else `less`) and takes it again when that ends.
  /// Meanwhile no frame is drawn, no key is read, and Ctrl-C is the pager's; the main queue goes on.
  /// A pager that ends at once, as `cat` does and `less -F` with a short text, leaves its text on the
  /// ordinary screen until a key is pressed.
  ///
  /// - Parameter lines: what to show. Only `PlainText` gets there: a pager may pass on whatever
  ///   it reads.
  package func page(
    _ lines: [PlainText], whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    guard !isClosed, loan == nil else { return }
    // A file and not a pipe: nobody has to feed it, and it can be read backwards at once.
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
    lend(to: pager, isLeftToBeRead: true, whenDone)
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
    lend(to: editor, isLeftToBeRead: false, whenDone)
  }

  /// - Parameter isLeftToBeRead: whether a key is waited for when the program ends at once.
  private func lend(
    to program: Program, isLeftToBeRead: Bool,
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
      // By now `less -F` with a short text has ended, and `less` that waits has not.
      loanTimer = timer(after: .milliseconds(150)) { session in
        session.loan?.readsKeys = !session.isCooked
      }
      loan.child.whenOver { [weak self] end in
        guard let self, !isClosed, let loan = self.loan else { return }
        let done: @MainActor @Sendable () -> Void = {
          whenDone(.ended(status: end.status))
        }
        // A failure has a sentence of its own, and an interrupt was a key already.
        guard isLeftToBeRead, loan.isBrief, end.status < 126 else {
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

  /// Whether the terminal gives its input by lines.
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

  /// Leaves what a program has written on the ordinary screen until a key is pressed.
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
