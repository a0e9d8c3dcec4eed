import CSpawn
import Children
import CockpitPanes
import Dispatch
import Foundation
import MainLoop

/// Runs this program as a child and collects what it says: one at a time, for a limited time, up
/// to a limited size, and without a terminal to ask on.
@MainActor
package final class VerbRunner {
  /// Both of its streams in the order in which they came, and how it ended.
  package typealias WhenDone = @MainActor (_ output: [UInt8], _ end: VerbOutput.End) -> Void

  /// Bytes that are kept.
  package static let limit = 1 << 20
  /// A verb that takes longer belongs into a shell.
  package static let patience = 20
  /// So long it may tidy up after it was asked to end.
  private static let grace = DispatchTimeInterval.seconds(1)

  @MainActor
  private final class Run {
    let child: Child
    /// Our end of the pipe that both of its streams go into.
    let reader: Int32
    var watch: (any DescriptorWatch)?
    var output: [UInt8] = []
    var isOutputOver = false
    /// Why it was ended before its time.
    var cause: VerbOutput.End?
    var end: VerbOutput.End?
    var whenDone: WhenDone

    init(_ child: Child, reader: Int32, _ whenDone: @escaping WhenDone) {
      self.child = child
      self.reader = reader
      self.whenDone = whenDone
    }
  }

  private let loop: any EventLoop
  private var current: Run?

  package init(loop: any EventLoop) { self.loop = loop }

  package var isRunning: Bool { current != nil }

  /// Starts it; what ran before is ended first, and not reported.
  package func run(
    _ arguments: [String], environment: [String: String], whenDone: @escaping WhenDone
  ) {
    abandon()
    let run: Run
    do throws(ChildFailure) {
      run = try Self.start(arguments, environment, whenDone)
    } catch {
      return whenDone([], .notStarted(error.description))
    }
    current = run
    run.child.whenOver { [weak self, weak run] end in
      let end: VerbOutput.End =
        switch end {
        case .exited(let status): .exited(status)
        case .signaled(let number): .signaled(number)
        }
      guard let run else { return }
      run.end = end
      // What ran before may end when another one runs already.
      self?.ended(run)
    }
    read(run)
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(Self.patience)) {
      [weak self, weak run] in
      MainActor.assumeIsolated {
        guard let self, let run, self.current === run else { return }
        self.stop(run, .timedOut(seconds: Self.patience))
      }
    }
  }

  /// Ends what is running; `whenDone` hears of it.
  package func cancel() {
    guard let current else { return }
    stop(current, .cancelled)
  }

  /// Ends what is running; nobody hears of it.
  package func abandon() {
    guard let run = current else { return }
    run.whenDone = { _, _ in }
    // Nobody waits for it any more, perhaps because this program ends: it ends at once, whatever
    // signals it ignores.
    run.cause = .cancelled
    if run.end == nil { run.child.signal(SIGKILL) }
    stopReading(run)
    current = nil
  }

  private static func start(
    _ arguments: [String], _ environment: [String: String], _ whenDone: @escaping WhenDone
  ) throws(ChildFailure) -> Run {
    guard let path = executable else { throw ChildFailure(code: ENOENT) }
    var ends: [Int32] = [-1, -1]
    guard cspawn_pipe(&ends) else { throw ChildFailure(code: errno) }
    // The child has its own copy; ours would keep the pipe open.
    defer { close(ends[1]) }
    // A run of this very program, against the backend that the token is for.
    var program = Program(
      path: path, arguments: arguments, environment: environment, keepsToken: true)
    program.output = .descriptor(ends[1])
    program.errors = .descriptor(ends[1])
    do throws(ChildFailure) {
      return Run(try Child.start(program), reader: ends[0], whenDone)
    } catch {
      close(ends[0])
      throw error
    }
  }

  private static var executable: String? {
    #if os(Linux)
      // Also after the file was replaced by a newer version.
      "/proc/self/exe"
    #else
      Bundle.main.executableURL?.path(percentEncoded: false)
    #endif
  }

  private func stop(_ run: Run, _ cause: VerbOutput.End) {
    guard run.cause == nil, run.end == nil else { return }
    run.cause = cause
    run.child.signal(SIGTERM)
    run.child.signal(SIGCONT)
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.grace) { [run] in
      MainActor.assumeIsolated { if run.end == nil { run.child.signal(SIGKILL) } }
    }
  }

  // MARK: Output

  private func read(_ run: Run) {
    let watch = loop.watch(run.reader) { [weak self, weak run] _ in
      guard let self, let run else { return }
      self.readable(run)
    }
    watch.wanted = .reading
    run.watch = watch
  }

  /// The descriptor is closed when nothing looks at it any more.
  private func stopReading(_ run: Run) {
    let reader = run.reader
    run.watch?.cancel { _ = close(reader) }
    run.watch = nil
  }

  private func readable(_ run: Run) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(run.reader, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stopReading(run)
      run.isOutputOver = true
      return finish(run)
    }
    run.output += buffer[..<min(count, Self.limit - run.output.count)]
    if run.output.count >= Self.limit { stop(run, .tooMuch(limit: Self.limit)) }
  }

  /// What it said is in the pipe by now; something that it has left behind may hold that open.
  private func ended(_ run: Run) {
    guard current === run else { return }
    while !run.isOutputOver, run.output.count < Self.limit {
      var poller = pollfd(fd: run.reader, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 0) > 0 else { break }
      readable(run)
    }
    guard current === run else { return }
    run.isOutputOver = true
    finish(run)
  }

  private func finish(_ run: Run) {
    guard current === run, run.isOutputOver, let end = run.end else { return }
    stopReading(run)
    current = nil
    run.whenDone(run.output, run.cause ?? end)
  }
}
