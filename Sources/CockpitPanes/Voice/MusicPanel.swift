import CockpitText
import ClankyWire
import TerminalCore

/// Music: the current track, the queue, who requested it, and the bot's open questions.
@MainActor
struct MusicPanel {
  let facts: ViewContext
  var music: VoiceMusic
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  var trailing: PlainText { figures.text(music.phase?.description, limit: 20) }

  var lines: [VoiceLine] {
    var lines: [VoiceLine] = []
    let artists =
      music.queueState.nowPlaying?.artist ?? music.lastTrackArtists.joined(separator: ", ")
    if let title = music.title {
      var spans: [VoiceLine.Span] = [
        .init(text: music.phase == .playing ? ">" : " ", role: .media, attributes: .bold),
        .init(text: figures.text(title), role: music.active == true ? .media : .muted),
      ]
      if !artists.isEmpty { spans.append(.init(text: PlainText(artists, limit: 80), role: .muted)) }
      lines.append(
        VoiceLine(spans, trailing: [.label(figures.user(music.lastRequestedByUserID))]))
    }
    if let reason = music.pauseReason {
      lines.append(VoiceLine("paused", PlainText(reason.description, limit: 40), .warning))
    }
    if let handoff = music.replyHandoffMode {
      lines.append(
        VoiceLine(
          handoff == .duck ? "ducked" : "handoff",
          PlainText(handoff.description, limit: 20) + " for "
            + figures.user(music.replyHandoffRequestedByUserID) + "  "
            + figures.text(music.replyHandoffSource, limit: 40) + "  "
            + figures.age(music.replyHandoffAt), .warning))
    }
    if music.disambiguationActive == true || !music.pendingResults.isEmpty {
      lines.append(
        VoiceLine(
          "asking",
          figures.text(music.pendingQuery, limit: 80) + "  "
            + figures.text(music.pendingPlatform?.description, limit: 20) + "  "
            + figures.user(music.pendingRequestedByUserID) + "  "
            + figures.age(music.pendingRequestedAt), .warning))
      for (index, result) in music.pendingResults.enumerated() {
        lines.append(
          VoiceLine(
            [
              .label(PlainText("  \(index + 1)")),
              .init(text: figures.text(result.title, limit: 120)),
              .label(figures.text(result.artist, limit: 60)),
            ],
            trailing: [
              .label(figures.text(result.platform?.description, limit: 12)),
              // 0 means that the platform reports no length (contract 9.2).
              .init(
                text: Figures.duration(
                  ms: result.durationSeconds.flatMap { $0 > 0 ? $0 * 1000 : nil }), role: .number),
            ]))
        if isFull, let url = result.externalURL {
          lines.append(VoiceLine([.label("    " + PlainText(url, limit: 300))]))
        }
      }
    }
    lines += queue
    if isFull { lines += details }
    return lines
  }

  private var queue: [VoiceLine] {
    let queue = music.queueState
    return queue.tracks.enumerated().compactMap { index, track in
      let isNow = index == queue.nowPlayingIndex
      // The upcoming queue omits played tracks; the full view shows all.
      if !isFull, let now = queue.nowPlayingIndex, index <= now { return nil }
      return VoiceLine(
        [
          .label(PlainText("\(index + 1)").leftPadded(to: 3)),
          .init(text: figures.text(track.title, limit: 120), role: isNow ? .media : .text),
          .label(figures.text(track.artist, limit: 60)),
        ], trailing: [.label(figures.text(track.source?.description, limit: 4))])
    }
  }

  private var details: [VoiceLine] {
    let queue = music.queueState
    var lines = [
      VoiceLine(
        "queue",
        Figures.count(queue.tracks.count) + " tracks, volume " + Figures.percent(queue.volume)
          + ", paused " + figures.yesNo(queue.isPaused), .number),
      VoiceLine(
        "started", figures.time(music.startedAt) + "  " + figures.age(music.startedAt) + " ago",
        .number),
      VoiceLine("stopped", figures.time(music.stoppedAt), .number),
      VoiceLine(
        "provider",
        figures.text(music.provider, limit: 40) + "  source "
          + figures.text(music.source, limit: 40)),
      VoiceLine(
        "command",
        figures.text(music.lastCommandReason, limit: 80) + "  " + figures.age(music.lastCommandAt)),
    ]
    lines += VoiceLine.wrapped(
      "asked", figures.text(music.lastRequestText, limit: 600), width: width)
    lines.append(VoiceLine("query", figures.text(music.lastQuery)))
    lines.append(
      VoiceLine(
        "track",
        figures.text(music.lastTrackID, limit: 80) + "  " + figures.text(music.lastTrackURL),
        .muted))
    // A playback URL can be a signed key to the stream (contract 5.2.12): said to exist, not shown.
    let playback: PlainText =
      music.lastPlaybackURL == nil ? "no URL" : "URL known, not shown here: J has it"
    lines.append(
      VoiceLine(
        "playback", playback + ", direct " + figures.yesNo(music.lastPlaybackResolvedDirectURL),
        .muted))
    return lines
  }
}
