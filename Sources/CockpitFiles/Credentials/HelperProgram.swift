import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Another program that is asked for something: bounded in time, fed through standard input, never
/// through arguments, which everybody on the machine can read.
///
/// Not `Process`: on Linux that waits for everything the program leaves behind, too.
package struct HelperProgram {
  /// Where its standard input comes from.
  package enum Input {
    /// These bytes, at most 32 KiB, then the end.
    case bytes([UInt8])
    case nothing
    /// Ours: it may ask the person at the terminal.
    case inherited
  }

  /// What came of it.
  package struct Answer {
    /// 0...255; 128 and more for a signal, as a shell says it.
    package var status: Int32
    /// The first 64 KiB.
    package var output: [UInt8]
    /// What it said on standard error; empty when that went to ours.
    package var errors: String
  }

  /// Why there is no answer.
  package enum Problem: Error {
    case notStarted(String)
    case timedOut
  }

  /// More than any token; a program that says more is not the one we think.
  private static let outputLimit = 65_536

  let path: String
  let arguments: [String]
  let environment: [String: String]

  /// - Parameters:
  ///   - path: absolute.
  ///   - arguments: without the name of the program.
  ///   - environment: the token of another place is taken out of it (promise P6).
  package init(path: String, arguments: [String], environment: [String: String]) {
    self.path = path
    self.arguments = arguments
    self.environment = environment.filter { $0.key != "CLANKY_TOKEN" }
  }

  /// The absolute path of a program, looked up as a shell does; nil when there is none.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    for folder in (environment["PATH"] ?? "").split(separator: ":") where folder.hasPrefix("/") {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(path, X_OK) == 0 { return path }
    }
    return nil
  }

  /// Runs it and waits for its end, `patience` at most; then it is ended.
  package func run(
    input: Input = .nothing, hasOwnErrors: Bool = true, patience: Duration
  ) throws(Problem) -> Answer {
    let deadline = ContinuousClock.now + patience
    let child = try Child(self, input: input, hasOwnErrors: hasOwnErrors)
    defer { child.close() }
    var streams = [Stream(child.output), Stream(child.errors)]
    var status: Int32?
    while ContinuousClock.now < deadline {
      // What a program leaves behind may keep the pipes open: its own end is what counts.
      let isQuiet = !Self.readSome(&streams, patience: status == nil ? 10 : 0)
      if let status, isQuiet {
        return Answer(
          status: status, output: streams[0].bytes,
          errors: String(decoding: streams[1].bytes, as: UTF8.self))
      }
      status = status ?? child.status()
    }
    child.end()
    throw .timedOut
  }

  /// One end of a pipe, and what came out of it.
  private struct Stream {
    /// -1 when there is no more to come.
    var descriptor: Int32
    var bytes: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }
  }

  /// Takes what is there; false when that is nothing.
  private static func readSome(_ streams: inout [Stream], patience: Int32) -> Bool {
    // A descriptor of -1 is passed over, and with none this is a sleep.
    var polls = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), patience) > 0 else { return false }
    var isSome = false
    var chunk = [UInt8](repeating: 0, count: 4096)
    for index in streams.indices where polls[index].revents != 0 {
      let count = read(polls[index].fd, &chunk, chunk.count)
      if count > 0 {
        isSome = true
        let room = max(0, outputLimit - streams[index].bytes.count)
        streams[index].bytes += chunk.prefix(min(count, room))
      } else if count == 0 || errno != EINTR {
        streams[index].descriptor = -1
      }
    }
    return isSome
  }
}

/// A running program, and our ends of its pipes.
private struct Child {
  let identifier: pid_t
  let output: Int32
  /// -1 when its standard error is ours.
  let errors: Int32
  /// Whether it has a process group of its own, which can be ended as a whole.
  private let isGroup: Bool

  init(
    _ program: HelperProgram, input: HelperProgram.Input, hasOwnErrors: Bool
  ) throws(HelperProgram.Problem) {
    let (out, err, keyboard) = (try Self.pipe(), try Self.pipe(), try Self.pipe())
    defer { for end in [out[1], err[1], keyboard[0]] { Foundation.close(end) } }
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
    var flags = POSIX_SPAWN_SETSIGDEF
    switch input {
    case .inherited: isGroup = false
    case .nothing:
      isGroup = true
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    case .bytes(let bytes):
      isGroup = true
      // A pipe takes 64 KiB: all is in it before anybody reads, and nobody can go away before.
      _ = write(keyboard[1], bytes, bytes.count)
      posix_spawn_file_actions_adddup2(&actions, keyboard[0], 0)
    }
    Foundation.close(keyboard[1])
    // Its own group is a background one: it could not read from the terminal.
    if isGroup { flags |= POSIX_SPAWN_SETPGROUP }
    posix_spawn_file_actions_adddup2(&actions, out[1], 1)
    if hasOwnErrors { posix_spawn_file_actions_adddup2(&actions, err[1], 2) }
    // We ignore SIGPIPE; a program that is started expects the signals of a fresh one.
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] =
      ([program.path] + program.arguments).map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] =
      program.environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var identifier: pid_t = 0
    let code = posix_spawn(&identifier, program.path, &actions, &attributes, &words, &settings)
    self.identifier = identifier
    output = out[0]
    errors = hasOwnErrors ? err[0] : -1
    if !hasOwnErrors { Foundation.close(err[0]) }
    guard code == 0 else {
      close()
      throw .notStarted(String(cString: strerror(code)))
    }
  }

  private static func pipe() throws(HelperProgram.Problem) -> [Int32] {
    var ends: [Int32] = [-1, -1]
    guard Foundation.pipe(&ends) == 0 else {
      throw .notStarted(String(cString: strerror(errno)))
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return ends
  }

  func close() { for end in [output, errors] where end >= 0 { Foundation.close(end) } }

  /// Its exit status; nil while it runs.
  func status() -> Int32? {
    var raw: Int32 = 0
    let process = waitpid(identifier, &raw, WNOHANG)
    guard process != 0 else { return nil }
    // Somebody else has waited for it: nothing is known.
    guard process == identifier else { return errno == EINTR ? nil : 128 }
    return raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
  }

  /// Ends it, and its group: first politely.
  func end() {
    for signal in [SIGTERM, SIGKILL] {
      kill(isGroup ? -identifier : identifier, signal)
      for _ in 0..<30 {
        if status() != nil { return }
        usleep(10_000)
      }
    }
  }
}
