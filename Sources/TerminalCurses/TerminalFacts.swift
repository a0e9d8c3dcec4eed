import CTermSupport
import Dispatch
import Foundation
internal import MainLoop
import TerminalCore

/// What a terminal has told about itself.
package struct TerminalFacts: Hashable, Sendable {
  /// 0xRRGGBB; nil when it did not say.
  package var backgroundColor: UInt32?
  /// Mode 2026: a frame is shown when it is complete.
  package var hasSynchronizedOutput = false
  /// The last word about the desktop, from mode 2031.
  package var prefersDark: Bool?

  /// Nothing said yet.
  package init() {}

  /// Whether the background is dark; nil when the terminal did not say.
  package var isDark: Bool? {
    if let prefersDark { return prefersDark }
    return backgroundColor.map { Palette.contrast($0, 0xFFFFFF) > Palette.contrast($0, 0) }
  }
}

extension TerminalSession {
  /// Asks the terminal about itself and waits for the answers, 150 ms at most: many terminals say
  /// nothing. Answers that come later are still taken; none is ever seen as a key.
  package func askForFacts() async -> TerminalFacts {
    await withCheckedContinuation { waiter in askForFacts { waiter.resume(returning: $0) } }
  }

  /// The same without a task: a continuation is resumed by way of Dispatch's global queues, whose
  /// monitor then wakes the process every second for the rest of its life.
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
    case .status(0): takeLife()
    case .mode, .status, .other: break
    case .colorScheme(let isDark): facts.prefersDark = isDark
    case .deviceAttributes:  // the last question: no other answer is due
      areAnswersDue = false
      answersQuestions = true
      questionTimer?.unset()
      questionTimer = nil
      finishQuestions()
    }
  }

  /// Asks the terminal whether it is there (DSR 5), to learn how long bytes take to it and back.
  /// Only one that has answered before is asked, and one question is on the way at a time.
  /// `onAnswer` gets the time.
  package func askForLife() {
    guard answersQuestions, askedForLife == nil, isReadyForFrame else { return }
    askedForLife = .now()
    output.send(TerminalSequences.lifeQuestion)
  }

  /// The answer to that question.
  private func takeLife() {
    guard let asked = askedForLife else { return }
    askedForLife = nil
    let waited = DispatchTime.now().uptimeNanoseconds - asked.uptimeNanoseconds
    onAnswer(Int(waited / 1_000_000))
  }

  /// Reads the answers that are still on the way: later they would be typed into the shell, the editor or the pager.
  ///
  /// Until the last one, for 150 ms at most: quitting takes less than a fifth of a second (promise P5b). A terminal
  /// that has answered before gets half a second, for its answer comes. Byte by byte, so that what was typed after
  /// the answers stays where it is.
  func awaitAnswers() {
    guard areAnswersDue || askedForLife != nil else { return }
    // A program in the background that reads is stopped.
    if cterm_is_foreground(options.input) {
      let deadline = DispatchTime.now() + .milliseconds(answersQuestions ? 500 : 150)
      while areAnswersDue || askedForLife != nil, readAnswer(before: deadline) {}
    }
    areAnswersDue = false
    askedForLife = nil
  }

  /// Reads one byte; false when none came in time.
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
