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
    parser.expectsReplies = true
    output.send(TerminalSequences.questions(abilities.questions))
    questionTimer = timer(after: .milliseconds(150)) { session in
      session.finishQuestions()
      // A slow line may still answer for a while.
      session.questionTimer = session.timer(after: .seconds(1)) {
        $0.parser.expectsReplies = false
        $0.questionTimer = nil
      }
    }
  }

  func learn(_ reply: TerminalReply) {
    switch reply {
    case .backgroundColor(let color): facts.backgroundColor = color
    case .mode(2026, let setting): facts.hasSynchronizedOutput = (1...3).contains(setting)
    case .mode: break
    case .colorScheme(let isDark): facts.prefersDark = isDark
    case .deviceAttributes:  // the last question: no other answer is due
      parser.expectsReplies = false
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

  /// Whether these bytes are the answer to that question, and no key.
  func takeLife(_ bytes: [UInt8]) -> Bool {
    guard let asked = askedForLife, bytes == TerminalSequences.lifeAnswer else { return false }
    askedForLife = nil
    let waited = DispatchTime.now().uptimeNanoseconds - asked.uptimeNanoseconds
    onAnswer(Int(waited / 1_000_000))
    return true
  }

  /// An answer that is still on the way would be typed into the shell: it is waited for, a fifth
  /// of a second at most.
  func awaitLife() {
    guard askedForLife != nil else { return }
    askedForLife = nil
    var bytes: [UInt8] = []
    let end = DispatchTime.now() + .milliseconds(200)
    while !bytes.contains(TerminalSequences.lifeAnswer), DispatchTime.now() < end {
      var poller = pollfd(fd: options.input, events: Int16(POLLIN), revents: 0)
      guard poll(&poller, 1, 20) > 0 else { continue }
      var byte: UInt8 = 0
      guard read(options.input, &byte, 1) == 1 else { return }
      bytes.append(byte)
    }
  }

  func finishQuestions() {
    let waiters = factsWaiters
    factsWaiters = []
    for waiter in waiters { waiter(facts) }
  }
}
