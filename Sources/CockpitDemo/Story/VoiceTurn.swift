/// Something said in voice, and the answer.
struct VoiceTurn: Sendable {
  var speaker: Person
  var text: String
  var tools: [Tool] = []
  /// nil: the bot decides not to speak.
  var reply: String?
  /// The addressee: `ME`, `ALL` or a name.
  var target = "ME"
  /// How the turn proceeds if it does not simply succeed.
  var fate = Fate.plain
  /// Another user who talks to someone else during this turn.
  var overlap: Line?
  /// The disturbance while the bot speaks the reply.
  var disturbance: Disturbance?
  /// Where the reply comes from: a heard turn, a greeting, a thought.
  var source = "realtime"

  /// Words of one person.
  struct Line: Sendable {
    var person: Person
    var text: String
  }

  enum Fate: Sendable {
    case plain
    /// Speech while music plays, without the bot's name: not for the bot.
    case duringMusic
    /// The recogniser returns nothing.
    case silent
    /// The recogniser returns something it does not trust.
    case mumbled
    /// The model does not answer before the watchdog barks; the second attempt works.
    case stalled
    /// The reply is generated but no sound arrives; the request is repeated.
    case mute
  }

  enum Disturbance: Sendable {
    /// A user takes over: the bot stops and listens.
    case interruption(Line, reply: String?)
    /// A user talks over the bot without stopping it.
    case talkOver(Line)
  }

  var isUnheard: Bool {
    switch fate {
    case .silent, .mumbled: true
    case .plain, .duringMusic, .stalled, .mute: false
    }
  }
}

/// Whether a heard turn may be answered, and why (contract Appendix A, decision reasons).
struct VoiceDecision: Sendable {
  var allow: Bool
  var reason: String
  /// Why the output is locked, when it is.
  var lock: String?
  /// The result of the yes/no model, if it was called.
  var classifier: Classifier?

  struct Classifier: Sendable {
    var yes: Bool
    var confidence: Double
    var latency: Int
  }
}

/// Moments of one turn, so that rows and the latency entry agree.
struct TurnTimes {
  /// 0 for unprompted replies: the first two stages are unknown then.
  var finalized: Int64 = 0
  var asrStart: Int64 = 0
  var asrDone: Int64 = 0
  var generation: Int64 = 0
  var request: Int64 = 0
  var queueWait = 0

  /// Contract 7.2.
  func stages(audio: Int64?) -> [Int?] {
    let heard = finalized > 0
    return [
      heard ? Int(asrStart - finalized) : nil, heard ? Int(generation - asrDone) : nil,
      Int(request - generation), audio.map { Int($0 - request) },
    ]
  }
}
