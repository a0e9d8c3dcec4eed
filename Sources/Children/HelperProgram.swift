import CSpawn
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs a helper program with a time limit. Its input goes through standard input, never through
/// arguments, which every user of the machine can read.
package struct HelperProgram {
  /// The source of its standard input.
  package enum Input {
    /// These bytes, at most 32 KiB, then the end.
    case bytes([UInt8])
    case nothing
    /// Ours: it may prompt the user at the terminal.
    case inherited
  }

  /// The result of the run.
  package struct Answer {
    /// 0...255; 128 and more for a signal, as a shell says it.
    package var status: Int32
    /// The first 64 KiB, or as much as was asked for.
    package var output: [UInt8]
    /// Its standard error; empty if that was inherited.
    package var errors: String
  }

  /// Why there is no answer.
  package enum Problem: Error {
    case notStarted(String)
    case timedOut
  }

  /// More than any token; a program that says more is not the one we think.
  package static let outputLimit = 65_536

  private var program: Program
  /// The program, absolute.
  package var path: String { program.path }

  /// - Parameters:
  ///   - path: absolute.
  ///   - arguments: without the program name.
  ///   - environment: the dashboard token is removed from it (promise P6).
  package init(path: String, arguments: [String], environment: [String: String]) {
    program = Program(path: path, arguments: arguments, environment: environment)
  }

  /// Runs the program and waits for its exit, for at most `patience`; then kills it, and its
  /// process group if it has one. Processes left behind by a normal exit keep running.
  ///
  /// - Parameters:
  ///   - limit: bytes of its output that are kept.
  ///   - isCalledOff: polled every 10 ms; true kills it as a timeout would.
  package func run(
    input: Input = .nothing, hasOwnErrors: Bool = true, patience: Duration,
    limit: Int = outputLimit, unless isCalledOff: () -> Bool = { false }
  ) throws(Problem) -> Answer {
    let deadline = ContinuousClock.now + patience
    let (child, readers) = try start(input, hasOwnErrors)
    defer { for reader in readers { close(reader) } }
    var streams = readers.map { Stream($0) }
    var end: ChildEnd?
    while ContinuousClock.now < deadline, !isCalledOff() {
      // Processes left behind may keep the pipes open and write to them. The program's own exit
      // counts, and its output is in the pipes by then.
      let isQuiet = !Self.readSome(&streams, patience: end == nil ? 10 : 0, limit)
      if let end, isQuiet || streams.allSatisfy({ $0.bytes.count >= limit }) {
        return Answer(
          status: end.status, output: streams[0].bytes,
          errors: hasOwnErrors ? String(decoding: streams[1].bytes, as: UTF8.self) : "")
      }
      end = end ?? child.end()
    }
    for number in [SIGTERM, SIGKILL] where child.end(with: number, patience: 300) { break }
    throw .timedOut
  }

  /// Collects the output of a program until it exits, or kills it at the deadline and returns what it has printed.
  ///
  /// - Parameter isCalledOff: polled every 10 ms; true ends it at once.
  package func output(
    within patience: Duration, unless isCalledOff: () -> Bool = { false }
  ) throws(Problem) -> [UInt8] {
    let deadline = ContinuousClock.now + patience
    let (child, readers) = try start(.nothing, true)
    defer { for reader in readers { close(reader) } }
    var streams = readers.map { Stream($0) }
    var end: ChildEnd?
    while ContinuousClock.now < deadline, !isCalledOff() {
      let isQuiet = !Self.readSome(&streams, patience: end == nil ? 10 : 0)
      if end != nil, isQuiet || streams[0].bytes.count >= Self.outputLimit { break }
      end = end ?? child.end()
    }
    if end == nil {
      for number in [SIGTERM, SIGKILL] where child.end(with: number, patience: 300) { break }
    }
    return streams[0].bytes
  }

  /// - Returns: our ends of the pipes of its standard output and, where it has its own, error.
  private func start(
    _ input: Input, _ hasOwnErrors: Bool
  ) throws(Problem) -> (Child, readers: [Int32]) {
    var program = program
    var (ours, theirs): ([Int32], [Int32]) = ([], [])
    defer { for end in theirs { close(end) } }
    do throws(ChildFailure) {
      func pipe() throws(ChildFailure) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        guard cspawn_pipe(&ends) else { throw ChildFailure(code: errno) }
        return (ends[0], ends[1])
      }
      let output = try pipe()
      ours.append(output.reader)
      theirs.append(output.writer)
      program.output = .descriptor(output.writer)
      if hasOwnErrors {
        let errors = try pipe()
        ours.append(errors.reader)
        theirs.append(errors.writer)
        program.errors = .descriptor(errors.writer)
      } else {
        program.errors = .inherited
      }
      switch input {
      case .nothing: break
      case .inherited:
        // A separate group would run in the background and could not read from the terminal.
        program.input = .inherited
        program.hasOwnGroup = false
      case .bytes(let bytes):
        let keyboard = try pipe()
        theirs.append(keyboard.reader)
        // A pipe takes 64 KiB: the input is complete before the child reads it, so no write can block.
        _ = write(keyboard.writer, bytes, bytes.count)
        close(keyboard.writer)
        program.input = .descriptor(keyboard.reader)
      }
      return (try Child.start(program), ours)
    } catch {
      for end in ours { close(end) }
      throw .notStarted(error.description)
    }
  }

  /// Our end of a pipe, and the bytes read from it.
  private struct Stream {
    /// -1 at end of file.
    var descriptor: Int32
    var bytes: [UInt8] = []

    init(_ descriptor: Int32) { self.descriptor = descriptor }
  }

  /// Reads available bytes; false if there are none.
  private static func readSome(
    _ streams: inout [Stream], patience: Int32, _ limit: Int = outputLimit
  ) -> Bool {
    // A descriptor of -1 is passed over, and with none this is a sleep.
    var polls = streams.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    guard poll(&polls, nfds_t(polls.count), patience) > 0 else { return false }
    var isSome = false
    var chunk = [UInt8](repeating: 0, count: 4096)
    for index in streams.indices where polls[index].revents != 0 {
      let count = read(polls[index].fd, &chunk, chunk.count)
      if count > 0 {
        isSome = true
        let room = max(0, limit - streams[index].bytes.count)
        streams[index].bytes += chunk.prefix(min(count, room))
      } else if count == 0 || errno != EINTR {
        streams[index].descriptor = -1
      }
    }
    return isSome
  }
}
