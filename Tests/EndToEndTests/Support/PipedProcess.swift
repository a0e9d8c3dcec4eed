import Foundation

/// A child process on pipes. The test's own thread reads them while it waits for something.
final class PipedProcess {
  /// The exit status of a process.
  enum Status: Equatable {
    case exited(Int32)
    case signaled(Int32)
  }

  struct SpawnFailure: Error, CustomStringConvertible {
    var path: String
    var number: Int32
    var description: String { "cannot start \(path): \(String(cString: strerror(number)))" }
  }

  let processID: pid_t
  private(set) var output: [UInt8] = []
  private(set) var errors: [UInt8] = []
  private var outputPipe: Int32
  private var errorPipe: Int32
  /// Its standard input; nil where that is /dev/null, or was closed.
  private var inputPipe: Int32?
  private(set) var status: Status?

  /// - Parameter hasInput: whether `write` gives it something to read; else it reads from /dev/null.
  init(
    _ path: String, _ arguments: [String], environment: [String: String], hasInput: Bool = false
  ) throws {
    var (out, err, input): ([Int32], [Int32], [Int32]) = ([-1, -1], [-1, -1], [-1, -1])
    guard pipe(&out) == 0, pipe(&err) == 0, !hasInput || pipe(&input) == 0 else {
      throw SpawnFailure(path: path, number: errno)
    }
    for descriptor in out + err + input where descriptor >= 0 {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    inputPipe = hasInput ? input[1] : nil
    defer {
      if hasInput { close(input[0]) }
      close(out[1])
      close(err[1])
    }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    if hasInput {
      posix_spawn_file_actions_adddup2(&actions, input[0], 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, out[1], 1)
    posix_spawn_file_actions_adddup2(&actions, err[1], 2)
    var (all, none) = (sigset_t(), sigset_t())
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var argv: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var pid: pid_t = 0
    let result = posix_spawn(&pid, path, &actions, &attributes, &argv, &envp)
    outputPipe = out[0]
    errorPipe = err[0]
    processID = pid
    guard result == 0 else {
      status = .exited(127)  // there is nothing to end
      throw SpawnFailure(path: path, number: result)
    }
    for descriptor in [outputPipe, errorPipe] {
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var raw: Int32 = 0
      waitpid(processID, &raw, 0)
    }
    close(outputPipe)
    close(errorPipe)
    closeInput()
  }

  /// Gives it something to read; a process that has ended reads nothing.
  func write(_ text: String) {
    guard let inputPipe else { return }
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(inputPipe, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }

  func closeInput() {
    if let inputPipe { close(inputPipe) }
    inputPipe = nil
  }

  var text: String { String(decoding: output, as: UTF8.self) }
  var errorText: String { String(decoding: errors, as: UTF8.self) }
  /// The complete lines of stdout.
  var lines: [Substring] {
    let end = output.lastIndex(of: 0x0A) ?? output.startIndex
    return String(decoding: output[..<end], as: UTF8.self).split(separator: "\n")
  }

  func signal(_ number: Int32) { kill(processID, number) }

  /// Reads until `isDone`; false when that does not come in time or the process ends first.
  @discardableResult
  func pump(_ timeout: Duration = Tool.patience, until isDone: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + timeout
    while !isDone() {
      let left = Int((deadline - ContinuousClock.now) / .milliseconds(1))
      guard left > 0 else { return false }
      let hasEnded = hasEnded()
      let isQuiet = !readSome(waitMs: hasEnded ? 0 : Int32(min(left, 20)))
      if hasEnded, isQuiet { return isDone() }
    }
    return true
  }

  /// Reads until the process has ended; nil if it does not.
  @discardableResult
  func wait(_ timeout: Duration = Tool.patience) -> Status? {
    pump(timeout) { false }
    return status
  }

  private func hasEnded() -> Bool {
    if status != nil { return true }
    var raw: Int32 = 0
    guard waitpid(processID, &raw, WNOHANG) == processID else { return false }
    status = raw & 0x7F == 0 ? .exited(raw >> 8 & 0xFF) : .signaled(raw & 0x7F)
    return true
  }

  /// Takes what the pipes have; false when that is nothing.
  private func readSome(waitMs: Int32) -> Bool {
    var pollers = [
      pollfd(fd: outputPipe, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorPipe, events: Int16(POLLIN), revents: 0),
    ]
    guard poll(&pollers, 2, waitMs) > 0 else { return false }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var found = 0
    for (index, poller) in pollers.enumerated() where poller.revents != 0 {
      let count = read(poller.fd, &chunk, chunk.count)
      guard count > 0 else { continue }
      found += count
      if index == 0 { output += chunk[..<count] } else { errors += chunk[..<count] }
    }
    // Both ends closed and the process still there: do not spin.
    if found == 0, waitMs > 0 { usleep(5000) }
    return found > 0
  }
}
