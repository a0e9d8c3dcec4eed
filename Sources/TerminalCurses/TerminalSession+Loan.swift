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
    lend(to: pager, keeps: .ifBrief, whenDone)
  }

  /// Shows an image on the primary screen with `chafa`, in the best form that the terminal takes (kitty's protocol,
  /// sixels, or symbols), until a key is pressed.
  ///
  /// - Parameter image: the file's bytes; they reach the program through its standard input.
  /// - Returns: false if `chafa` is not installed.
  package func view(
    image: [UInt8], whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) -> Bool {
    guard !isClosed, loan == nil else { return true }
    guard let path = Program.find("chafa", environment: options.environment) else { return false }
    let file = cterm_open_scratch()
    guard file >= 0 else {
      whenDone(.notStarted(errno: errno))
      return true
    }
    defer { Foundation.close(file) }
    guard Self.write(image, to: file) else {
      whenDone(.notStarted(errno: errno))
      return true
    }
    // One line is for the question about a key.
    let room = "\(max(1, size.width))x\(max(1, size.height - 2))"
    var viewer = Program(
      path: path, arguments: ["--animate=off", "--size=\(room)", "-"],
      environment: options.environment)
    viewer.input = .descriptor(file)
    viewer.output = .inherited
    viewer.errors = .inherited
    viewer.hasOwnGroup = false
    lend(to: viewer, keeps: .always, whenDone)
    return true
  }

  /// What becomes of a program's output when it has exited.
  private enum KeptOutput {
    case never
    /// It stays until a key is pressed, if the program exited at once.
    case ifBrief
    /// It stays until a key is pressed.
    case always
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
    lend(to: editor, keeps: .never, whenDone)
  }

  private func lend(
    to program: Program, keeps: KeptOutput,
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
        let isKept = keeps == .always || keeps == .ifBrief && loan.isBrief
        guard isKept, end.status < 126 else {
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
    return write(bytes, to: file)
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
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
