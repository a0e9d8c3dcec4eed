import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

extension VoicePane {
  @MainActor package func render(_ facts: ViewContext, in body: Rect, into frame: inout Frame) {
    let facts = dataEnd(facts)
    let scene = scene(facts)
    let layout = layout(facts, scene, in: body, of: frame.layoutSize)
    defer { if isPast(facts) { frame.canvas.fade(body) } }
    head(scene, facts, layout, into: &frame)
    for (panel, area) in layout.panels.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      render(panel, scene, facts, layout, in: area, into: &frame)
    }
    findRow(facts, in: layout.find, into: &frame)
  }

  /// The view context at the last voice state. A past session is recorded and unaffected.
  @MainActor func dataEnd(_ facts: ViewContext) -> ViewContext {
    pastID == nil ? facts.atDataEnd(of: .voice) : facts
  }

  /// Whether the displayed live data is old.
  @MainActor private func isPast(_ facts: ViewContext) -> Bool {
    pastID == nil && facts.dataEndMs(.voice) != nil
  }

  // MARK: Rows at the top

  @MainActor private func head(
    _ scene: VoiceScene?, _ facts: ViewContext, _ layout: Layout, into frame: inout Frame
  ) {
    let width = frame.layoutSize.width
    let room = VoicePills.Room(width)
    var head = layout.head
    views(
      &head, isWide: width >= 160, isNamed: width >= 100 || view != .live,
      isLive: pastID == nil && !isPast(facts), into: &frame)
    if let scene, let session = scene.session {
      let pills = VoicePills(
        facts: facts, session: session, skips: scene.skips,
        window: scene.skips.share == nil ? nil : scene.window)
      VoicePills.draw(pills.head(room), in: head, into: &frame)
      VoicePills.draw(
        pills.pills(room), gap: room == .tight ? 1 : 2, in: layout.pills, into: &frame)
      self.sessions(facts, current: session.sessionID, in: layout.sessions, into: &frame)
    } else if let scene, pastID != nil || view != .live && view != .history {
      // A report or a list of the last session is about that one.
      VoicePills.draw(pastHead(scene), in: head, into: &frame)
    } else {
      frame.canvas.inside(head) { canvas in
        let text: PlainText
        if let problem = facts.voice.problem {
          text = "the voice state could not be read: " + PlainText(problem, limit: 200)
        } else {
          text =
            facts.voice.state == nil
            ? facts.noSession
            : (facts.asOf(.voice).map { $0 + ": no voice session was live" }
              ?? "no voice session is live")
              + (facts.scopeName.map { " in " + $0 } ?? "")
        }
        canvas.write(text.cut(to: canvas.bounds.width - 2), x: 1, role: .muted)
      }
    }
  }

  /// The views at the right end of the first row; a narrow screen shows which of them it is.
  private func views(
    _ head: inout Rect, isWide: Bool, isNamed: Bool, isLive: Bool, into frame: inout Frame
  ) {
    guard !head.isEmpty else { return }
    guard isWide else {
      guard isNamed else { return }
      let text = PlainText("[") + title(view, isLive: isLive) + PlainText("]")
      let area = head.takeRight(text.columns + 1)
      frame.canvas.inside(area) { $0.write(text, role: .focus, attributes: .bold) }
      frame.mark(area, .hint(.nextView))
      return
    }
    let width = View.allCases.reduce(1) { $0 + title($1, isLive: isLive).columns + 3 }
    let area = head.takeRight(width)
    var x = area.x
    for each in View.allCases {
      let isOpen = each == view
      let text =
        isOpen
        ? "[" + title(each, isLive: isLive) + "]" : " " + title(each, isLive: isLive) + " "
      frame.canvas.write(
        text, x: x, y: area.y, role: isOpen ? .focus : .muted, attributes: isOpen ? .bold : [])
      frame.mark(Rect(x: x, y: area.y, width: text.columns, height: 1), .voice(.view(each)))
      x += text.columns + 1
    }
  }

  /// Neither an open past session nor a session without a connection is called live.
  private func title(_ view: View, isLive: Bool) -> PlainText {
    view == .live && !isLive ? "SESSION" : view.title
  }

  @MainActor private func sessions(
    _ facts: ViewContext, current: String, in area: Rect, into frame: inout Frame
  ) {
    guard !area.isEmpty else { return }
    let isFocused = focus == .sessions
    var x = area.x + 1
    for (index, session) in facts.liveSessions.enumerated() {
      let channel = session.voiceChannelID.map { facts.names.channel($0) } ?? "-"
      let isOpen = session.sessionID == current
      let name = PlainText("\(index + 1) #") + PlainText(channel, limit: 200).cut(to: 20)
      let text = isOpen ? "[" + name + "]" : " " + name + " "
      guard x + text.columns + 2 <= area.maxX else {
        frame.canvas.write(
          PlainText("+\(facts.liveSessions.count - index)"), x: x, y: area.y, role: .muted)
        break
      }
      let start = x
      if isFocused, isOpen { frame.canvas.placeCursor(x: x, y: area.y) }
      x = frame.canvas.write(
        text, x: x, y: area.y, role: isOpen ? (isFocused ? .focus : .chipActive) : .chip,
        attributes: isOpen ? .bold : [])
      let isSpeaking = session.assistantOutput.isSpeaking || !session.activeCaptures.isEmpty
      frame.canvas.symbol(
        isSpeaking ? SpeakingPulse(facts).symbol : .ring, x: x, y: area.y,
        role: isSpeaking ? .positive : .muted)
      frame.mark(
        Rect(x: start, y: area.y, width: x + 1 - start, height: 1),
        .voice(.session(session.sessionID)))
      x += 2
    }
    if isFocused { frame.canvas.write("h l", x: min(x, area.maxX - 4), y: area.y, role: .muted) }
  }

  /// The header of a past session, in place of a live one's.
  @MainActor private func pastHead(_ scene: VoiceScene) -> [VoicePills.Part] {
    let figures = VoiceFigures(facts: scene.facts)
    let summary = scene.facts.voice.summaries[scene.id]
    let channel: PlainText? = scene.record?.voiceChannelID.map {
      "#" + PlainText(scene.facts.names.channel($0), limit: 200).cut(to: 32)
    }
    var parts: [VoicePills.Part] = [
      .init(
        rank: 0,
        spans: [
          .init(text: "PAST", role: .warning, attributes: .bold),
          channel.map { .init(text: $0, role: .voice, attributes: .bold) }
            ?? .init(text: "channel unknown", role: .muted),
        ]),
      .init(rank: 2, spans: ending(of: scene)),
      .init(
        rank: 3,
        spans: [
          .label("length"),
          .init(text: scene.past.map(figures.length) ?? "-", role: .number),
        ]),
      .init(rank: 1, spans: scene.skips.spans, behind: scene.behindDecisions),
      .init(
        rank: 4,
        spans: [.init(text: Figures.count(scene.turns.count), role: .number), .label("turns")],
        behind: scene.behind(scene.turns)),
    ]
    if let reason = scene.past?.endReason {
      parts.append(.init(rank: 5, spans: [.init(text: figures.text(reason, limit: 40))]))
    }
    if let problem = summary?.problem {
      let text = "no events: " + PlainText(problem, limit: 120)
      parts.append(.init(rank: 1, spans: [.init(text: text, role: .negative)]))
    } else if summary?.isCapped == true {
      let text = scene.window ?? HistoryLines.capped
      parts.append(.init(rank: 1, spans: [.init(text: text, role: .warning)]))
    } else if let summary, summary.unreadable > 0 {
      let text = HistoryLines.unread(summary)
      parts.append(.init(rank: 1, spans: [.init(text: text, role: .warning)]))
    } else if summary == nil {
      parts.append(.init(rank: 1, spans: [.label("events are on their way")]))
    }
    return parts
  }

  /// When a past session ended, or that nothing says so.
  @MainActor private func ending(of scene: VoiceScene) -> [VoiceLine.Span] {
    let figures = VoiceFigures(facts: scene.facts)
    guard scene.facts.voice.cutOff.contains(scene.id) else {
      return [
        .label("ended"), .init(text: figures.age(scene.past?.endedAt), role: .number),
        .label("ago"),
      ]
    }
    let ending = scene.facts.voice.cutOffEvidence(of: scene.id).ending(scene.facts.clock)
    return [.init(text: ending, role: .warning, attributes: .bold)]
  }

  // MARK: Panels

  @MainActor private func render(
    _ panel: Panel, _ scene: VoiceScene?, _ facts: ViewContext, _ layout: Layout, in area: Rect,
    into frame: inout Frame
  ) {
    guard !area.isEmpty else { return }
    let isFocused = panel == focused(layout)
    let size = contentArea(area, hasBox: layout.hasBoxes).size
    var shown = self.content(panel, scene, facts, size: size, isFull: layout.isFull)
    var lanes: LanesPanel?
    if panel == .lanes, let scene {
      let drawing = LanesPanel(facts: facts, scene: scene, view: self.lanes, isFocused: isFocused)
      shown.title = drawing.title
      shown.trailing = drawing.trailing
      lanes = drawing
    }
    let place = layout.panels.count == 1 ? layout.order.firstIndex(of: panel) : nil
    let content = PanelFrame(
      title: shown.title, trailing: shown.trailing,
      place: layout.order.count > 1 ? place.map { ($0 + 1, layout.order.count) } : nil,
      isFocused: isFocused, hasBox: layout.hasBoxes, hasDivider: true,
      titleTarget: shown.titleFigure.map(Frame.Target.figure),
      trailingTarget: shown.trailingFigure.map(Frame.Target.figure)
    ).draw(in: area, .voice(.panel(panel)), into: &frame)
    guard !content.isEmpty else { return }
    if let lanes {
      var marks: [(Int, Lane)] = []
      frame.canvas.inside(content) { canvas in
        lanes.render(into: &canvas) { marks.append(($0, $1)) }
      }
      for (y, lane) in marks {
        frame.mark(
          Rect(x: content.x, y: content.y + y, width: content.width, height: 1), .voice(.lane(lane))
        )
      }
      return
    }
    if panel == .trend {
      frame.canvas.inside(content) { canvas in
        TrendPanel(stats: scene?.latency ?? LatencyStats(turns: []), clock: facts.clock)
          .render(into: &canvas)
      }
      return
    }
    lines(panel, shown, in: content, isFocused: isFocused, into: &frame)
  }

  private func lines(
    _ panel: Panel, _ shown: Content, in area: Rect, isFocused: Bool, into frame: inout Frame
  ) {
    var rest = area
    if let waterfall = shown.waterfall {
      let top = rest.takeTop(Self.waterfallRows(shown, height: area.height))
      frame.canvas.inside(top) { WaterfallPanel(waterfall: waterfall).render(into: &$0) }
      // The stages are one measurement; their total is compared with all.
      let stages = waterfall.stages.count
      for y in 0..<min(top.height, stages + 1) {
        let behind = y < stages ? shown.measurement : shown.trailingFigure
        guard let behind else { continue }
        frame.mark(
          Rect(x: top.x, y: top.y + y, width: top.width, height: 1), .figure(behind))
      }
      if shown.lines.isEmpty { return }
    }
    VoiceList(
      lines: shown.lines, cursor: cursors[panel] ?? ListCursor(), end: panel.end, panel: panel,
      isFocused: isFocused, placeholder: shown.placeholder,
      needle: panel == .report ? PlainText(findText, limit: 200) : ""
    ).render(in: rest, into: &frame)
  }

  /// The panel that has the keys: the chosen one, or the first when that is not shown.
  func focused(_ layout: Layout) -> Panel {
    if focus == .sessions, !layout.sessions.isEmpty { return focus }
    if layout.panels[focus] != nil { return focus }
    if isWhyOpen, layout.panels[.turn] != nil { return .turn }
    return layout.order.first { layout.panels[$0] != nil } ?? layout.panels.keys.first
      ?? .transcript
  }
}
