package import TerminalCore
package import CockpitStores

/// One answer or silence of the bot: what set it off, and everything on record that came of it.
///
/// Rows are linked by the ids that they name. What names none is linked by place and time and marked as such
/// (`Link.time`). Texts are untrusted: convert them to `PlainText` before drawing or printing.
package struct Exchange: Hashable, Sendable {
  /// What sort of exchange it is; the raw values are those of the JSON output.
  package enum Medium: String, CaseIterable, Hashable, Sendable {
    case text, voice, thought, automation, initiative
    /// What waited for an answer at a gateway.
    case request
  }

  /// Which exchange it is: stable while its rows are kept.
  package enum Key: Hashable, Sendable {
    /// The Discord id of the message that set it off.
    case message(String)
    /// An answer or a skip whose row names no message.
    case row(RowID)
    case turn(session: String, turn: VoiceTurnRecord.ID)
    /// A thought that was not spoken, by its own id.
    case thought(session: String, thought: String)
    /// A run of an automation, by the row that closes it.
    case run(RowID)
    /// A post of the bot's own accord, or one that it dropped.
    case initiative(RowID)
    /// What waited at a gateway, by the gateway's id.
    case request(RequestPart.Kind, String)
  }

  /// How a row was found.
  package enum Link: String, Hashable, Sendable {
    /// The row names the message, the turn, the session or the automation.
    case id
    /// The row names none: same channel and person, and the time fits. A last resort.
    case time
  }

  /// A row that something rests on.
  package struct Source: Hashable, Sendable {
    package var row: RowID?
    /// The backend's id; nil while none is known.
    package var actionID: Int?
    /// ms since 1970.
    package var timeMs: Int64
    /// The wire's kind.
    package var kind: String
    /// The event that the content names, or the kind.
    package var event: String
    package var link: Link = .id
  }

  /// A row that lets the message pass or stops it.
  package struct Decision: Hashable, Sendable {
    package var source: Source
    /// Nil when the row does not say.
    package var allow: Bool?
    /// The wire's code.
    package var reason: String?
  }

  /// Whether the message was meant for the bot, as the backend judged it.
  package struct Addressing: Hashable, Sendable {
    package var source: Source
    /// Nil when the row does not say.
    package var isDirect: Bool?
    package var reason: String?
    /// 0 to 1.
    package var confidence: Double?
    /// From which confidence on the bot takes it as meant for it.
    package var threshold: Double?
  }

  /// A model call that gave an answer.
  package struct Call: Hashable, Sendable {
    package var source: Source
    package var model: String?
    package var tools: [String]
    package var inputTokens: Int?
    package var outputTokens: Int?
    /// What the model wrote, at most 4,000 characters.
    package var output: String?
    package var hasPrompt: Bool
  }

  /// A tool that ran, or that the model called.
  package struct Tool: Hashable, Sendable {
    package var name: String
    /// Nil where no row stands for its result.
    package var source: Source?
    package var durationMs: Int?
    /// nil if unknown.
    package var isSuccess: Bool?
    package var error: String?
  }

  /// A row with a text: what was sent, or what went wrong.
  package struct Note: Hashable, Sendable {
    package var source: Source
    package var text: String
    /// The id of the message that was sent, where the row has one.
    package var messageID: String?
  }

  /// A row that cost something.
  package struct Cost: Hashable, Sendable {
    package var source: Source
    package var usd: Double
    /// The service, such as `model call`.
    package var name: String
  }

  /// A part of the time that it took.
  package struct Step: Hashable, Sendable {
    /// The wire's key, such as `llm1Ms`.
    package var key: String
    package var ms: Int
    /// The row that states the duration, or whose time ended the step.
    package var source: Source
    /// Whether it is the time between two rows; else a row states it.
    package var isInferred: Bool

    /// Its name on screen, such as `llm`.
    package var name: PlainText { StepNames.name(of: key) }
  }

  /// A fact that stood in front of the model.
  package struct UsedFact: Hashable, Sendable {
    /// Nil when the text is known but not the fact.
    package var id: Int?
    package var text: String
    /// Words that it shares with what was said, from 0 to 1 of its own words.
    package var overlap: Double
    /// Whether it is the owner's alone: lines for people name it without its text.
    package var isOwnerPrivate = false
  }

  package var key: Key
  package var medium: Medium
  package var guildID: String?
  package var channelID: String?
  package var sessionID: String?
  /// The user who triggered it; nil if no user did or no row names one.
  package var authorID: String?
  package var author: String?
  /// The words of the message or turn; nil if no row has them.
  package var words: String?
  /// The row in which the words stand.
  package var wordsSource: Source?
  /// The earliest row.
  package var trigger: Source?

  package var admission: Decision?
  package var queue: Decision?
  package var gate: Decision?
  package var addressing: Addressing?
  /// Number of tools offered to the model, and the row that states it.
  package var offeredTools: Int?
  package var offer: Source?
  package var calls: [Call] = []
  /// Failed model calls.
  package var modelErrors: [Note] = []
  package var tools: [Tool] = []
  /// Embeddings and searches besides the tools.
  package var lookups: [Source] = []
  /// Messages that were sent.
  package var sent: [Note] = []
  package var reactions: [Note] = []
  /// Rows that say that nothing was said; the text is the reason code.
  package var skips: [Note] = []
  /// The row that says that a gateway's run was stopped.
  package var stopped: Note?
  /// The newest row of a tool of a gateway's run.
  package var lastStep: Note?
  /// Errors right after the last call, where nothing was sent.
  package var sendErrors: [Note] = []
  /// Facts that were written.
  package var learned: [Note] = []
  package var voice: VoicePart?
  package var run: RunPart?
  package var initiative: InitiativePart?
  package var request: RequestPart?

  package var facts: [UsedFact] = []
  /// How many facts were looked for in the prompt.
  package var knownFacts = 0
  /// The row whose prompt the facts were read in; nil when no prompt is on record.
  package var prompt: Source?
  package var steps: [Step] = []
  package var costs: [Cost] = []
  /// All rows, oldest first.
  package var sources: [Source] = []

  /// ms since 1970.
  package var startMs: Int64 = 0
  package var endMs: Int64 = 0
  /// Until when rows of it could come, in ms since 1970.
  package var settledMs: Int64 = 0
  /// Whether rows of it may still come.
  package var isOpen = false
  /// Whether it is a run of a gateway's agent, which has no admission and no reply gate.
  package var isOfAgent = false
  /// Whether the connection was lost while it was going on: what came of it is not known here.
  package var isCutOff = false
  /// Whether every row from its beginning until `settledMs` is here: only then does a missing row say that
  /// something did not happen.
  package var isComplete = false

  package init(key: Key, medium: Medium) {
    self.key = key
    self.medium = medium
  }
}

extension Exchange {
  /// Additional data of a voice turn.
  package struct VoicePart: Hashable, Sendable {
    /// The turn, or the one that it was answered together with.
    package var turn: VoiceTurnRecord
    package var verdict: Verdict
    /// The rows of the moments that verdicts rest on, by the event's id.
    package var sources: [VoiceEvent.ID: Source]
    /// The code of the row that ended it, where it has one of its own.
    package var endReason: String?
  }

  /// Additional data of an automation run.
  package struct RunPart: Hashable, Sendable {
    package var automationID: String
    /// `ok`, `error` or `skipped`.
    package var status: String?
    package var statusAfter: String?
    package var source: Source
    /// The row's text after the automation's number.
    package var summary: String?
    /// Of a gateway's job.
    package var name: String?
    /// Whether what the job made reached a channel; nil if the row does not say it.
    package var isDelivered: Bool?
  }

  /// Additional data of an initiative post or of a thought.
  package struct InitiativePart: Hashable, Sendable {
    package var source: Source
    package var isPost: Bool
    package var reason: String?
  }

  /// All rows in US dollars; nil when none has a cost.
  package var costUSD: Double? { costs.isEmpty ? nil : costs.reduce(0) { $0 + $1.usd } }

  /// Of the rows that name the exchange.
  package var linkedCostUSD: Double? {
    let linked = costs.filter { $0.source.link == .id }
    return linked.isEmpty ? nil : linked.reduce(0) { $0 + $1.usd }
  }

  /// The slowest step, the first of equals; nil if no row has a duration.
  package var slowest: Step? {
    steps.reduce(nil) { best, step in step.ms > (best?.ms ?? 0) ? step : best }
  }

  /// From the first row to the outcome, in ms, or what the row of the outcome states; nil for a single row.
  package var totalMs: Int? {
    let ms = endMs - startMs
    return ms > 0 ? Int(ms) : nil
  }

  /// The bot's words, sent or only generated.
  package var answer: String? {
    sent.last?.text ?? voice?.turn.reply ?? reactions.last?.text ?? calls.last?.output
  }

  /// Who set it off, in words.
  package var authorName: String {
    author ?? authorID.map { "user …\($0.suffix(5))" } ?? "somebody"
  }
}
