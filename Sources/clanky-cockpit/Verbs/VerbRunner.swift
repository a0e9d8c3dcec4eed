import CockpitPanes
import Dispatch
import Foundation
import MainLoop

/// Runs this program as a child and collects what it says: one at a time, for a limited time, up
/// to a limited size, and without a terminal to ask on.
@MainActor
final class VerbRunner {
  /// Both of its streams in the order in which they came, and how it ended.
  typealias WhenDone = @MainActor (_ output: [UInt8], _ end: VerbOutput.End) -> Void

  /// Bytes that are kept.
  static let limit = 1 << 20
  /// A verb that takes longer belongs into a shell.
  static let patience = 20
  /// So long it may tidy up after it was asked to end.
  private static let grace = DispatchTimeInterval.seconds(1)

  @MainActor
  private final class Run {
    let process = Process()
    let pipe = Pipe()
    var watch: (any DescriptorWatch)?
    var output: [UInt8] = []
    var isOutputOver = false
    /// Why it was ended before its time.
    var cause: VerbOutput.End?
    var end: VerbOutput.End?
    var whenDone: WhenDone

    init(_ whenDone: @escaping WhenDone) { self.whenDone = whenDone }
  }

  private let loop: any EventLoop
  private var current: Run?

  init(loop: any EventLoop) { self.loop = loop }

  var isRunning: Bool { current != nil }

  /// Starts it; what ran before is ended first, and not reported.
  func run(
    _ arguments: [String], environment: [String: String], whenDone: @escaping WhenDone
  ) {
    abandon()
    let run = Run(whenDone)
    current = run
    run.process.executableURL = Self.executable
    run.process.arguments = arguments
    run.process.environment = environment
    run.process.standardInput = FileHandle.nullDevice
    run.process.standardOutput = run.pipe
    run.process.standardError = run.pipe
    run.process.terminationHandler = { [weak self, weak run] process in
      let status = process.terminationStatus
      let end: VerbOutput.End =
        process.terminationReason == .exit ? .exited(status) : .signaled(status)
      DispatchQueue.main.async {
        // What ran before may end when another one runs already.
        MainActor.assumeIsolated { if let run { self?.ended(run, end) } }
      }
    }
    do {
      try run.process.run()
    } catch {
      current = nil
      whenDone([], .notStarted(error.localizedDescription))
      return
    }
    // The child has its own copy; ours would keep the pipe open.
    try? run.pipe.fileHandleForWriting.close()
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
  func cancel() {
    guard let current else { return }
    stop(current, .cancelled)
  }

  /// Ends what is running; nobody hears of it.
  func abandon() {
    guard let run = current else { return }
    run.whenDone = { _, _ in }
    // Nobody waits for it any more, perhaps because this program ends: it ends at once, whatever
    // signals it ignores.
    run.cause = .cancelled
    if run.process.isRunning { kill(run.process.processIdentifier, SIGKILL) }
    stopReading(run)
    current = nil
  }

  private static var executable: URL? {
    #if os(Linux)
      // Also after the file was replaced by a newer version.
      URL(filePath: "/proc/self/exe")
    #else
      Bundle.main.executableURL
    #endif
  }

  private func stop(_ run: Run, _ cause: VerbOutput.End) {
    guard run.cause == nil, run.end == nil else { return }
    run.cause = cause
    let process = run.process.processIdentifier
    guard process > 0 else { return }
    kill(process, SIGTERM)
    kill(process, SIGCONT)
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.grace) { [run] in
      MainActor.assumeIsolated {
        // Its number is its own until its end was noticed.
        if run.end == nil, run.process.isRunning { kill(process, SIGKILL) }
      }
    }
  }

  // MARK: Output

  private func read(_ run: Run) {
    let descriptor = run.pipe.fileHandleForReading.fileDescriptor
    let watch = loop.watch(descriptor) { [weak self, weak run] _ in
      guard let self, let run else { return }
      self.readable(run, descriptor)
    }
    watch.wanted = .reading
    run.watch = watch
  }

  /// The pipe closes its descriptor when it goes: not before nothing looks at it any more.
  private func stopReading(_ run: Run) {
    let pipe = run.pipe
    run.watch?.cancel { withExtendedLifetime(pipe) {} }
    run.watch = nil
  }

  private func readable(_ run: Run, _ descriptor: Int32) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    guard count > 0 else {
      stopReading(run)
      run.isOutputOver = true
      return finish(run)
    }
    run.output += buffer[..<min(count, Self.limit - run.output.count)]
    if run.output.count >= Self.limit { stop(run, .tooMuch(limit: Self.limit)) }
  }

  private func ended(_ run: Run, _ end: VerbOutput.End) {
    guard current === run else { return }
    run.end = end
    guard !run.isOutputOver else { return finish(run) }
    // Something that it has started may hold the pipe open.
    DispatchQueue.main.asyncAfter(deadline: .now() + Self.grace) { [weak self, weak run] in
      MainActor.assumeIsolated {
        guard let self, let run else { return }
        run.isOutputOver = true
        self.finish(run)
      }
    }
  }

  private func finish(_ run: Run) {
    guard current === run, run.isOutputOver, let end = run.end else { return }
    stopReading(run)
    current = nil
    run.whenDone(run.output, run.cause ?? end)
  }
}
