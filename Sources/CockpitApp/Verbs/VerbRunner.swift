import CockpitShell
import CockpitSession
import Dispatch
import Foundation
import MainLoop

/// Runs a verb beside the screen and captures its output: one at a time, limited in time and size,
/// and without a terminal for prompts.
@MainActor
package final class VerbRunner {
  /// Both of its streams in the order in which they came, and how it ended.
  package typealias WhenDone = @MainActor (_ output: [UInt8], _ end: VerbOutput.End) -> Void

  /// Maximum number of bytes kept.
  package nonisolated static let limit = 1 << 20
  /// A verb that takes longer belongs into a shell, in seconds.
  package nonisolated static let patience = 20
  /// How long a verb may report after it was asked to stop, in ns.
  private static let graceNs: UInt64 = 1_000_000_000

  @MainActor
  private final class Run {
    let scope: RunScope
    var whenDone: WhenDone
    var capture: VerbCapture?
    var task: Task<Void, Never>?
    /// Ends the verb after its time limit or its grace period.
    var timer: (any LoopTimer)?
    /// Why it was asked to stop.
    var cause: VerbOutput.End?

    init(_ scope: RunScope, _ whenDone: @escaping WhenDone) {
      self.scope = scope
      self.whenDone = whenDone
    }
  }

  private let loop: any EventLoop
  private let body: @MainActor @Sendable (Environment) async -> Int32
  private let patienceNs: UInt64
  private var current: Run?
  /// The task of the last run: over when nothing of it is left.
  package private(set) var lastTask: Task<Void, Never>?

  /// - Parameters:
  ///   - body: runs the arguments of an environment, as in `ProgramVerbs`.
  ///   - patienceMs: time limit of a verb that asks for no more, in ms.
  package init(
    loop: any EventLoop, patienceMs: Int = 1000 * VerbRunner.patience,
    _ body: @escaping @MainActor @Sendable (Environment) async -> Int32
  ) {
    self.loop = loop
    self.body = body
    patienceNs = UInt64(patienceMs) * 1_000_000
  }

  package var isRunning: Bool { current != nil }

  /// Starts a verb; cancels the previous one without reporting it.
  package func run(
    _ arguments: [String], of invocation: VerbInvocation, on screen: RunningScreen,
    whenDone: @escaping WhenDone
  ) {
    abandon()
    let run = Run(RunScope(loop: loop), whenDone)
    current = run
    let capture = VerbCapture(limit: Self.limit) { [weak self, weak run] in
      Task { @MainActor in
        guard let self, let run else { return }
        self.stop(run, .tooMuch(limit: Self.limit))
      }
    }
    run.capture = capture
    let environment = invocation.environment(
      arguments, on: screen, in: run.scope, output: { capture.take($0) }
    ) { [weak self, weak run] code in
      Task { @MainActor in
        if let self, let run { self.conclude(run, .exited(code)) }
      }
    }
    limit(run, toNs: patienceNs)
    run.scope.extend = { [weak self, weak run] seconds in
      guard let self, let run, run.cause == nil else { return }
      self.limit(run, toNs: UInt64(seconds) * 1_000_000_000)
    }
    let task = Task { @MainActor [weak self, weak run, body] in
      let code = await body(environment)
      if let self, let run { self.conclude(run, .exited(code)) }
    }
    run.task = task
    lastTask = task
  }

  /// Stops the running verb; `whenDone` is called.
  package func cancel() {
    guard let current else { return }
    stop(current, .cancelled)
  }

  /// Ends the running verb at once, without calling `whenDone`.
  package func abandon() {
    guard let run = current else { return }
    run.whenDone = { _, _ in }
    conclude(run, .cancelled)
  }

  /// Asks the verb to stop, with a grace period if it has something to report.
  private func stop(_ run: Run, _ cause: VerbOutput.End) {
    guard current === run, run.cause == nil else { return }
    run.cause = cause
    guard run.scope.interrupt(SIGTERM) else { return conclude(run, cause) }
    setTimer(of: run, afterNs: Self.graceNs) { [weak self, weak run] in
      if let self, let run { self.conclude(run, cause) }
    }
  }

  private func limit(_ run: Run, toNs limitNs: UInt64) {
    setTimer(of: run, afterNs: limitNs) { [weak self, weak run] in
      guard let self, let run else { return }
      self.stop(run, .timedOut(seconds: Int(limitNs / 1_000_000_000)))
    }
  }

  private func setTimer(
    of run: Run, afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void
  ) {
    run.timer?.unset()
    let timer = loop.makeTimer(body)
    timer.set(dueNs: DispatchTime.now().uptimeNanoseconds + delayNs, leewayNs: 1_000_000)
    run.timer = timer
  }

  /// Reports the end of a run. Later output is dropped; its connections, timers and children end.
  private func conclude(_ run: Run, _ end: VerbOutput.End) {
    guard current === run else { return }
    current = nil
    run.timer?.unset()
    let output = run.capture?.close() ?? []
    run.task?.cancel()
    run.scope.end()
    run.whenDone(output, run.cause ?? end)
  }
}
