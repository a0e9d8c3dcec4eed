/// A small thing that happens in a voice session now and then: one or a few rows of the rarer
/// sub-types of contract Appendix A. The sessions show one at a time, in turn.
struct VoiceEpisode: Sendable {
  enum Actor: Sendable {
    case bot
    case speaker
    case nobody
  }

  struct Row: Sendable {
    var name: String
    var kind = "voice_runtime"
    var actor = Actor.bot
    /// Milliseconds of story after the row before.
    var afterMs = 0
    /// Rows of the provider client and the native subprocess know no session.
    var knowsSession = true
    var metadata: DemoJSON

    init(
      _ name: String, _ actor: Actor, after afterMs: Int = 0, kind: String = "voice_runtime",
      knowsSession: Bool = true, _ metadata: DemoJSON
    ) {
      self.name = name
      self.kind = kind
      self.actor = actor
      self.afterMs = afterMs
      self.knowsSession = knowsSession
      self.metadata = metadata
    }

    /// A row about the bot itself.
    init(
      _ name: String, after afterMs: Int = 0, knowsSession: Bool = true, _ metadata: DemoJSON
    ) {
      self.init(name, .bot, after: afterMs, knowsSession: knowsSession, metadata)
    }

    /// A row logged as `voice_error`.
    static func error(
      _ name: String, _ actor: Actor = .bot, after afterMs: Int = 0, metadata: DemoJSON
    ) -> Row {
      Row(name, actor, after: afterMs, kind: "voice_error", metadata)
    }
  }

  var rows: [Row]

  init(_ rows: Row...) {
    self.rows = rows
  }

  static let all: [VoiceEpisode] = zip3(hearing, speaking, room)

  /// Takes from each list in turn, so that every stretch of a session is varied.
  private static func zip3(_ lists: [VoiceEpisode]...) -> [VoiceEpisode] {
    let longest = lists.map(\.count).max() ?? 0
    return (0..<longest).flatMap { index in
      lists.compactMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }
}
