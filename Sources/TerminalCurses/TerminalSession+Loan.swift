import CTermSupport
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
final class TerminalLoan: Sendable {
  private let process: Int32
  private let over = DispatchSemaphore(value: 0)

  init(process: Int32) { self.process = process }

  /// Waits for the end, on a thread of its own: the main queue goes on draining the streams.
  func wait(_ whenOver: @escaping @MainActor @Sendable (Int32) -> Void) {
    // Not on a queue: the first use of Dispatch's pool wakes it every second from then on.
    Thread.detachNewThread { [process, over] in
      let status = cterm_wait(process)
      over.signal()
      DispatchQueue.main.async { MainActor.assumeIsolated { whenOver(status) } }
    }
  }

  /// Ends the program and waits a fifth of a second for it to tidy up.
  func end() {
    kill(process, SIGTERM)
    _ = over.wait(timeout: .now() + .milliseconds(200))
  }
}

extension TerminalSession {
  /// Reads standard input and shows it: the user's `PAGER`, else `less`. What is shown is UTF-8,
  /// whatever the locale says. `exec`, so that a signal from the keys meets the pager alone; no
  /// file names are expanded.
  private static let pager =
    "set -f; : \"${LESSCHARSET:=utf-8}\"; export LESSCHARSET; exec ${PAGER:-less}"

  /// Lends the terminal to the user's pager and takes it again when that ends. Meanwhile no frame
  /// is drawn, no key is read, and Ctrl-C is the pager's; the main queue goes on.
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
    lend(to: Self.pager, argument: nil, input: file, whenDone)
  }

  /// The user's `VISUAL`, else `EDITOR`, else `vi`, with one file. Both may hold options.
  private static let editor = "set -f; exec ${VISUAL:-${EDITOR:-vi}} \"$1\""

  /// Lends the terminal to the user's editor with the file at `path`, as `page` does to the pager.
  package func edit(
    path: String, whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    guard !isClosed, loan == nil else { return }
    lend(to: Self.editor, argument: path, input: options.input, whenDone)
  }

  private func lend(
    to script: String, argument: String?, input: Int32,
    _ whenDone: @escaping @MainActor @Sendable (LoanEnd) -> Void
  ) {
    keyboard?.wanted = []
    giveBack()
    cterm_disarm()
    standardError?.restore()
    cterm_lend_signals()
    let process = cterm_spawn_shell(script, argument, input)
    guard process > 0 else {
      reclaim()
      return whenDone(.notStarted(errno: -process))
    }
    let loan = TerminalLoan(process: process)
    self.loan = loan
    loan.wait { [weak self] status in
      guard let self, !isClosed else { return }
      reclaim()
      whenDone(.ended(status: status))
    }
  }

  private func reclaim() {
    loan = nil
    cterm_reclaim_signals()
    takeAgain()
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
