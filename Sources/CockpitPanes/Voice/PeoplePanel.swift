import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The users in the channel, who speaks, whom the bot listens to, and its current thought.
@MainActor
struct PeoplePanel {
  let facts: ViewContext
  var session: VoiceSession
  /// When each was last heard, by user id, in ms since 1970: their recognisers forget it.
  var heard: [String: Int64] = [:]
  var skips: SkipRate
  /// The part of the session over which skips are counted; nil for all of it.
  var window: PlainText?
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// What the number of people is of.
  static let behind = RowsBehind(
    none: "the bot's own list of who is in the channel now; no row counts it")

  var title: PlainText {
    "participants " + Figures.count(session.participantCount ?? session.participants.count)
  }

  var trailing: PlainText {
    figures.text(session.conversation.wake.attentionMode?.description, limit: 12)
  }

  var lines: [VoiceLine] { people + attention }

  // MARK: People

  private var people: [VoiceLine] {
    let focus = focusID
    var lastHeard: [String: Int64] = [:]
    for person in PeopleView(session: session, heard: heard).people {
      lastHeard[person.id] = person.lastHeardAt
    }
    var lines = session.participants.map { person in
      let capture = session.activeCaptures.first { $0.userID != nil && $0.userID == person.userID }
      let asr = session.asrSessions.first { $0.userID != nil && $0.userID == person.userID }
      var spans: [VoiceLine.Span] = []
      if capture != nil {
        spans.append(.symbol(SpeakingPulse(facts).symbol, .voice))
      } else {
        spans.append(.init(text: " "))
      }
      let name = person.displayName.map { PlainText($0, limit: 32) } ?? figures.user(person.userID)
      spans.append(
        .init(text: name.cut(to: 14).padded(to: min(14, max(4, width - 28))), role: .voice))
      if let capture {
        spans.append(.init(text: "SPEAK", role: .positive, attributes: .bold))
        spans.append(.init(text: age(capture), role: .number))
      } else {
        let last = (person.userID ?? person.displayName).flatMap { lastHeard[$0] }
        spans.append(
          .label(
            last.map { "idle " + Figures.age(ms: facts.nowMs - $0) }
              ?? (window == nil ? "not heard yet" : "idle -")))
      }
      var trailing: [VoiceLine.Span] = []
      if let asr { trailing += [.label("asr"), .light(asr.connected, off: .warning)] }
      if person.userID != nil, person.userID == focus {
        trailing.append(.init(text: "FOCUS", role: .focus, attributes: .bold))
      }
      return VoiceLine(spans, trailing: trailing)
    }
    // Show open audio of users who are no (longer) participants.
    for capture in session.activeCaptures
    where !session.participants.contains(where: { $0.userID == capture.userID }) {
      let name =
        capture.displayName.map { PlainText($0, limit: 32) } ?? figures.user(capture.userID)
      lines.append(
        VoiceLine([
          .symbol(SpeakingPulse(facts).symbol, .voice), .init(text: name, role: .voice),
          .init(text: "SPEAK", role: .positive, attributes: .bold),
          .init(text: age(capture), role: .number),
        ]))
    }
    lines.append(bot)
    return lines
  }

  private var bot: VoiceLine {
    let isSpeaking = session.assistantOutput.isSpeaking || session.botTurnOpen == true
    return VoiceLine(
      [
        isSpeaking ? .symbol(SpeakingPulse(facts).symbol, .tts) : .init(text: " "),
        .init(text: ("bot" as PlainText).padded(to: min(14, max(4, width - 28))), role: .tts),
        .init(
          text: figures.text(session.assistantOutput.phase?.description, limit: 24),
          role: isSpeaking ? .positive : .muted),
      ], trailing: [.label("out"), .light(isSpeaking)])
  }

  private func age(_ capture: VoiceCapture) -> PlainText {
    if let start = capture.startedAt {
      return Figures.duration(ms: Double(max(0, facts.nowMs - start.milliseconds)))
    }
    return figures.ms(capture.ageMs)
  }

  /// The user the bot attends to: the newest open capture, else the last user to address it
  /// (contract 5.2.1: the wire has no field for it).
  private var focusID: String? {
    let newest = session.activeCaptures.max {
      ($0.startedAt?.milliseconds ?? 0) < ($1.startedAt?.milliseconds ?? 0)
    }
    return newest?.userID ?? session.conversation.lastDirectAddressUserID
  }

  private var focusName: PlainText {
    if let id = focusID {
      let person = session.participants.first { $0.userID == id }
      return person?.displayName.map { PlainText($0, limit: 24) } ?? figures.user(id)
    }
    return figures.text(session.conversation.addressing?.lastDirectedToMe?.speakerName, limit: 24)
  }

  // MARK: Attention

  /// The attention of the bot, without the people: the column of narrow screens.
  var attention: [VoiceLine] {
    let conversation = session.conversation
    let wake = conversation.wake
    let toMe = conversation.addressing?.lastDirectedToMe
    var lines = [
      VoiceLine([
        .label("FOCUS"), .init(text: focusName.cut(to: 14), role: .voice), .label("reply"),
        .init(
          text: since(conversation.lastAssistantReplyAt, wake.msSinceAssistantReply), role: .number),
      ]),
      VoiceLine([
        .label("ADDRESSED"),
        .init(
          text: since(conversation.lastDirectAddressAt, wake.msSinceDirectAddress), role: .number),
        .init(text: Figures.unit(toMe?.directedConfidence), role: .number),
        .label("WAKE"), .init(text: wakeLeft, role: .number),
      ]),
      thought,
      VoiceLine([
        .label("PENDING"), .init(text: Figures.count(session.pendingTurns), role: .number),
        .label("DEFER"),
        .init(text: Figures.count(session.pendingDeferredTurns), role: .number),
        .label("STREAMS"), .init(text: Figures.count(session.activeInputStreams), role: .number),
      ]),
      VoiceLine(
        skips.spans + (window.map { [.label($0)] } ?? []),
        item: skips.share == nil
          ? nil : .figure(RowsBehind(VoicePills.decisions(in: session.sessionID)))),
    ]
    if isFull { lines += details }
    return lines
  }

  private func since(_ time: WireTime?, _ ms: Int?) -> PlainText {
    time == nil ? Figures.age(ms: ms.map(Int64.init)) : figures.age(time)
  }

  /// How long the bot stays awake: 35 s after a reply or an address (contract 5.2.3), and while
  /// music keeps it awake.
  private var wakeLeft: PlainText {
    let wake = session.conversation.wake
    if let latched = session.conversation.musicWakeLatchedUntil,
      latched.milliseconds > facts.nowMs
    {
      return figures.left(latched) + " (music)"
    }
    guard let window = wake.windowMs else { return "-" }
    let conversation = session.conversation
    let last = [conversation.lastAssistantReplyAt, conversation.lastDirectAddressAt]
      .compactMap { $0 }.max()
    guard let last else { return "-" }
    let rest = last.milliseconds + Int64(clamping: window) - facts.nowMs
    return rest > 0 ? Figures.age(ms: rest) : "asleep"
  }

  private var thought: VoiceLine {
    let engine = session.conversation.thoughtEngine
    if let thought = engine.pendingThought {
      return VoiceLine([
        .label("THOUGHT"),
        .init(text: figures.text(thought.status?.description, limit: 12), role: .initiative),
        .init(text: figures.text(thought.text ?? thought.draftText), role: .text),
      ])
    }
    let state: PlainText =
      engine.busy == true ? "busy" : engine.busy == nil ? "-" : "idle"
    return VoiceLine([
      .label("THOUGHT"), .init(text: state, role: engine.busy == true ? .initiative : .text),
      .label("next"), .init(text: figures.left(engine.nextAttemptAt), role: .number),
    ])
  }

  private var details: [VoiceLine] {
    let conversation = session.conversation
    let wake = conversation.wake
    let engine = conversation.thoughtEngine
    var lines = [
      VoiceLine(
        "wake",
        "active " + figures.yesNo(wake.active) + "  speaker "
          + figures.yesNo(wake.currentSpeakerActive)
          + "  recent reply " + figures.yesNo(wake.recentAssistantReply) + "  recent address "
          + figures.yesNo(wake.recentDirectAddress) + "  window "
          + figures.ms(wake.windowMs)),
      VoiceLine(
        "since",
        "reply " + figures.ms(wake.msSinceAssistantReply) + "  address "
          + figures.ms(wake.msSinceDirectAddress) + "  by "
          + figures.user(conversation.lastDirectAddressUserID), .number),
      VoiceLine(
        "latch",
        figures.left(conversation.musicWakeLatchedUntil) + " by "
          + figures.user(conversation.musicWakeLatchedByUserID)),
      VoiceLine(
        "thinks",
        "last " + figures.age(engine.lastAttemptAt) + "  spoke " + figures.age(engine.lastSpokenAt)
          + "  next " + figures.left(engine.nextAttemptAt), .initiative),
    ]
    if let thought = engine.pendingThought { lines += pending(thought) }
    if let addressing = conversation.addressing {
      lines.append(
        VoiceLine(
          "speaker to",
          figures.text(addressing.currentSpeakerTarget, limit: 40) + "  "
            + Figures.unit(addressing.currentSpeakerDirectedConfidence)))
      if let toMe = addressing.lastDirectedToMe { lines.append(guess("to bot", toMe)) }
      for each in addressing.recentAddressingGuesses { lines.append(guess("guess", each)) }
    }
    return lines
  }

  private func guess(_ label: PlainText, _ guess: AddressingGuess) -> VoiceLine {
    VoiceLine(
      label,
      figures.text(guess.speakerName, limit: 40)
        + (guess.talkingTo.map { " to " + PlainText($0, limit: 40) } ?? "") + "  "
        + Figures.unit(guess.directedConfidence) + "  "
        + Figures.age(ms: guess.ageMs.map(Int64.init)), .voice)
  }

  private func pending(_ thought: PendingThought) -> [VoiceLine] {
    var lines = VoiceLine.wrapped(
      "thought", figures.text(thought.text, limit: 1000), .initiative, width: width)
    if thought.draftText != thought.text {
      lines += VoiceLine.wrapped(
        "draft", figures.text(thought.draftText, limit: 1000), width: width)
    }
    lines += [
      VoiceLine(
        "  why",
        figures.text(thought.trigger, limit: 60) + "  revision " + Figures.count(thought.revision)
          + "  " + figures.text(thought.lastDecisionAction?.description, limit: 20) + " "
          + figures.text(thought.lastDecisionReason)),
      VoiceLine(
        "  when",
        "made " + figures.age(thought.createdAt) + "  changed " + figures.age(thought.updatedAt)
          + "  basis " + figures.age(thought.basisAt) + "  age "
          + Figures.age(ms: thought.ageMs.map(Int64.init)) + "  not before "
          + figures.left(thought.notBeforeAt) + "  expires " + figures.left(thought.expiresAt),
        .number),
      VoiceLine(
        "  memory",
        Figures.count(thought.memoryFactCount) + " facts, used " + figures.yesNo(thought.usedMemory)
          + "  id " + figures.text(thought.id, limit: 60), .memory),
    ]
    if thought.invalidatedAt != nil || thought.invalidationReason != nil {
      lines.append(
        VoiceLine(
          "  dropped",
          figures.age(thought.invalidatedAt) + " ago by "
            + figures.user(thought.invalidatedByUserID)
            + "  " + figures.text(thought.invalidationReason), .warning))
    }
    return lines
  }
}
