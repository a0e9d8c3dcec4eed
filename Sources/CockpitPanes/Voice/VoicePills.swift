import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The first rows of VOICE: the session, its state, its remaining time, and a light for each
/// component. Never dropped: a narrow screen shortens them.
@MainActor
struct VoicePills {
  let facts: ViewContext
  var session: VoiceSession
  /// The known decisions: how many, and how many ended in silence.
  var skips: SkipRate
  /// The part of the session over which they are counted; nil for all of it.
  var window: PlainText?

  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// Parts with a rank; when they do not fit the highest ranks go first.
  struct Part {
    var rank: Int
    var spans: [VoiceLine.Span]
    /// Minimum columns when cut; nil if it is shown in full or not at all.
    var least: Int?
    /// Columns between its spans.
    var gap = 1
    /// What stands behind its figures.
    var behind: RowsBehind?
    var columns: Int { spans.reduce(-gap) { $0 + $1.columns + gap } }
    var needed: Int { least.map { min($0, columns) } ?? columns }
  }

  static func fitting(_ parts: [Part], gap: Int, width: Int) -> [Part] {
    var shown = parts
    while shown.count > 1, shown.reduce(-gap, { $0 + $1.needed + gap }) > width {
      guard let worst = shown.indices.max(by: { shown[$0].rank < shown[$1].rank }) else { break }
      shown.remove(at: worst)
    }
    return shown
  }

  /// - Returns: the columns of parts with rows behind them.
  @discardableResult
  static func draw(
    _ parts: [Part], gap: Int = 2, into canvas: inout Canvas
  ) -> [(columns: Range<Int>, behind: RowsBehind)] {
    var figures: [(columns: Range<Int>, behind: RowsBehind)] = []
    var x = 1
    for part in fitting(parts, gap: gap, width: canvas.bounds.width - 2) {
      let start = x
      for span in part.spans {
        x = span.render(x: x, room: canvas.bounds.width - 1 - x, background: nil, into: &canvas)
        x += part.gap
      }
      if let behind = part.behind { figures.append((start..<max(start, x - part.gap), behind)) }
      x += gap - part.gap
    }
    return figures
  }

  static func draw(_ parts: [Part], gap: Int = 2, in area: Rect, into frame: inout Frame) {
    var figures: [(columns: Range<Int>, behind: RowsBehind)] = []
    frame.canvas.inside(area) { figures = draw(parts, gap: gap, into: &$0) }
    for figure in figures {
      let x = area.x + figure.columns.lowerBound
      frame.mark(
        Rect(x: x, y: area.y, width: figure.columns.count, height: 1), .figure(figure.behind))
    }
  }

  /// The query for the decisions that a rate of silences counts.
  static func decisions(in session: String) -> String {
    "session:" + QueryCompletion.quoted(session) + " event:voice_turn_addressing"
  }

  /// The available width: the lights stay even on the narrowest screen.
  enum Room {
    case tight, narrow, wide

    init(_ width: Int) { self = width < 60 ? .tight : width < 100 ? .narrow : .wide }
  }

  // MARK: Users and duration

  func head(_ room: Room) -> [Part] {
    let isWide = room == .wide
    let channel = session.voiceChannelID.map { facts.names.channel($0) } ?? "-"
    let wake = session.conversation.wake
    let attention = wake.attentionMode?.description ?? wake.active.map { $0 ? "ACTIVE" : "AMBIENT" }
    let isActive = wake.active ?? (wake.attentionMode == .active)
    let phase = phase(isWide: isWide)
    let stale = facts.asOf(.voice).map {
      Part(rank: 0, spans: [.init(text: $0, role: .heading, attributes: .bold)])
    }
    var parts: [Part] = [
      Part(
        rank: 0,
        spans: [
          .init(
            text: "#" + PlainText(channel, limit: 200).cut(to: isWide ? 32 : 24), role: .voice,
            attributes: .bold)
        ]),
      Part(
        rank: isWide ? 4 : 8,
        spans: [.init(text: figures.text(session.mode?.description, limit: 24), role: .muted)]
      ),
      Part(
        rank: 1,
        spans: [
          .init(text: figures.text(attention, limit: 12), role: isActive ? .positive : .muted)
        ]),
      Part(
        rank: 2,
        spans: [
          .init(
            text: phase,
            role: session.assistantOutput.isSpeaking ? .tts : .text)
        ]),
      Part(
        rank: 3,
        spans: [
          .label("up"), .init(text: figures.elapsed(since: session.startedAt), role: .number),
        ], behind: Self.timers),
      Part(
        rank: 5,
        spans: [.label("max"), timer(session.maxEndsAt)], behind: Self.timers),
      Part(
        rank: 6, spans: [.label("idle"), timer(session.inactivityEndsAt)], behind: Self.timers),
      Part(
        rank: 7,
        spans: [
          .init(text: count(session.participantCount ?? session.participants.count), role: .number),
          .label("ppl"),
        ], behind: PeoplePanel.behind),
      Part(
        rank: 2,
        spans: (isWide ? skips.spans : Array(skips.spans.prefix(2)))
          + (window.map { [.label($0)] } ?? []),
        behind: skips.share == nil ? nil : RowsBehind(Self.decisions(in: session.sessionID))),
    ]
    if let stale { parts.insert(stale, at: 0) }
    if isWide {
      parts.append(
        Part(
          rank: 8, spans: [.label("pend"), .init(text: pending, role: .number)],
          behind: .voiceState))
      parts.append(
        Part(
          rank: 9,
          spans: [
            .label("defer"), .init(text: count(session.pendingDeferredTurns), role: .number),
          ],
          behind: .voiceState)
      )
    }
    return parts
  }

  /// The phase of the output; narrow screens leave out how it is brought about.
  private func phase(isWide: Bool) -> PlainText {
    let phase = session.assistantOutput.phase
    if !isWide {
      switch phase {
      case .speakingLive?, .speakingBuffered?: return "SPEAKING"
      case .responsePending?: return "PENDING"
      case .awaitingToolOutputs?: return "TOOLS"
      default: break
      }
    }
    return PlainText(phase?.description ?? "-", limit: 24).uppercased()
  }

  private func timer(_ end: WireTime?) -> VoiceLine.Span {
    let isNear = end.map { $0.milliseconds - facts.nowMs < 120_000 } ?? false
    return .init(text: figures.left(end), role: isNear ? .warning : .number)
  }

  private func count(_ value: Int?) -> PlainText { Figures.count(value) }

  /// Turns that wait for the recogniser or the realtime provider.
  var pending: PlainText { count(session.pendingTurns) }

  private static let timers = RowsBehind(
    none: "a time that the bot states in its voice state; no row counts it")

  // MARK: Lights

  func pills(_ room: Room) -> [Part] {
    if room == .tight { return tight }
    let isWide = room == .wide
    var parts: [Part] = []
    if isWide {
      parts.append(pill(2, "TRANSPORT", [.light(session.playbackArm.armed, off: .warning)]))
    }
    parts += [
      pill(0, "ASR", asr), pill(0, "GEN", [generation]),
      pill(0, isWide ? "OUTPUT" : "OUT", [output]), pill(0, "RT", realtime),
    ]
    parts.append(pill(1, "MCP", mcp))
    parts.append(pill(1, "WATCH", watch))
    var music = pill(1, "MUSIC", music(isWide: isWide))
    music.least = 9
    parts.append(music)
    return parts
  }

  /// Seven lights without figures.
  private var tight: [Part] {
    func light(_ name: PlainText, _ span: VoiceLine.Span?) -> Part {
      Part(rank: 0, spans: [.label(name), span ?? .init(text: "-", role: .muted)], gap: 0)
    }
    let mcp: VoiceLine.Span? =
      switch mcp.first?.role {
      case .negative: .init(text: "!", role: .negative, attributes: .bold)
      case .positive: .symbol(.dot, .positive)
      default: nil
      }
    let music = session.music.phase == .playing ? music(isWide: false).first : nil
    return [
      light("ASR", asr.first), light("GEN", generation), light("OUT", output),
      light("RT", realtime.last { $0.text == "!" } ?? realtime.first),
      light("MCP", mcp), light("SEE", watch.first),
      light("MUS", music ?? (session.music.phase.map { _ in .symbol(.ring, .muted) })),
    ]
  }

  private func pill(_ rank: Int, _ name: PlainText, _ spans: [VoiceLine.Span]) -> Part {
    Part(rank: rank, spans: [.label(name)] + spans, behind: .voiceState)
  }

  private var asr: [VoiceLine.Span] {
    if let shared = session.sharedAsrSession {
      return [.light(shared.session.connected, off: .warning), .label("shared")]
    }
    guard !session.asrSessions.isEmpty else {
      guard let batch = session.batchAsr else { return [.init(text: "-", role: .muted)] }
      return [.light(true), .label("batch"), .init(text: count(batch.pendingTurns), role: .number)]
    }
    let states = session.asrSessions.map(\.connected)
    let isUp: Bool? = states.contains(true) ? true : states.contains(false) ? false : nil
    return [.light(isUp), .init(text: Self.up(states), role: .number)]
  }

  private var generation: VoiceLine.Span {
    switch session.assistantOutput.phase {
    case .responsePending: .symbol(.running, .llm)
    case .awaitingToolOutputs: .symbol(.running, .tool)
    case nil: .init(text: "-", role: .muted)
    default: .symbol(.ring, .muted)
    }
  }

  private var output: VoiceLine.Span {
    let output = session.assistantOutput
    if output.isSpeaking || session.botTurnOpen == true {
      return .symbol(SpeakingPulse(facts).symbol, .tts)
    }
    return output.phase == nil && session.botTurnOpen == nil
      ? .init(text: "-", role: .muted) : .symbol(.ring, .muted)
  }

  private var realtime: [VoiceLine.Span] {
    guard let state = session.realtime?.state else { return [.init(text: "-", role: .muted)] }
    var spans: [VoiceLine.Span] = [.light(state.connected, off: .negative)]
    if state.lastEventAt != nil {
      spans.append(.init(text: figures.age(state.lastEventAt), role: .number))
    }
    if state.lastError != nil || state.connected == false {
      spans.append(.init(text: "!", role: .negative, attributes: .bold))
    }
    return spans
  }

  private var mcp: [VoiceLine.Span] {
    guard !session.mcpStatus.isEmpty else { return [.init(text: "-", role: .muted)] }
    let states = session.mcpStatus.map(\.connected)
    let isBad = states.contains(false) || session.mcpStatus.contains { $0.lastError != nil }
    return [
      .init(
        text: Self.up(states) + (isBad ? "!" : ""),
        role: isBad ? .negative : states.contains(nil) ? .muted : .positive)
    ]
  }

  /// How many are connected of how many; `-` if no state is known.
  private static func up(_ states: [Bool?]) -> PlainText {
    let isKnown = states.contains { $0 != nil }
    return (isKnown ? PlainText("\(states.count { $0 == true })") : "-") + "/"
      + PlainText("\(states.count)")
  }

  private var watch: [VoiceLine.Span] {
    let watch = session.streamWatch
    guard watch.active == true else { return [.light(watch.active)] }
    var spans: [VoiceLine.Span] = [.light(true)]
    if let frames = watch.ingestedFrameCount {
      spans.append(.init(text: Figures.count(frames) + "f", role: .number))
    }
    spans.append(.init(text: figures.age(watch.latestFrameAt ?? watch.lastFrameAt), role: .muted))
    return spans
  }

  private func music(isWide: Bool) -> [VoiceLine.Span] {
    let music = session.music
    guard let phase = music.phase else { return [.init(text: "-", role: .muted)] }
    guard music.active == true else {
      return [.init(text: PlainText(phase.description, limit: 12), role: .muted)]
    }
    let mark: VoiceLine.Span =
      phase == .playing
      ? .init(text: ">", role: .media, attributes: .bold)
      : .init(text: PlainText(phase.description, limit: 18), role: .warning)
    let title = figures.text(music.title, limit: isWide ? 36 : 16)
    return [mark, .init(text: title, role: .media)]
  }
}

extension SkipRate {
  /// `SKIP 70% 30/43`, or `SKIP -` while nothing was decided.
  var spans: [VoiceLine.Span] {
    guard let share else { return [.label("SKIP"), .init(text: "-", role: .muted)] }
    return [
      .label("SKIP"), .init(text: Figures.percent(share), role: share > 0.5 ? .warning : .number),
      .init(text: PlainText("\(skipped)/\(decisions)"), role: .muted),
    ]
  }
}

/// The sign of a speaking user: it alternates with the second of the frame, which is drawn anyway,
/// so it needs no timer.
struct SpeakingPulse {
  var symbol: Symbol

  @MainActor init(_ facts: ViewContext) {
    symbol = facts.nowMs / 1000 % 2 == 0 ? .dot : .bullet
  }
}

extension VoiceSession {
  /// Turns that wait for the recogniser or the realtime provider; nil if neither says.
  var pendingTurns: Int? {
    switch (batchAsr?.pendingTurns, realtime?.pendingTurns) {
    case (nil, nil): nil
    case (let batch, let realtime): (batch ?? 0) + (realtime ?? 0)
    }
  }
}

extension VoiceMusic {
  /// The current track: the queue's title, else the last one requested.
  var title: String? { queueState.nowPlaying?.title ?? lastTrackTitle }
}
