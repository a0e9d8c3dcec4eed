extension World {
  /// Plays the next episode in `session`.
  func episode(_ session: VoiceSession) {
    let all = VoiceEpisode.all
    let episode = all[cursors.episodeCursor % all.count]
    cursors.episodeCursor += 1
    let speaker = session.participants.first { !$0.isBot } ?? session.requester
    var at = 0
    for row in episode.rows {
      at += row.afterMs
      after(max(1, pace(at))) { world in
        guard !session.ended else { return }
        let user: String? =
          switch row.actor {
          case .bot: Cast.bot.id
          case .speaker: speaker.id
          case .nobody: nil
          }
        let head: DemoJSON = row.knowsSession ? ["sessionId": .string(session.id)] : [:]
        world.log(
          row.kind, in: row.actor == .nobody ? .nowhere : session.place, user: user,
          content: .string(row.name), metadata: head.merging(row.metadata))
      }
    }
  }
}
