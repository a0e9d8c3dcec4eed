internal import CockpitStatistics

/// 12: while music plays, the bot does not hear people who address it.
struct MusicMasksSpeech: RuleState {
  static let rule = Rule(
    id: .musicMasksSpeech, level: .warning,
    condition: "2 turns within 60 s are lost while music plays, and more than without music",
    advice: "Turn the music down or let it duck; say the bot's name first.",
    input: RuleInput(
      names: [
        "voice_turn_dropped_silence_gate", "voice_turn_dropped_asr_low_confidence",
        "voice_realtime_transcription_empty", "voice_turn_addressing", "voice_activity_started",
        "voice_music_started", "voice_music_stopped", "voice_music_paused", "voice_session_end",
      ],
      keys: ["allow", "reason", "directedConfidence", "heard", "title"], voiceState: true),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 2, meaning: "turns that were lost"),
      RuleLimit(name: "within_ms", unit: .ms, standard: 60_000, meaning: "the time they fall into"),
      RuleLimit(name: "confidence", unit: .ratio, standard: 0.8, meaning: "it counts as addressed"),
    ],
    begin: { MusicMasksSpeech($0) })

  private struct Session {
    var isPlaying = false
    var title: String?
    var lost = RecentRows()
    /// Turns and lost ones, without and with music.
    var turns = (quiet: 0, music: 0)
    var losses = (quiet: 0, music: 0)
  }

  private let count: Int
  private let withinMs: Int64
  private let confidence: Double
  private var sessions: [String: Session] = [:]

  init(_ values: RuleValues) {
    count = values.count("count")
    withinMs = values.ms("within_ms")
    confidence = values["confidence"]
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .voice(let samples):
      for sample in samples where sample.isMusicPlaying || sessions[sample.sessionID] != nil {
        sessions[sample.sessionID, default: Session()].isPlaying = sample.isMusicPlaying
        sessions[sample.sessionID]?.title = sample.musicTitle
      }
    case .row(let row): take(row, &found)
    case .health, .outage, .link: break
    }
  }

  private mutating func take(_ row: RuleRow, _ found: inout Findings) {
    guard let id = row.sessionID else { return }
    if row.name == "voice_session_end" {
      sessions[id] = nil
      return
    }
    var session = sessions[id] ?? Session()
    defer { sessions[id] = session }
    switch row.name {
    case "voice_music_started":
      session.isPlaying = true
      session.title = row.string("title") ?? session.title
    case "voice_music_stopped", "voice_music_paused": session.isPlaying = false
    case "voice_activity_started":
      if session.isPlaying { session.turns.music += 1 } else { session.turns.quiet += 1 }
    default:
      if row.name == "voice_turn_addressing" {
        // Who does not mean the bot is not to be answered.
        guard row.bool("allow") == false, row.string("reason") == "music_playing_not_awake",
          (row.double("directedConfidence") ?? 0) > confidence
        else { return }
      }
      guard session.isPlaying else {
        session.losses.quiet += 1
        return
      }
      session.losses.music += 1
      session.lost.add(row, withinMs: withinMs)
      guard session.lost.count >= count else { return }
      report(row, &session, &found)
    }
  }

  private func report(_ row: RuleRow, _ session: inout Session, _ found: inout Findings) {
    let rows = session.lost.rows
    session.lost.removeAll()
    let quiet = max(session.turns.quiet, session.losses.quiet)
    let music = max(session.turns.music, session.losses.music)
    var word = "Music possibly masks speech"
    if quiet >= Self.least, music >= Self.least {
      let with = Share(session.losses.music, of: music)
      let without = Share(session.losses.quiet, of: quiet)
      guard with.value ?? 0 > without.value ?? 0, FisherExact.p(with, without) < Self.level
      else { return }
      word = "Music masks speech"
    }
    let title = RuleWords.quoted(session.title).map { " (\($0))" } ?? ""
    found.report(
      .init(
        .warning,
        "\(word)\(title): \(session.losses.music) of \(music) turns lost with it, "
          + "\(session.losses.quiet) of \(quiet) without", rows.map(\.cite), about: row, subject: ""
      ))
  }

  private static let least = 10
  private static let level = 0.05
}
