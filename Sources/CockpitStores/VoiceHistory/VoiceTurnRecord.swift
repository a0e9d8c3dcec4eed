package import LenientJSON

/// A turn of a voice session, built from its events (contract 8.5, with improvements): the speech
/// of one user until the bot answered or did not, or speech of the bot's own accord.
package struct VoiceTurnRecord: Identifiable, Hashable, Sendable {
  /// The id of the event it began with: stable while that event is kept.
  package typealias ID = VoiceEvent.ID

  package enum Origin: Hashable, Sendable {
    /// A user spoke.
    case speech
    /// An event in the channel, such as a user joining.
    case roomEvent
    /// The thought engine.
    case thought
  }

  package enum Outcome: String, Hashable, Sendable {
    /// The bot was heard.
    case responded
    /// It was decided not to answer, by rule or by the model.
    case denied
    /// It never reached a decision: silence, an empty transcript, superseded.
    case dropped
    /// It should have answered and did not.
    case failed
    /// A user interrupted the answer.
    case interrupted
    /// Not decided yet, or how it ended is not on record: see `isOpen(at:)`.
    case pending
  }

  /// Which way the answer is made (contract 8.8).
  package enum Path: Hashable, Sendable {
    /// Own model, then speech.
    case brain
    /// A transcript forwarded to the realtime provider.
    case bridge
    /// Audio to audio at the provider.
    case native
    case unknown
  }

  /// A moment of a turn.
  package struct Mark: Hashable, Sendable {
    /// Milliseconds since 1970.
    package var timeMs: Int64
    /// The event that says so.
    package var event: VoiceEvent.ID
    /// Whether it follows from other events only.
    package var isInferred = false
  }

  /// Whether to answer (contract appendix A, Decision).
  package struct Decision: Hashable, Sendable {
    package var mark: Mark
    /// nil if the row does not say.
    package var allow: Bool?
    /// Such as `generation_decides`, `model_no`, `bot_turn_open`.
    package var reason: String?
    package var directAddressed: Bool?
    /// 0...1; nil if missing or 0, which means the same.
    package var confidence: Double?
    /// `ME`, `ALL` or a name.
    package var talkingTo: String?
    /// The source of the addressing.
    package var addressingSource: String?
    /// `realtime`, `member_join_greeting` …
    package var source: String?
    /// Why the output was locked, if that was the reason.
    package var outputLockReason: String?
    package var participantCount: Int?
    package var queueWaitMs: Int?
    /// The name of the row, such as `voice_turn_addressing`.
    package var row: String
  }

  /// A tool that ran for the turn.
  package struct Tool: Hashable, Sendable {
    package var name: String
    package var callID: String?
    /// nil if neither a start nor a duration is known.
    package var startMs: Int64?
    /// nil while it runs, or if no end is known.
    package var endMs: Int64?
    /// As reported, or between the two rows; nil if unknown (a reported 0 is kept).
    package var durationMs: Int?
    /// nil while it runs, and if its end does not say.
    package var isSuccess: Bool?
    package var arguments: JSONValue?
    package var result: JSONValue?
    package var error: String?
    /// Whether the provider owns it, else the bot's own brain.
    package var isProviderOwned: Bool
    package var events: [VoiceEvent.ID]

    package var isRunning: Bool { isSuccess == nil && endMs == nil }
  }

  /// The four stages that the backend measures (contract 7.2), in ms; nil if not measured.
  package struct Latency: Hashable, Sendable {
    package var finalizedToAsrStartMs: Int?
    package var asrToGenerationStartMs: Int?
    package var generationToReplyRequestMs: Int?
    package var replyRequestToAudioStartMs: Int?
    package var queueWaitMs: Int?
    package var pendingQueueDepth: Int?
    package var mark: Mark
    /// Whether it is the row of the first audio; else that of the reply request, without audio.
    package var isComplete: Bool

    /// Sum of the known stages, computed as by the backend (contract 5.2.14); nil if none is known.
    package var totalMs: Int? {
      let known = LatencyStage.allCases.compactMap { self[$0] }
      return known.isEmpty ? nil : known.reduce(0, +)
    }

    package subscript(stage: LatencyStage) -> Int? {
      switch stage {
      case .finalizedToAsr: finalizedToAsrStartMs
      case .asrToGeneration: asrToGenerationStartMs
      case .generationToReply: generationToReplyRequestMs
      case .replyToAudio: replyRequestToAudioStartMs
      }
    }
  }

  /// Something odd about the turn (contract 8.6).
  package enum Anomaly: Hashable, Sendable {
    /// More than twice the session's mean total, in ms.
    case highLatency(ms: Int, meanMs: Int)
    /// Audio was captured and nothing was recognised.
    case emptyASR
    /// More than 30 s from the end of speech to the first sound of the answer, in ms.
    case outputGap(ms: Int)
    /// A tool of more than 3 s.
    case slowTool(name: String, ms: Int)
    /// No audio in the first place.
    case silentResponse
    case watchdog
    case toolFailed(name: String)
    case neverPlayed
  }

  package let id: ID
  package let origin: Origin
  /// User id; nil for the bot's own turns.
  package var speakerID: String?
  /// The name from rows and roster; nil if unknown.
  package var speaker: String?
  /// The user that a channel event is about.
  package var aboutID: String?
  /// Where it begins; the first event known when `isStartKnown` is false.
  package var startedAt: Int64
  package var isStartKnown = true
  /// The last event that belongs to it.
  package var lastAt: Int64
  /// Final segments, else the text at the decision, else the last partial; empty if nothing was
  /// recognised. Untrusted text.
  package var words = ""
  /// Whether `words` is a partial.
  package var isPartial = false
  /// The recogniser's items.
  package var itemIDs: [String] = []

  package var promoted: Mark?
  /// Why it counted as speech: `server_vad_confirmed` or `strong_local_audio`.
  package var promotionReason: String?
  /// Capture time before it counted as speech, in ms.
  package var promotionDelayMs: Int?
  package var finalized: Mark?
  package var captureReason: String?
  /// Length of the capture, in ms.
  package var captureMs: Int?
  package var firstPartial: Mark?
  package var asrFinal: Mark?
  package var decisions: [Decision] = []
  /// Whether speech over the bot may interrupt it; used as the decision if there is none.
  package var bargeInGate: Decision?
  package var generation: Mark?
  package var replyRequested: Mark?
  package var audioStarted: Mark?
  package var audioCompleted: Mark?
  package var interrupted: Mark?
  /// The user who interrupted the bot.
  package var interruptedBy: String?
  package var dropped: Mark?
  package var skipped: Mark?
  package var failed: Mark?
  /// Why it was dropped, skipped or failed: the wire's word, such as `asr_low_confidence`.
  package var reason: String?
  /// The turn that took it in: several speakers are answered together.
  package var mergedInto: ID?
  package var path: Path = .unknown
  package var source: String?
  package var requestID: Int?
  package var tools: [Tool] = []
  /// The bot's reply, spoken or intended; nil if unknown.
  package var reply: String?
  /// The addressee of the reply.
  package var replyTo: String?
  package var latency: Latency?
  /// The backend's estimate of the playback time, in ms.
  package var playbackMs: Int?
  /// US dollars of the rows of this turn.
  package var costUSD: Double?
  package var models: [String] = []
  package var outcome: Outcome = .pending
  /// Whether the outcome was inferred from missing events.
  package var isOutcomeInferred = false
  package var anomalies: [Anomaly] = []
  /// Whether nothing more is waited for: its speaker spoke again, or the session ended.
  package var isClosed = false
  /// All events of it, in order.
  package var events: [VoiceEvent.ID] = []

  init(id: ID, origin: Origin, startedAt: Int64) {
    self.id = id
    self.origin = origin
    self.startedAt = startedAt
    lastAt = startedAt
  }

  /// The decision that counts: the last one that says yes or no.
  package var decision: Decision? {
    decisions.last { $0.allow != nil } ?? decisions.last
      ?? bargeInGate.flatMap { $0.allow == false ? $0 : nil }
  }

  /// Why the bot was silent, in the wire's word; nil if it was not, or if unknown.
  package var skippedReason: String? {
    switch outcome {
    case .denied, .dropped, .failed: reason ?? decision?.reason
    default: nil
    }
  }

  /// Whether its text is recognised noise, or was discarded as such: no user is known to have said
  /// it.
  package var areWordsDiscarded: Bool {
    guard outcome == .dropped, let reason else { return false }
    return ["asr", "hallucination", "transcript", "silence_gate", "provisional_capture"]
      .contains { reason.contains($0) }
  }

  /// Whether its outcome deserves an explanation: it was answered, or the bot chose to be silent,
  /// or failed to answer.
  package var isWorthAsking: Bool {
    switch outcome {
    case .responded, .interrupted, .denied, .failed: mergedInto == nil
    case .dropped, .pending: false
    }
  }

  /// Whether it may still be running: two minutes without an outcome end it (contract 8.5).
  package func isOpen(at nowMs: Int64) -> Bool {
    outcome == .pending && !isClosed && nowMs - lastAt < Self.capMs
  }

  /// The outcome in a word: what had no end on record when it was over is unknown, not pending.
  package func outcomeWord(at nowMs: Int64) -> String {
    outcome == .pending && !isOpen(at: nowMs) ? "unknown" : outcome.rawValue
  }

  /// How long a turn waits for its outcome, in ms.
  package static let capMs: Int64 = 120_000
}

/// The four stages of a spoken reply (contract 7.2).
package enum LatencyStage: CaseIterable, Hashable, Sendable {
  case finalizedToAsr
  case asrToGeneration
  case generationToReply
  case replyToAudio

  /// The short name on screen.
  package var name: String {
    switch self {
    case .finalizedToAsr: "fin>asr"
    case .asrToGeneration: "asr>gen"
    case .generationToReply: "gen>reply"
    case .replyToAudio: "reply>audio"
    }
  }
  /// Its key in the rows and in the voice state.
  package var key: String {
    switch self {
    case .finalizedToAsr: "finalizedToAsrStartMs"
    case .asrToGeneration: "asrToGenerationStartMs"
    case .generationToReply: "generationToReplyRequestMs"
    case .replyToAudio: "replyRequestToAudioStartMs"
    }
  }
}
