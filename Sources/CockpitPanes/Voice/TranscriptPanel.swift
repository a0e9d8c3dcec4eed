import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// Something that was said, thought or happened in the room.
struct Utterance: Hashable {
  /// The fate of a user's speech, if known.
  enum Fate: Hashable {
    case answered
    /// The bot stayed silent, and why.
    case silent(word: String, reason: String?)
    case failed(String?)
    case interrupted
    case pending
  }

  var atMs: Int64?
  var kind: TurnKind = .speech
  var isBot = false
  var speaker: String
  var text: String
  /// The bot's guess of the addressee, and its confidence.
  var talkingTo: String?
  var confidence: Double?
  /// The source of that guess, and its reason.
  var guess: String?
  var fate: Fate?
  /// From the end of the speech to the first sound of the answer, in ms, if measured.
  var latencyMs: Int?
  /// The turn that was put together from events.
  var turnID: VoiceTurnRecord.ID?
  /// Not final: the partial transcript.
  var isPartial = false
  /// The recogniser hallucinated the text, or it was discarded as such: no user is known to have
  /// said it.
  var isDiscarded = false
  /// When the recogniser of a partial one last answered, be it with these words or those before.
  var recognisedAtMs: Int64?

  var item: VoiceItem {
    turnID.map { .turn($0) } ?? .spoken(atMs ?? 0, speaker, String(text.prefix(80)))
  }
}

/// The transcript, oldest first, following the newest: partial text in muted italics, silences with
/// their reason, the latency of each answer.
@MainActor
struct TranscriptPanel {
  let facts: ViewContext
  var utterances: [Utterance]
  var isFull: Bool
  var width: Int

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// At least the last `limit` lines, if there are that many.
  func lines(limit: Int) -> [VoiceLine] {
    var parts: [[VoiceLine]] = []
    var count = 0
    for utterance in utterances.reversed() {
      guard count < limit else { break }
      let lines = lines(utterance)
      count += lines.count
      parts.append(lines)
    }
    return parts.reversed().flatMap(\.self)
  }

  private var nameWidth: Int { width >= 60 ? 11 : width >= 34 ? 9 : 7 }

  private func lines(_ utterance: Utterance) -> [VoiceLine] {
    var head = name(utterance)
    var indent = nameWidth
    if isFull {
      let time = utterance.atMs.map { facts.clock.time(ms: $0) } ?? "-"
      head.insert(.label(time.padded(to: 8)), at: 0)
      indent += 9
    }
    let right = marks(utterance)
    let rightColumns = right.isEmpty ? 0 : right.reduce(0) { $0 + $1.columns + 1 }
    let room = width - indent - 1 - rightColumns
    let style = style(utterance)
    let text =
      (utterance.isDiscarded && !utterance.text.isEmpty ? "(recogniser, discarded) " : "")
      + PlainText(utterance.text, limit: 4000)
    // Only the first line reserves room for the marks at its end.
    let parts =
      text.isEmpty
      ? ["-"]
      : text.wrapped(
        first: max(6, room), rest: max(6, width - indent - 1), limit: isFull ? 40 : 6)
    var lines = parts.enumerated().map { index, part in
      VoiceLine(
        (index == 0 ? head : [.init(text: .spaces(indent))])
          + [.init(text: part, role: style.role, attributes: style.attributes)],
        trailing: index == 0 ? right : [], item: utterance.item)
    }
    if isFull, let note = addressing(utterance) {
      lines.append(
        VoiceLine([.init(text: .spaces(indent)), .label(note)], item: utterance.item))
    }
    return lines
  }

  private func name(_ utterance: Utterance) -> [VoiceLine.Span] {
    var name = PlainText(utterance.speaker.isEmpty ? "?" : utterance.speaker, limit: 40)
    if utterance.isPartial { name = name.cut(to: nameWidth - 1) + "~" }
    let role: Role =
      switch utterance.kind {
      case .thought: .initiative
      case .membership, .effect: .muted
      default: utterance.isBot ? .tts : .voice
      }
    return [.init(text: name.cut(to: nameWidth).padded(to: nameWidth), role: role)]
  }

  private func style(_ utterance: Utterance) -> (role: Role, attributes: Attributes) {
    if utterance.isPartial || utterance.isDiscarded { return (.muted, .italic) }
    switch utterance.kind {
    case .thought: return (.initiative, .italic)
    case .membership, .effect: return (.muted, [])
    default: return (.text, [])
    }
  }

  /// The end of the first line: the outcome.
  private func marks(_ utterance: Utterance) -> [VoiceLine.Span] {
    var marks: [VoiceLine.Span] = []
    switch utterance.fate {
    case .silent(let word, let reason)?:
      marks.append(.init(text: PlainText(word, limit: 8), role: .warning, attributes: .bold))
      if let reason {
        marks.append(.label(PlainText(reason, limit: 60).cut(to: max(8, width / 3))))
      }
    case .failed(let reason)?:
      marks.append(.init(text: "FAILED", role: .negative, attributes: .bold))
      if let reason {
        marks.append(.label(PlainText(reason, limit: 60).cut(to: max(8, width / 3))))
      }
    case .interrupted?: marks.append(.init(text: "CUT OFF", role: .warning))
    case .pending?: marks.append(.symbol(.running, .llm))
    case .answered?, nil: break
    }
    if let latency = utterance.latencyMs {
      marks.append(.init(text: figures.ms(latency), role: .number))
    }
    return marks
  }

  private func addressing(_ utterance: Utterance) -> PlainText? {
    guard utterance.talkingTo != nil || utterance.guess != nil else { return nil }
    return "to " + figures.text(utterance.talkingTo, limit: 40) + "  "
      + Figures.unit(utterance.confidence) + "  " + figures.text(utterance.guess, limit: 200)
  }
}

extension Utterance {
  /// A turn as the voice state lists it.
  init(_ turn: VoiceTurn) {
    let addressing = turn.addressing
    let guess = [addressing?.source, addressing?.reason].compactMap { $0 }.joined(separator: ": ")
    self.init(
      atMs: turn.at?.milliseconds, kind: turn.kind ?? .speech, isBot: turn.role == .assistant,
      speaker: turn.speakerName ?? "", text: turn.text ?? "", talkingTo: addressing?.talkingTo,
      confidence: addressing?.directedConfidence, guess: guess.isEmpty ? nil : guess)
  }

  /// Unfinished transcripts of the recognisers.
  static func partials(of session: VoiceSession) -> [Utterance] {
    var sessions = session.asrSessions
    if let shared = session.sharedAsrSession { sessions.append(shared.session) }
    return sessions.compactMap { asr in
      guard let text = asr.utterance?.partialText, !text.isEmpty else { return nil }
      let person = session.participants.first { $0.userID != nil && $0.userID == asr.userID }
      // Not `lastTranscriptAt`: that is the time of the previous transcript.
      let capture = session.activeCaptures.last { $0.userID != nil && $0.userID == asr.userID }
      return Utterance(
        atMs: capture?.startedAt?.milliseconds,
        speaker: asr.displayName ?? person?.displayName ?? asr.userID ?? "room", text: text,
        isPartial: true, recognisedAtMs: asr.lastTranscriptAt?.milliseconds)
    }
  }
}

extension PlainText {
  /// Lines of which the first has another width than the rest.
  func wrapped(first: Int, rest: Int, limit: Int) -> [PlainText] {
    guard columns > first, let head = wrapped(to: first, limit: 2).first else {
      return wrapped(to: first, limit: limit)
    }
    var tail = dropFirst(columns: head.columns)
    if let next = tail.description.first, next == " " || next == "⏎" {
      tail = tail.dropFirst(columns: 1)
    }
    return tail.isEmpty ? [head] : [head] + tail.wrapped(to: rest, limit: limit - 1)
  }
}
