import CTermSupport
import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// What a terminal has reported about itself.
package struct TerminalFacts: Hashable, Sendable {
  /// 0xRRGGBB; nil if not reported.
  package var backgroundColor: UInt32?
  /// Synchronized output (mode 2026): a frame appears only when complete.
  package var hasSynchronizedOutput = false
  /// The last colour scheme report of the desktop (mode 2031).
  package var prefersDark: Bool?

  /// Nothing reported yet.
  package init() {}

  /// Whether the background is dark; nil if unknown.
  package var isDark: Bool? {
    if let prefersDark { return prefersDark }
    return backgroundColor.map { Palette.contrast($0, 0xFFFFFF) > Palette.contrast($0, 0) }
  }
}

extension TerminalSession {
  /// Queries the terminal and waits for the answers, at most 150 ms: many terminals do not answer.
  /// Later answers still update `facts`; none is delivered as a key.
  package func askForFacts() async -> TerminalFacts {
    await withCheckedContinuation { waiter in askForFacts { waiter.resume(returning: $0) } }
  }

  /// The same with a callback: resuming a continuation starts Dispatch's global queues, whose monitor
  /// then wakes the process every second for the rest of its life.
  package func askForFacts(_ whenKnown: @escaping @MainActor (TerminalFacts) -> Void) {
    guard abilities.questions != .none else { return whenKnown(facts) }
    factsWaiters.append(whenKnown)
    guard questionTimer == nil else { return }
    areAnswersDue = true
    output.send(TerminalSequences.questions(abilities.questions))
    questionTimer = timer(after: .milliseconds(150)) { session in
      session.finishQuestions()
      // A slow line may still answer for a while.
      session.questionTimer = session.timer(after: .seconds(3)) {
        $0.areAnswersDue = false
        $0.questionTimer = nil
      }
    }
  }

  func learn(_ reply: TerminalReply) {
    switch reply {
    case .backgroundColor(let color): facts.backgroundColor = color
    case .mode(2026, let setting): facts.hasSynchronizedOutput = (1...3).contains(setting)
    case .status(0): finishRoundTrip()
    case .mode, .status, .other: break
    case .colorScheme(let isDark): facts.prefersDark = isDark
    case .deviceAttributes:  // answer to the last query: no other is pending
      areAnswersDue = false
      answersQuestions = true
      questionTimer?.unset()
      questionTimer = nil
      finishQuestions()
    }
  }

  /// Sends DSR 5 to measure the round trip to the terminal, reported by `onAnswer`. Does nothing if the
  /// terminal has not answered queries before, or while one is pending.
  package func measureRoundTrip() {
    guard answersQuestions, roundTripStart == nil, isReadyForFrame else { return }
    roundTripStart = .now()
    output.send(TerminalSequences.statusQuery)
  }

  private func finishRoundTrip() {
    guard let start = roundTripStart else { return }
    roundTripStart = nil
    let waited = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
    onAnswer(Int(waited / 1_000_000))
  }

  /// Reads pending answers, which would otherwise be typed into the shell, the editor or the pager.
  ///
  /// Waits at most 150 ms, because quitting takes less than 200 ms (promise P5b), or 500 ms if the
  /// terminal has answered before and so will again. Reads byte by byte, so that keys typed behind
  /// the answers stay in the input queue.
  func awaitAnswers() {
    guard areAnswersDue || roundTripStart != nil else { return }
    // A background process that reads is stopped by the kernel.
    if cterm_is_foreground(options.input) {
      let deadline = DispatchTime.now() + .milliseconds(answersQuestions ? 500 : 150)
      while areAnswersDue || roundTripStart != nil, readAnswer(before: deadline) {}
    }
    areAnswersDue = false
    roundTripStart = nil
  }

  /// Reads one byte; false if none arrived in time.
  private func readAnswer(before deadline: DispatchTime) -> Bool {
    let now = DispatchTime.now()
    guard now < deadline else { return false }
    let left = (deadline.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000
    var poller = pollfd(fd: options.input, events: Int16(POLLIN), revents: 0)
    let ready = poll(&poller, 1, Int32(left) + 1)
    if ready < 0 { return errno == EINTR }
    var byte: UInt8 = 0
    guard ready > 0, read(options.input, &byte, 1) == 1 else { return false }
    for event in parser.feed([byte]) {
      if case .reply(let reply) = event { learn(reply) }
    }
    return true
  }

  func finishQuestions() {
    let waiters = factsWaiters
    factsWaiters = []
    for waiter in waiters { waiter(facts) }
  }
}
