import CockpitRules
import Testing

@testable import CockpitDemo

/// What the owner's fifteen rules must not take for a fault, and the recordings that show it.
@Suite struct RuleExceptionTests {
  struct Exception: Sendable {
    var rule: RuleID
    var what: String
    var cases: [String]
    /// The level if it is told all the same, as something milder or under another name.
    var told: RuleLevel?

    init(_ rule: RuleID, _ what: String, _ cases: String..., told: RuleLevel? = nil) {
      (self.rule, self.what, self.cases, self.told) = (rule, what, cases, told)
    }
  }

  /// By rule, in the order of docs/rules.md.
  static let exceptions: [Exception] = [
    Exception(
      .emptyASR, "the turn was held or merged", "the turn was held for others of the room",
      "it was merged after it closed"),
    Exception(
      .emptyASR, "silence gate and provisional drops", "the silence gate dropped it",
      "a provisional capture"),
    Exception(.emptyASR, "under 700 ms", "shorter than 700 ms"),
    Exception(
      .emptyASR, "the session ends within 2 s", "the session ended within two seconds"),
    Exception(
      .deniedByLock, "the same words are allowed within 10 s",
      "the same words were allowed six seconds later", told: .info),
    Exception(
      .deniedByLock, "the person interrupted the bot", "the person interrupted just after",
      "the person had interrupted just before"),
    Exception(.lockStuck, "a tool runs", "a tool runs"),
    Exception(.lockStuck, "less than two states", "one state only"),
    Exception(.silenceGateDrops, "bursts", "bursts of noise"),
    Exception(
      .silenceGateDrops, "an open microphone without speech", "an open microphone is told once",
      told: .info),
    Exception(.generatedNoOutput, "superseded", "newer input superseded it"),
    Exception(.generatedNoOutput, "skipped", "it was skipped"),
    Exception(.generatedNoOutput, "interrupted", "somebody interrupted"),
    Exception(.generatedNoOutput, "only soundboard", "a sound, no words"),
    Exception(.generatedNoOutput, "leaving was requested", "leaving was requested"),
    Exception(.generatedNoOutput, "queued", "it waits in the queue"),
    Exception(.generatedNoOutput, "the session ends", "the session ended"),
    Exception(
      .toolStalled, "slow tools, by their own p95", "a tool that is known to be slow",
      "its own p95 allows it"),
    Exception(.toolStalled, "the session ends", "the session ended"),
    Exception(.toolStalled, "a restart in between", "lost by a restart", told: .info),
    Exception(
      .toolOwnership, "5 s around changed settings", "settings changed three seconds after",
      "settings changed three seconds before"),
    Exception(.toolOwnership, "the ownership is not told", "nobody told the ownership"),
    Exception(.bargeInStorm, "one capture is asked many times", "one capture, asked three times"),
    Exception(.staleResponse, "it waits for a tool", "waiting for a tool"),
    Exception(.staleResponse, "less than three states", "two states"),
    Exception(.reconnects, "code 1000", "normal closes"),
    Exception(.reconnects, "idle sockets", "idle sockets"),
    Exception(.reconnects, "the session ends", "the session ended"),
    Exception(.reconnects, "the pair of rows of one close", "the two rows of one close are one"),
    Exception(.commentaryStorm, "the first frame", "first frames"),
    Exception(.commentaryStorm, "somebody asked for it", "somebody asked"),
    Exception(.musicMasksSpeech, "not addressed", "nobody addressed the bot"),
    Exception(
      .musicMasksSpeech, "as frequent without music", "as many are lost without music"),
    Exception(
      .musicMasksSpeech, "fewer than ten on a side: possibly", "two lost turns while it plays",
      told: .warning),
    Exception(.highLatency, "the first turn of a session", "the first turn of a session"),
    Exception(.highLatency, "the queue is the greater part", "the queue is to blame", told: .info),
    Exception(.confidenceDegraded, "clips under 400 ms", "short clips"),
    Exception(
      .replyMissing, "another reply's triggers", "among the triggers of another answer"),
    Exception(.replyMissing, "the model's error", "the error has a row of its own"),
    Exception(.replyMissing, "a restart in between", "lost by a restart", told: .info),
    Exception(.replyMissing, "the queue is not empty", "the queue is not empty yet"),
    Exception(
      .replyMissing, "skipped though addressed", "the model skipped though addressed", told: .info),
  ]

  @Test("every exception of the fifteen rules has its recording") func exceptions() {
    for exception in Self.exceptions {
      for name in exception.cases {
        let example = RuleCaseTests.all.first { $0.rule == exception.rule && $0.name == name }
        #expect(
          example?.levels == exception.told.map { [$0] } ?? [],
          "\(exception.rule.rawValue), \(exception.what): \(name)")
      }
    }
    #expect(Set(Self.exceptions.map(\.rule)).count == 15)
  }

  // MARK: The older backend

  /// Whether the March release writes such an event.
  private static func isOfMarch(_ event: RuleEvent) -> Bool {
    guard let row = event.row else { return true }
    return Kinds.isWritten(row.kind, by: .march) && !Kinds.mayOnlyVoice.contains(row.name)
  }

  private static func inMarch(_ example: RuleCase) -> [Incident] {
    var tape = example.tape
    tape.events.removeAll { !isOfMarch($0) }
    return tape.judged(by: example.rule, example.settings)
  }

  @Test("a backend of March: every rule fires and is silent on what that release sends")
  func march() {
    for rule in RuleTable.all {
      let whole = RuleCaseTests.all.filter { example in
        example.rule == rule.id && example.tape.events.allSatisfy(Self.isOfMarch)
      }
      #expect(whole.filter { !$0.levels.isEmpty }.count >= 3, "\(rule.id.rawValue)")
      #expect(whole.filter(\.levels.isEmpty).count >= 5, "\(rule.id.rawValue)")
    }
  }

  @Test("rows that March does not send are no fault there, unless they were the excuse")
  func withoutMayRows() {
    for example in RuleCaseTests.all where !example.tape.events.allSatisfy(Self.isOfMarch) {
      let found = Self.inMarch(example).map(\.level)
      let isExcused = example.levels.isEmpty
      #expect(
        found.count <= example.levels.count || isExcused,
        "\(example.testDescription): \(found)")
    }
  }
}
