import CockpitSession
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Ends the program when its output has no reader left: the terminal hung up, even if SIGHUP is
/// ignored, or the other end of the pipe closed. A filter notices with its next line, but a quiet
/// stream may have none for a night.
enum ReaderWatch {
  /// Starts watching stdout; no effect if that is a file, which needs no reader, or belongs to the
  /// cockpit that runs the verb.
  ///
  /// Uses a thread blocked in poll(2): a Dispatch source cannot wait for a hang-up alone, and typed
  /// keys would wake it.
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
