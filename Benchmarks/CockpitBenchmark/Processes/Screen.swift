import CPTY
import Foundation
import TerminalTestKit

/// A program on a pseudo-terminal that answers questions as a current terminal does, and counts.
final class Screen {
  let processID: pid_t
  private let master: Int32
  /// When it was started, on the monotonic clock in ns.
  let startNs: UInt64
  /// Bytes it has written.
  private(set) var byteCount = 0
  /// When the last of them came.
  private(set) var lastByteNs: UInt64 = 0
  /// The CPU time of the process when the last bytes arrived, in ns, so that work after them is not
  /// counted.
  private(set) var lastByteCpuNs: UInt64 = 0
  private let terminal: VirtualTerminal
  private var answers = TerminalAnswers()
  private var hasEnded = false
  private var buffer = [UInt8](repeating: 0, count: 1 << 16)

  /// The size of all screens that are compared.
  static let columns = 120
  static let rows = 40

  init(_ path: String, _ arguments: [String] = [], home: String) throws {
    let environment = [
      "TERM": "xterm-256color", "LANG": "C.UTF-8", "HOME": home,
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
    ]
    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var descriptor: Int32 = -1
    terminal = VirtualTerminal(rows: Self.rows, columns: Self.columns)
    startNs = nowNs()
    processID = cpty_spawn(path, &argv, &envp, Int32(Self.rows), Int32(Self.columns), &descriptor)
    master = descriptor
    guard processID > 0 else { throw BenchmarkError("cannot start \(path) on a pseudo-terminal") }
    _ = fcntl(master, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if !hasEnded {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    close(master)
  }

  var text: String { terminal.text }
  /// Complete frames so far, of programs that mark them.
  var frames: Int { answers.frames }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// An arrow key, in the mode that the program has set.
  func send(_ arrow: Arrow) {
    send("\u{1B}\(answers.hasApplicationKeys ? "O" : "[")\(arrow.rawValue)")
  }

  /// The last byte of its sequence.
  enum Arrow: String {
    case up = "A"
    case down = "B"
  }

  /// Reads available bytes.
  private func read() {
    while true {
      let count = Foundation.read(master, &buffer, buffer.count)
      guard count > 0 else { return }
      byteCount += count
      lastByteNs = nowNs()
      lastByteCpuNs = ProcessFigures.cpuNs(processID) ?? 0
      terminal.feed(buffer[0..<count])
      let reply = answers.feed(buffer[0..<count])
      if !reply.isEmpty { send(reply) }
    }
  }

  /// Serves several screens until a time, or until something is so.
  ///
  /// - Returns: whether it came to be so.
  @discardableResult
  static func serve(
    _ screens: [Screen], seconds: Double, until isDone: () -> Bool = { false }
  ) -> Bool {
    let deadline = nowNs() + UInt64(seconds * 1e9)
    var polls = screens.map { pollfd(fd: $0.master, events: Int16(POLLIN), revents: 0) }
    while !isDone() {
      let now = nowNs()
      guard now < deadline else { return false }
      let timeout = Int32(min(20, (deadline - now) / 1_000_000 + 1))
      guard poll(&polls, nfds_t(polls.count), timeout) > 0 else { continue }
      for (index, screen) in screens.enumerated() where polls[index].revents != 0 {
        screen.read()
        // A side that hung up is always ready: stop watching it.
        if polls[index].revents & Int16(POLLIN) == 0 { polls[index].fd = -1 }
      }
    }
    return true
  }

  /// Waits for the process to end; nil if it does not within the time.
  ///
  /// - Returns: seconds from now to the end.
  func end(seconds: Double) -> Double? {
    let start = nowNs()
    var status: Int32 = 0
    let ended = Screen.serve([self], seconds: seconds, stepMs: 1) {
      waitpid(self.processID, &status, WNOHANG) == self.processID
    }
    hasEnded = ended
    return ended ? Double(nowNs() - start) / 1e9 : nil
  }

  private static func serve(
    _ screens: [Screen], seconds: Double, stepMs: UInt32, until isDone: () -> Bool
  ) -> Bool {
    let deadline = nowNs() + UInt64(seconds * 1e9)
    while nowNs() < deadline {
      if isDone() { return true }
      for screen in screens { screen.read() }
      usleep(stepMs * 1000)
    }
    return false
  }
}
