import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension VoicePane {
  /// The content of a panel.
  struct Content {
    var title: PlainText
    var trailing: PlainText = ""
    var lines: [VoiceLine] = []
    var placeholder: PlainText = "-"
    /// Drawn above the lines.
    var waterfall: Waterfall?
    /// What stands behind the figures of the title, of the text at its right, and of the waterfall.
    var titleFigure: RowsBehind?
    var trailingFigure: RowsBehind?
    var measurement: RowsBehind?
  }

  /// The part of a panel that its lines have.
  func contentArea(_ area: Rect, hasBox: Bool) -> Rect {
    PanelFrame.content(of: area, hasBox: hasBox)
  }

  /// Lines of the waterfall above the verdict, when there is room for both.
  static func waterfallRows(_ content: Content, height: Int) -> Int {
    content.waterfall == nil ? 0 : content.lines.isEmpty ? height : min(9, height)
  }

  @MainActor func content(
    _ panel: Panel, _ facts: ViewContext, size: Size, isFull: Bool
  ) -> Content {
    content(panel, scene(facts), facts, size: size, isFull: isFull)
  }

  /// A panel that follows its live end computes only visible lines.
  ///
  /// - Parameter scene: that of the view context; passed in because it is large and every panel
  ///   needs it.
  @MainActor func content(
    _ panel: Panel, _ scene: VoiceScene?, _ facts: ViewContext, size: Size, isFull: Bool
  ) -> Content {
    if panel == .raw { return Content(title: "raw json", trailing: rawTitle, lines: raw) }
    guard let scene else { return history(panel, facts, width: size.width) }
    let limit = cursors[panel]?.isResting ?? true ? max(1, size.height) : .max
    switch panel {
    case .list where view == .history || view == .live:
      return history(panel, facts, width: size.width)
    case .summary: return history(panel, facts, width: size.width)
    case .transcript: return transcript(scene, size: size, limit: limit, isFull: isFull)
    case .report where view == .history:
      guard let id = chosenPast(facts) else { return Content(title: "report") }
      return report(VoiceScene(facts, past: id), size: size, limit: .max, isPreview: true)
    case .report: return report(scene, size: size, limit: limit)
    case .turn: return turn(scene, size: size, isFull: isFull)
    case .event: return event(scene, size: size)
    case .list where view == .events: return events(scene, size: size, limit: limit)
    case .list where view == .anomalies: return anomalies(scene, size: size)
    case .list:
      let list = TurnLines(scene: scene, isOnlySkips: view == .skips, width: size.width)
      return Content(
        title: view == .skips ? "silences" : "turns",
        trailing: view == .skips
          ? Figures.count(list.turns.count) + " of " + scene.turnCount : scene.turnCount,
        lines: list.lines,
        placeholder: scene.record == nil ? noEvents(scene) : "None on record.",
        trailingFigure: scene.behind(list.turns))
    case .tools:
      let tools = ToolsPanel(
        facts: facts, tools: scene.tools, open: openTools, isFull: isFull, width: size.width)
      return Content(
        title: tools.title, trailing: tools.trailing, lines: tools.lines(limit: limit),
        placeholder: "no tool was called", titleFigure: scene.behind(tools.tools),
        trailingFigure: scene.behind(tools.tools.filter { $0.state == .failed }))
    case .people: return people(scene, size: size, isFull: isFull)
    case .screen, .music, .engine:
      guard let session = scene.session else { return Content(title: panel.title) }
      return parts(panel, session, facts, size: size, limit: limit, isFull: isFull)
    case .trend:
      let stats = scene.latency
      return Content(
        title: panel.title,
        trailing: "p50 " + Figures.duration(ms: stats.total.p50.map(Double.init)) + "  p95 "
          + Figures.duration(ms: stats.total.p95.map(Double.init))
          + (scene.latencyWindow.map { "  " + $0.whole } ?? ""),
        trailingFigure: scene.behindLatency)
    case .lanes, .sessions, .raw: return Content(title: panel.title)
    }
  }

  @MainActor private func transcript(
    _ scene: VoiceScene, size: Size, limit: Int, isFull: Bool
  ) -> Content {
    let panel = TranscriptPanel(
      facts: scene.facts, utterances: scene.utterances(limit: limit), isFull: isFull,
      width: size.width)
    return Content(
      title: "transcript",
      trailing: limit < .max
        ? (scene.isLive && scene.facts.asOf(.voice) == nil ? "FOLLOW" : "end")
        : scene.facts.keys.text(.follow) + " follows",
      lines: panel.lines(limit: limit),
      placeholder: scene.isLive || scene.record != nil ? "nothing was said yet" : noEvents(scene))
  }

  /// Why a session has no events, and what to do.
  @MainActor func noEvents(_ scene: VoiceScene) -> PlainText {
    if scene.isLive { return "No event of this session has come yet." }
    if let problem = scene.facts.voice.summaries[scene.id]?.problem {
      return "Its events could not be had: " + PlainText(problem: problem, limit: 200)
        + ". " + scene.facts.keys.text(.open) + " asks again."
    }
    return pastID != nil || wantedSummaries(scene.facts).first == scene.id
      ? "Its events are on their way…"
      : scene.facts.keys.text(.open) + " fetches the events of this session."
  }

  @MainActor private func turn(_ scene: VoiceScene, size: Size, isFull: Bool) -> Content {
    let turn = shownTurn(scene)
    var content = Content(
      title: "turn",
      placeholder: view == .skips && !scene.turns.isEmpty
        ? "no turn ended in silence" : "no turn is on record yet")
    let showsVerdict = isWhyOpen || view != .live || isFull || size.height >= 16
    let showsWaterfall = !(isWhyOpen || view != .live) || size.height >= 20
    if showsWaterfall {
      content.waterfall = scene.waterfall(turn)
      content.measurement = turn.flatMap(scene.behindLatency) ?? .voiceState
    }
    content.trailingFigure = scene.behindLatency
    if turn == nil, content.waterfall != nil { content.title = "last answer" }
    if let turn {
      let number = scene.number(of: turn.id).map { "#\($0) " } ?? ""
      content.title = PlainText("turn \(number)\(turn.outcomeWord(at: scene.nowMs))")
      let page = size.width < 40 ? 5 : 0  // `3/10 ` before the title where panels are shown singly
      content.trailing = remark(on: turn, scene, width: size.width - content.title.columns - page)
      if showsVerdict {
        let rows = size.height - (content.waterfall == nil ? 0 : min(9, size.height))
        content.lines =
          VerdictLines(scene: scene, turn: turn, isFull: isFull, width: size.width)
          .lines(filling: rows)
      } else if content.waterfall == nil {
        content.lines =
          VerdictLines(scene: scene, turn: turn, isFull: false, width: size.width)
          .lines
      }
    }
    return content
  }

  /// The session's percentiles with their window, the turn's number and how to ask why; as much as
  /// fits beside the title. The turn comes first if it is not the newest. The window has priority
  /// over `W why`, which the hints show as well.
  ///
  /// - Parameter width: columns left by the title.
  @MainActor private func remark(
    on turn: VoiceTurnRecord, _ scene: VoiceScene, width: Int
  ) -> PlainText {
    let which: PlainText = turnID == nil ? "newest" : scene.facts.clock.time(ms: turn.startedAt)
    let why: PlainText? = isWhyOpen ? nil : "W why"
    let total = scene.latency.total
    let window = scene.latencyWindow
    let median = total.p50.map { "p50 " + Figures.duration(ms: Double($0)) }
    let both = median.map { $0 + " p95 " + Figures.duration(ms: total.p95.map(Double.init)) }
    func with(_ figures: PlainText?, _ window: PlainText?) -> PlainText? {
      guard let figures, let window else { return nil }
      return figures + " " + window
    }
    let whole = with(both, window?.whole)
    let short = with(both, window?.brief)
    let shortest = with(median, window?.brief)
    let choices: [[PlainText?]] =
      turnID == nil
      ? [[which, whole, why]] + (isWhyOpen ? [[which, short], [which, shortest]] : [])
        + [[whole, why], [short, why], [shortest, why], [shortest], [why]]
      : [
        [which, whole, why], [which, short, why], [which, shortest], [which, why], [which],
      ]
    // Between title and remark there is a piece of the border, and a space on each side of both.
    let texts = choices.map { $0.compactMap(\.self).joined(separator: "  ") }
    return texts.first { $0.columns <= width - 5 } ?? texts.last ?? ""
  }

  @MainActor private func people(_ scene: VoiceScene, size: Size, isFull: Bool) -> Content {
    guard let session = scene.session else {
      let names = (scene.record?.roster ?? [:]).sorted { $0.value < $1.value }
      return Content(
        title: "participants " + Figures.count(names.count),
        lines: names.map { id, name in
          let turns = scene.turns.filter { $0.speakerID == id }
          let silent = turns.count(where: TurnLines.isSkip)
          return VoiceLine(
            [.init(text: PlainText(name, limit: 40), role: .voice)],
            trailing: [
              .init(text: Figures.count(turns.count), role: .number), .label("turns"),
              .init(text: Figures.count(silent), role: .warning), .label("silent"),
            ], item: scene.behind(turns).map(VoiceItem.figure))
        }, placeholder: "nobody is named in what is on record",
        titleFigure: RowsBehind(
          none: "those whom events of the session name; each has its turns behind it"))
    }
    let people = PeoplePanel(
      facts: scene.facts, session: session, heard: scene.record?.lastHeard ?? [:],
      skips: scene.skips, window: scene.window, isFull: isFull, width: size.width)
    // Beside the waterfall of a narrow screen there is room for the attention alone.
    if size.height <= 6, !isFull {
      return Content(title: "attention", trailing: people.trailing, lines: people.attention)
    }
    return Content(
      title: people.title, trailing: people.trailing, lines: people.lines,
      titleFigure: PeoplePanel.behind)
  }

  @MainActor private func parts(
    _ panel: Panel, _ session: VoiceSession, _ facts: ViewContext, size: Size, limit: Int,
    isFull: Bool
  ) -> Content {
    switch panel {
    case .screen:
      let screen = ScreenPanel(
        facts: facts, watch: session.streamWatch, isFull: isFull, width: size.width)
      return Content(
        title: panel.title, trailing: screen.trailing, lines: screen.lines,
        placeholder: session.streamWatch.active == true
          ? "watching, no note yet" : "no screen is watched", titleFigure: .voiceState,
        trailingFigure: .voiceState)
    case .music:
      let music = MusicPanel(facts: facts, music: session.music, isFull: isFull, width: size.width)
      return Content(
        title: panel.title, trailing: music.trailing, lines: music.lines,
        placeholder: "nothing was played", titleFigure: .voiceState, trailingFigure: .voiceState)
    default:
      let engine = EnginePanel(facts: facts, session: session, isFull: isFull, width: size.width)
      return Content(
        title: panel.title, trailing: "tools: " + PlainText(session.toolOwner, limit: 20),
        lines: engine.lines(limit: limit), titleFigure: .voiceState)
    }
  }

  @MainActor private func history(_ panel: Panel, _ facts: ViewContext, width: Int) -> Content {
    let awaited = Set(wantedSummaries(facts))
    guard panel == .summary else {
      let history = HistoryLines(facts: facts, awaited: awaited, width: width)
      let isKnown = facts.voice.isHistoryLoaded || !facts.pastSessions.isEmpty
      return Content(
        title: "past sessions",
        trailing: (isKnown ? Figures.count(facts.pastSessions.count) + "  " : "") + "newest first",
        lines: history.lines, placeholder: history.placeholder,
        trailingFigure: isKnown ? .list("past sessions") : nil)
    }
    let chosen = pastID ?? chosenPast(facts)
    let summary = PastSummary(facts: facts, awaited: awaited, width: width)
    return Content(
      title: "session",
      trailing: chosen == nil || pastID != nil
        ? ""
        : (chosen == facts.pastSessions.first?.sessionID ? "last  " : "")
          + facts.keys.text(.open) + " opens",
      lines: chosen.map(summary.lines) ?? [],
      placeholder: "What is known of a past session stands here.")
  }

  /// The past session under the cursor of the list; the newest when none was chosen.
  @MainActor func chosenPast(_ facts: ViewContext) -> String? {
    if case .past(let id)? = cursors[.list]?.id,
      facts.pastSessions.contains(where: { $0.sessionID == id })
    {
      return id
    }
    return facts.pastSessions.first?.sessionID
  }
}

extension VoiceSession {
  fileprivate var toolOwner: String {
    switch realtimeToolOwnership {
    case .transportOnly?: "own brain"
    case .providerNative?: "provider"
    case let other?: other.rawValue
    case nil: "-"
    }
  }
}
