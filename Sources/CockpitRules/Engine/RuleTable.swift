/// The rules of the program, in the order in which `incidents --rules` lists them.
package enum RuleTable {
  package static let all: [Rule] = voice + answers + bot + absence + gateway

  /// Rules over voice sessions.
  static let voice: [Rule] = [
    EmptyASR.rule, DeniedByLock.rule, LockStuck.rule, SilenceGateDrops.rule,
    GeneratedNoOutput.rule, ToolStalled.rule, ToolOwnershipMismatch.rule, BargeInStorm.rule,
    StaleResponse.rule, Reconnects.rule, CommentaryStorm.rule, MusicMasksSpeech.rule,
    ConfidenceDegraded.rule,
  ]

  /// Rules over answers, spoken and written.
  static let answers: [Rule] = [HighLatency.rule, ReplyMissing.rule]

  /// Rules over the bot and this program.
  static let bot: [Rule] = [
    TurnsPilingUp.rule, GenerationWatchdog.rule, RecogniserGone.rule, McpDown.rule,
    GatewayFlapping.rule, TunnelNotReady.rule, Budget.rule, ErrorBurst.rule, SilentBackend.rule,
    PromptJump.rule, NotRecorded.rule,
  ]

  /// Rules over what should have come and did not.
  package static let absence: [Rule] = [
    IgnoredThread.rule, GeneratedNotSent.rule, AutomationMissed.rule, SpeechWithoutTurns.rule,
    UnusualSilence.rule,
  ]

  /// Rules over the rows of an OpenClaw gateway.
  static let gateway: [Rule] = [
    GatewayRunFailed.rule, GatewayRunStalled.rule, GatewayToolFailing.rule, GatewayJobFailed.rule,
    GatewayJobMissed.rule, GatewayApprovalExpired.rule,
  ]

  /// Names of rows with which the bot says something: what `HourTable` counts.
  package static var outputs: Set<String> { UnusualSilence.outputs }

  /// Increment it when the verdicts of a rule change: cached results are then discarded.
  package static let version = 5

  /// How much earlier than a stretch its judging begins, in ms: a day at least, and whole days.
  package static let memoryMs: Int64 = {
    let longest = all.map(\.input.memoryMs).max() ?? 0
    return max(1, (longest + 86_399_999) / 86_400_000) * 86_400_000
  }()

  package static func rule(_ id: RuleID) -> Rule? { all.first { $0.id == id } }
}
