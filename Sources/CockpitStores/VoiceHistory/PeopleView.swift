package import ClankyWire

/// The users of a live session and their state.
package struct PeopleView: Hashable, Sendable {
  package struct Person: Hashable, Sendable, Identifiable {
    /// User id; the name when no id is known.
    package var id: String
    package var name: String?
    /// Whether audio of this person is being captured.
    package var isSpeaking: Bool
    /// Start of speech, in ms since 1970; nil if not speaking or unknown.
    package var speakingSince: Int64?
    /// When the person was last heard, in ms since 1970; nil if never on record.
    package var lastHeardAt: Int64?
    /// The recogniser's phase; nil for a user without one (never spoke).
    package var asrPhase: AsrPhase?
    package var asrConnected: Bool?
    /// The partial transcript.
    package var partial: String?
    /// Whether the bot listens to this person first: the last to have addressed it.
    package var isFocus: Bool
    /// The last guess of whom this user is addressing, and its confidence, 0...1.
    package var talkingTo: String?
    package var confidence: Double?

    /// Time since the user was last heard, in ms; nil if there is no record.
    package func idleMs(at nowMs: Int64) -> Int64? {
      isSpeaking ? 0 : lastHeardAt.map { max(0, nowMs - $0) }
    }
  }

  /// In the order of the backend.
  package var people: [Person]

  /// Captured users missing from the roster are appended at the end.
  ///
  /// - Parameter heard: when each user was last heard, by user id, in ms since 1970, according to
  ///   events: recognisers know it only while they are open, and a shared one names no user.
  package init(session: VoiceSession, heard: [String: Int64] = [:]) {
    // Turns of the state have names and no ids (contract 5.2.4).
    var saidBy: [String: Int64] = [:]
    for turn in session.recentTurns where turn.role == .user && turn.kind ?? .speech == .speech {
      guard let name = turn.speakerName, let at = turn.at?.milliseconds else { continue }
      saidBy[name] = max(saidBy[name] ?? at, at)
    }
    let guesses = session.conversation.addressing?.recentAddressingGuesses ?? []
    func person(_ id: String?, _ name: String?) -> Person? {
      guard let key = id ?? name else { return nil }
      let capture = session.activeCaptures.first { capture in
        capture.userID.map { $0 == id }
          ?? (capture.displayName != nil && capture.displayName == name)
      }
      let shared = session.sharedAsrSession?.session
      let asr =
        session.asrSessions.first { $0.userID != nil && $0.userID == id }
        ?? (shared?.userID != nil && shared?.userID == id ? shared : nil)
      let guess = name.flatMap { name in
        guesses.filter { $0.speakerName == name }.min { ($0.ageMs ?? .max) < ($1.ageMs ?? .max) }
      }
      let lastAudio = (asr?.lastTranscriptAt ?? asr?.lastAudioAt)?.milliseconds
      let said = name.flatMap { saidBy[$0] }
      return Person(
        id: key, name: name, isSpeaking: capture != nil,
        speakingSince: capture?.startedAt?.milliseconds,
        lastHeardAt: [id.flatMap { heard[$0] }, lastAudio, said].compactMap { $0 }.max(),
        asrPhase: asr?.phase, asrConnected: asr?.connected,
        partial: asr?.utterance?.partialText.flatMap { $0.isEmpty ? nil : $0 },
        isFocus: id != nil && id == session.conversation.lastDirectAddressUserID,
        talkingTo: guess?.talkingTo,
        confidence: guess?.directedConfidence.flatMap { $0 > 0 ? $0 : nil })
    }
    people = session.participants.compactMap { person($0.userID, $0.displayName) }
    for capture in session.activeCaptures {
      guard let extra = person(capture.userID, capture.displayName),
        !people.contains(where: { $0.id == extra.id })
      else { continue }
      people.append(extra)
    }
  }
}

/// How often the bot chose not to answer.
package struct SkipRate: Hashable, Sendable {
  /// Turns that were decided.
  package var decisions = 0
  /// Turns that were denied, or whose reply was skipped.
  package var skipped = 0

  package init(decisions: Int = 0, skipped: Int = 0) {
    self.decisions = decisions
    self.skipped = skipped
  }

  package init(turns: [VoiceTurnRecord]) {
    for turn in turns where turn.origin == .speech && turn.mergedInto == nil {
      guard turn.decision?.allow != nil || turn.skipped != nil else { continue }
      decisions += 1
      if turn.outcome == .denied { skipped += 1 }
    }
  }

  /// 0...1; nil before the first decision.
  package var share: Double? { decisions == 0 ? nil : Double(skipped) / Double(decisions) }
}
