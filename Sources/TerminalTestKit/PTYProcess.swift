import CPTY
import Foundation

/// A child process on its own pseudo-terminal.
///
/// Waiting is `poll(2)` on the terminal, so a test goes on the moment the bytes are there. The
/// calls block their thread: run suites that use them serialized.
package final class PTYProcess {
  /// Why a test cannot go on.
  package enum Failure: Error, CustomStringConvertible {
    case cannotSpawn(String)
    case timeout(waitingFor: String, screen: String)

    package var description: String {
      switch self {
      case .cannotSpawn(let path): "cannot start \(path) on a pseudo-terminal"
      case .timeout(let text, let screen):
        // The package manager drops what it reads of a test's output where a piece ends within a
        // character, and that with the screen in it is the one that is wanted.
        "never saw \(text); the screen was:\n\(Self.ascii(screen))"
      }
    }

    private static func ascii(_ screen: String) -> String {
      let frame: [Unicode.Scalar: Character] = ["│": "|", "─": "-", "…": "~", "·": "."]
      return String(
        screen.unicodeScalars.map { $0.isASCII ? Character($0) : frame[$0] ?? "?" })
    }
  }

  /// How a process ended.
  package enum Status: Equatable, Sendable {
    case exited(Int32)
    case signaled(Int32)
    case stopped
  }

  /// The child.
  package let processID: pid_t
  /// Our side of its terminal.
  package let master: Int32
  /// Everything the child has written.
  package private(set) var output: [UInt8] = []
  /// What a terminal shows after that.
  package let terminal: VirtualTerminal
  private var status: Status?
  private var isMasterOpen = true

  /// Starts a program as the leader of a session on a new terminal of this size.
  package init(
    _ path: String, _ arguments: [String] = [], environment: [String: String], rows: Int = 24,
    columns: Int = 80, ignoresHangUp: Bool = false
  ) throws {
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var descriptor: Int32 = -1
    let spawn = ignoresHangUp ? cpty_spawn_ignoring_hangup : cpty_spawn
    processID = spawn(path, &argv, &envp, Int32(rows), Int32(columns), &descriptor)
    master = descriptor
    terminal = VirtualTerminal(rows: max(1, rows), columns: max(1, columns))
    if processID < 0 { throw Failure.cannotSpawn(path) }
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var raw: Int32 = 0
      waitpid(processID, &raw, 0)
    }
    closeMaster()
  }

  /// Types.
  package func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// Sends a signal to the child.
  package func signal(_ number: Int32) { kill(processID, number) }

  /// Changes the size of the terminal, which raises SIGWINCH.
  package func resize(rows: Int, columns: Int) {
    _ = cpty_resize(master, Int32(rows), Int32(columns))
    if rows > 0, columns > 0 { terminal.resize(rows: rows, columns: columns) }
  }

  /// Closes our side: the child's terminal hangs up.
  package func closeMaster() {
    guard isMasterOpen else { return }
    isMasterOpen = false
    close(master)
  }

  /// Reads until `isDone`; false when that never comes, or the child closes its side first.
  @discardableResult
  package func pump(timeout: Duration = .seconds(10), until isDone: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + timeout
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isDone() {
      let left = Int((deadline - ContinuousClock.now) / .milliseconds(1))
      guard left > 0 else { return false }
      var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, Int32(min(left, 20))) > 0 else { continue }
      let count = read(master, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      if count <= 0 { return isDone() }  // EIO: the child's side is closed
      output += buffer[0..<count]
      terminal.feed(buffer[0..<count])
    }
    return true
  }

  /// Reads like a slow line: a few bytes ten times a second.
  package func trickle(bytesPerSecond: Int, for duration: Duration) {
    let end = ContinuousClock.now + duration
    var buffer = [UInt8](repeating: 0, count: max(1, bytesPerSecond / 10))
    while ContinuousClock.now < end {
      var poller = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
      if poll(&poller, 1, 0) > 0 {
        let count = read(master, &buffer, buffer.count)
        guard count > 0 else { return }
        output += buffer[..<count]
        terminal.feed(buffer[0..<count])
      }
      usleep(100_000)
    }
  }

  /// Reads until the screen shows a text.
  package func expect(_ text: String, timeout: Duration = .seconds(10)) throws {
    guard !pump(timeout: timeout, until: { terminal.text.contains(text) }) else { return }
    throw Failure.timeout(waitingFor: text, screen: terminal.text)
  }

  /// Reads until these bytes have been written, and nothing is missing after them.
  package func expectBytes(_ text: String, timeout: Duration = .seconds(10)) throws {
    let bytes = Array(text.utf8)
    guard !pump(timeout: timeout, until: { output.contains(bytes) }) else { return }
    throw Failure.timeout(waitingFor: text.debugDescription, screen: terminal.text)
  }

  /// Reads until the child has ended, or stopped if requested; nil if it does neither.
  package func wait(timeout: Duration = .seconds(10), orStopped: Bool = false) -> Status? {
    if let status { return status }
    var found: Status?
    let check = { () -> Bool in
      var raw: Int32 = 0
      let result = waitpid(self.processID, &raw, WNOHANG | (orStopped ? WUNTRACED : 0))
      guard result == self.processID else { return false }
      found = Self.decode(raw)
      return true
    }
    let deadline = ContinuousClock.now + timeout
    repeat {
      if isMasterOpen { pump(timeout: .milliseconds(20), until: check) } else { usleep(5000) }
    } while found == nil && !check() && ContinuousClock.now < deadline
    if found != .stopped { status = found }
    if isMasterOpen, found != nil { pump(timeout: .milliseconds(50), until: { false }) }
    return found
  }

  private static func decode(_ raw: Int32) -> Status {
    if raw & 0xFF == 0x7F { return .stopped }
    return raw & 0x7F == 0 ? .exited(raw >> 8 & 0xFF) : .signaled(raw & 0x7F)
  }

  /// Whether the terminal neither echoes nor edits lines.
  package var isRaw: Bool {
    var modes = termios()
    tcgetattr(master, &modes)
    return modes.c_lflag & tcflag_t(ICANON | ECHO) == 0
  }
}

extension [UInt8] {
  /// Whether the bytes occur in a row.
  package func contains(_ needle: [UInt8]) -> Bool {
    guard let first = needle.first else { return true }
    guard count >= needle.count else { return false }
    for start in 0...(count - needle.count)
    where self[start] == first && self[start..<start + needle.count].elementsEqual(needle) {
      return true
    }
    return false
  }
}
