/// Why the bot was silent, or why it said what it said: one sentence, and the steps up to the one
/// where the turn stopped.
package struct Verdict: Hashable, Sendable {
  package enum Step: String, CaseIterable, Hashable, Sendable {
    case capture
    case promoted
    case asr
    case decision
    case generation
    case tools
    case reply
    case audio
  }

  package enum State: Hashable, Sendable {
    case passed
    case failed
    /// The turn ended here by decision.
    case stopped
    /// Not reached.
    case skipped
    /// Nothing on record says so or otherwise.
    case unknown
    /// No row says so; it follows from later ones.
    case inferred
    /// Going on.
    case running
  }

  package struct Item: Hashable, Sendable {
    package var step: Step
    package var state: State
    /// The known details; quotes untrusted text.
    package var detail: String
    /// The event it rests on; nil if it rests on none.
    package var event: VoiceEvent.ID?
    /// The row and id of that event for going there, and its time in ms since 1970.
    package var rowID: RowID?
    package var actionID: Int?
    package var timeMs: Int64?
  }

  /// One sentence.
  package var sentence: String
  /// All steps in order; for turns of the bot's own accord without capture, promotion and asr.
  package var items: [Item]
  /// Where the turn stopped; nil if the bot was heard, or the turn is still running.
  package var stop: Step?
  /// Whether the bot was heard: then the verdict says why it spoke.
  package var isAnswer: Bool
}
