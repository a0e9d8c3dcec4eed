import CockpitStores
import CockpitPanes
import CockpitShell
import CockpitSession
import Dispatch
import Foundation
import MainLoop
import TerminalCore
import Testing

@testable import CockpitApp

/// What a verb may do inside a cockpit, and what is left of it.
@MainActor @Suite struct VerbRunnerTests {
  private typealias Body = @MainActor @Sendable (Environment) async -> Int32

  private struct Outcome: Equatable {
    var text: String
    var end: VerbOutput.End
  }

  private let invocation = VerbInvocation(variables: ["LANG": "C.UTF-8"], tokenPlace: "a file")

  private func runner(patienceMs: Int = 60_000, _ body: @escaping Body) -> VerbRunner {
    VerbRunner(loop: DispatchLoop(), patienceMs: patienceMs, body)
  }

  /// Runs a verb to its end.
  ///
  /// - Parameter next: done as soon as it was started.
  private func outcome(
    _ runner: VerbRunner, then next: () async -> Void = {}
  ) async -> Outcome {
    let (ends, end) = AsyncStream.makeStream(of: Outcome.self)
    runner.run(["a", "verb"], of: invocation, on: .linear) { output, how in
      end.yield(Outcome(text: String(decoding: output, as: UTF8.self), end: how))
    }
    await next()
    for await outcome in ends { return outcome }
    return Outcome(text: "", end: .cancelled)
  }

  @Test("both streams come in their order, with the exit code")
  func output() async {
    let runner = runner { environment in
      environment.output.line("one")
      environment.output.complain("two")
      environment.output.line("three")
      return 3
    }
    let outcome = await outcome(runner)
    #expect(outcome == Outcome(text: "one\nclanky-cockpit: two\nthree\n", end: .exited(3)))
    #expect(!runner.isRunning)
  }

  @Test("a verb has no colours, nobody to ask, and knows the screen")
  func environment() async {
    let runner = runner { environment in
      #expect(environment.variables == ["LANG": "C.UTF-8", "NO_COLOR": "1"])
      #expect(environment.arguments == ["a", "verb"])
      #expect(!environment.isAttended && environment.readLine() == nil)
      #expect(environment.screen == .linear && environment.tokenPlace == "a file")
      return 0
    }
    #expect(await outcome(runner) == Outcome(text: "", end: .exited(0)))
  }

  @Test("a verb that ends before it returns is over then, from any thread")
  func earlyEnd() async {
    let runner = runner { environment in
      environment.output.line("first")
      await OwnThread.run { environment.end(.immediately(4)) }
      await awaitCallback { _ in }
      environment.output.line("late")
      return 0
    }
    #expect(await outcome(runner) == Outcome(text: "first\n", end: .exited(4)))
    await runner.lastTask?.value
  }

  @Test("what takes too long is ended, with all that it has")
  func deadline() async {
    let ended = Flag()
    let runner = runner(patienceMs: 1000) { environment in
      environment.scope?.onEnd { ended.isSet = true }
      environment.output.line("begun")
      await awaitCallback { _ in }
      #expect(Task.isCancelled && environment.isOver)
      environment.output.line("late")
      return 0
    }
    #expect(await outcome(runner) == Outcome(text: "begun\n", end: .timedOut(seconds: 1)))
    #expect(ended.isSet)
    await runner.lastTask?.value
  }

  @Test("a verb that asks for more time gets it")
  func moreTime() async {
    let runner = runner(patienceMs: 200) { environment in
      environment.needs(seconds: 60)
      do {
        try await Task.sleep(for: .milliseconds(600))
      } catch { return 9 }
      environment.output.line("done")
      return 0
    }
    #expect(await outcome(runner) == Outcome(text: "done\n", end: .exited(0)))
    await runner.lastTask?.value
  }

  @Test("what says too much is ended; it is kept up to the limit")
  func limit() async {
    let runner = runner { environment in
      var breaths = Breaths()
      do throws(Failure) {
        while true {
          environment.output.write([UInt8](repeating: 0x78, count: 1000))
          try await breaths.take()
        }
      } catch { return error.code }
    }
    let outcome = await outcome(runner)
    #expect(outcome.end == .tooMuch(limit: VerbRunner.limit))
    #expect(outcome.text.utf8.count == VerbRunner.limit)
    await runner.lastTask?.value
  }

  @Test("a verb that is cancelled is over at once; what it said is kept")
  func cancel() async {
    let runner = runner { environment in
      environment.output.line("half")
      await awaitCallback { _ in }
      environment.output.line("late")
      return 0
    }
    let outcome = await outcome(runner) {
      await Task.yield()
      runner.cancel()
    }
    #expect(outcome == Outcome(text: "half\n", end: .cancelled))
    await runner.lastTask?.value
  }

  @Test("a verb that has something to say about its end says it, and nothing after that")
  func lastWords() async {
    let runner = runner { environment in
      Task { @MainActor in
        guard let number = await environment.interruption() else { return }
        environment.output.complain("interrupted by \(number)")
        environment.end(.exit(128 + number))
      }
      await awaitCallback { _ in }
      environment.output.line("late")
      return 0
    }
    let outcome = await outcome(runner) {
      for _ in 0..<10 { await Task.yield() }
      runner.cancel()
      // A second one changes nothing.
      runner.cancel()
    }
    #expect(
      outcome == Outcome(text: "clanky-cockpit: interrupted by 15\n", end: .cancelled))
    await runner.lastTask?.value
  }

  @Test("a verb that hears and does not end is given a second")
  func grace() async {
    let runner = runner { environment in
      _ = await environment.interruption()
      await awaitCallback { _ in }
      return 0
    }
    let startNs = DispatchTime.now().uptimeNanoseconds
    let outcome = await outcome(runner) {
      for _ in 0..<10 { await Task.yield() }
      runner.cancel()
      #expect(runner.isRunning)
    }
    #expect(outcome.end == .cancelled)
    #expect(DispatchTime.now().uptimeNanoseconds - startNs >= 1_000_000_000)
    await runner.lastTask?.value
  }

  @Test("of two in a row the first is not heard any more")
  func twoInARow() async {
    let runner = runner { environment in
      environment.output.line("begun")
      if environment.arguments == ["first"] {
        await awaitCallback { _ in }
        environment.output.line("late")
      }
      return 0
    }
    runner.run(["first"], of: invocation, on: .linear) { _, _ in
      Issue.record("it was abandoned")
    }
    let first = runner.lastTask
    await Task.yield()
    #expect(await outcome(runner) == Outcome(text: "begun\n", end: .exited(0)))
    await first?.value
    #expect(await outcome(runner) == Outcome(text: "begun\n", end: .exited(0)))
  }
}

@MainActor private final class Flag {
  var isSet = false
}
