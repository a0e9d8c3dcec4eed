import CockpitSession
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the program when nobody can read its output any more: the terminal has hung up, even where
/// SIGHUP is ignored, or the other end of the pipe is gone. A filter learns that with its next line,
/// but a quiet stream may have none for a night.
enum ReaderWatch {
  /// Begins to watch stdout; nothing happens where that is a file, which needs no reader, or belongs to the
  /// cockpit that runs the verb.
  ///
  /// A thread that sleeps in poll(2) until then: a Dispatch source cannot wait for a hang-up alone, and
  /// keys that are typed at the terminal would wake it.
  static func start(in environment: Environment) {
    guard environment.scope == nil else { return }
    let isTerminal = environment.terminals.output
    var status = stat()
    guard fstat(STDOUT_FILENO, &status) == 0,
      isTerminal || [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT)
    else { return }
    let thread = Thread {
      var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
      while poll(&output, 1, -1) <= 0 {
        guard errno == EINTR else { return }
      }
      DispatchQueue.main.async {
        environment.end(isTerminal ? .exit(128 + SIGHUP) : .withoutReader)
      }
    }
    thread.stackSize = 64 << 10
    thread.start()
  }
}
