import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitRules
import CockpitStores
import TerminalCore

/// The lanes of a session over a stretch of time: one row each, blocks with words inside, one
/// playhead at the right end.
@MainActor
struct LanesPanel {
  let facts: ViewContext
  var scene: VoiceScene
  var view: LanesView
  var isFocused: Bool

  /// In the order of the screen.
  static let order: [Lane] = [
    .capture, .asr, .decision, .generation, .tools, .output, .bargeIn, .screen, .thought, .music,
    .other,
  ]
  /// The lanes to drop, in order, if there are too few rows.
  private static let dropOrder: [Lane] = [
    .other, .music, .screen, .thought, .bargeIn, .tools, .output, .asr, .capture,
  ]

  static func title(_ lane: Lane) -> PlainText {
    switch lane {
    case .capture: "CAPTURE"
    case .asr: "ASR"
    case .decision: "DECIDE"
    case .generation: "GENERATE"
    case .tools: "TOOLS"
    case .output: "OUTPUT"
    case .bargeIn: "BARGE-IN"
    case .screen: "SCREEN"
    case .thought: "THOUGHT"
    case .music: "MUSIC"
    case .other: "OTHER"
    }
  }

  static func role(_ lane: Lane) -> Role {
    switch lane {
    case .capture: .voice
    case .asr: .asr
    case .decision: .info
    case .generation: .llm
    case .tools: .tool
    case .output: .tts
    case .bargeIn: .warning
    case .screen, .music: .media
    case .thought: .initiative
    case .other: .system
    }
  }

  var playheadMs: Int64 { min(view.playheadMs ?? scene.laneEndMs, scene.laneEndMs) }

  var title: PlainText { "lanes" }

  /// Whether the right end is the present moment.
  private var isNow: Bool { scene.isLive && facts.dataEndMs(.voice) == nil }

  /// `60s`, `5m`.
  static func span(_ ms: Int64) -> PlainText {
    ms < 120_000 ? PlainText("\(ms / 1000)s") : PlainText("\(ms / 60_000)m")
  }

  var trailing: PlainText {
    let head: PlainText =
      view.playheadMs == nil
      ? (scene.isLive ? facts.asOf(.voice) ?? (facts.replay == nil ? "LIVE" : "REPLAY") : end)
      : "at " + facts.clock.time(ms: playheadMs)
    return Self.span(view.spanMs) + "  -/+ zoom  h l pan  " + head
  }

  /// Where a past session ended, and where the window does, which is after the last turn.
  private var end: PlainText {
    let edge = facts.clock.time(ms: scene.laneEndMs)
    guard let ms = scene.record?.endedAt ?? scene.past?.endedAt?.milliseconds else {
      return "to " + edge
    }
    let end = facts.clock.time(ms: ms)
    return ms - scene.laneEndMs < 1000 ? "END " + end : "to " + edge + ", END " + end
  }

  /// The lanes that get a row. A dropped one with a failure in the window returns.
  func lanes(rows: Int, blocks: [LaneBlock]) -> [Lane] {
    guard rows < Self.order.count else { return Self.order }
    let failing = Set(blocks.lazy.filter { $0.outcome == .failed }.map(\.lane))
    var shown = Self.order
    for lane in Self.dropOrder.filter({ !failing.contains($0) })
      + Self.dropOrder.filter({ failing.contains($0) }) where shown.count > max(1, rows)
    {
      shown.removeAll { $0 == lane }
    }
    return shown
  }

  /// The visible lanes at this height, in cursor order.
  func shownLanes(height: Int) -> [Lane] {
    let blocks = blocks(in: LaneWindow(endMs: playheadMs, spanMs: view.spanMs, width: 100))
    return lanes(rows: height - (height > Self.order.count ? 1 : 0), blocks: blocks)
  }

  private func blocks(in window: LaneWindow) -> [LaneBlock] {
    guard let record = scene.record else { return [] }
    return Self.order.flatMap { record.blocks(in: $0, from: window.startMs, to: window.endMs) }
  }

  /// A row of the drawing: a lane, or the part of it that one person has.
  private struct Row {
    var lane: Lane
    var userID: String?
    var title: PlainText
  }

  /// Where there is room, every speaker has an own pair of capture and recogniser.
  private func laid(_ lanes: [Lane], _ blocks: [LaneBlock], height: Int) -> [Row] {
    let plain = lanes.map { Row(lane: $0, title: Self.title($0)) }
    var speakers: [String] = []
    for block in blocks where block.lane == .capture || block.lane == .asr {
      if let user = block.userID, !speakers.contains(user) { speakers.append(user) }
    }
    let extra = height - lanes.count
    guard speakers.count > 1, lanes.contains(.capture), lanes.contains(.asr),
      extra >= 2 * speakers.count - 2, view.collapsed.isDisjoint(with: [.capture, .asr])
    else { return plain }
    let pairs = speakers.flatMap { user in
      [
        Row(lane: .capture, userID: user, title: name(user)),
        Row(lane: .asr, userID: user, title: " asr"),
      ]
    }
    return pairs + plain.filter { $0.lane != .capture && $0.lane != .asr }
  }

  private func name(_ user: String) -> PlainText {
    PlainText(scene.record?.name(user) ?? facts.names.user(user), limit: 24)
  }

  /// - Parameter mark: called with the row of each lane.
  func render(into canvas: inout Canvas, mark: (Int, Lane) -> Void) {
    let labelWidth = canvas.bounds.width >= 60 ? 10 : 4
    let noteWidth = canvas.bounds.width >= 110 ? 28 : canvas.bounds.width >= 70 ? 20 : 0
    let width = canvas.bounds.width - labelWidth - (noteWidth > 0 ? noteWidth + 2 : 1)
    guard width >= 8, canvas.bounds.height > 0 else { return }
    let window = LaneWindow(endMs: playheadMs, spanMs: view.spanMs, width: width)
    let blocks = blocks(in: window)
    let hasAxis = canvas.bounds.height > Self.order.count
    let height = canvas.bounds.height - (hasAxis ? 1 : 0)
    let rows = laid(lanes(rows: height, blocks: blocks), blocks, height: height)
    for (y, row) in rows.enumerated() where y < canvas.bounds.height {
      let own = blocks.filter {
        $0.lane == row.lane && (row.userID == nil || $0.userID == row.userID)
      }
      let isSelected = isFocused && row.lane == view.lane
      // At the playhead; of several rows of one lane, the first.
      if isSelected, !rows[..<y].contains(where: { $0.lane == row.lane }) {
        canvas.placeCursor(x: labelWidth + width, y: y)
      }
      mark(y, row.lane)
      canvas.write(
        row.title.cut(to: labelWidth - 1), y: y,
        role: isSelected ? .focus : row.userID != nil && row.lane == .capture ? .voice : .muted,
        attributes: isSelected ? .bold : [])
      canvas.inside(Rect(x: labelWidth, y: y, width: width, height: 1)) { strip in
        for x in 0..<width { strip.symbol(.separator, x: x, role: .faint) }
        if view.collapsed.contains(row.lane) {
          heat(own, row.lane, window, into: &strip)
        } else {
          // Text stays readable: draw quiet moments below the blocks, errors above.
          for block in own where block.isMoment && !isTrouble(block) {
            draw(block, window, into: &strip)
          }
          for block in own where !block.isMoment { draw(block, window, into: &strip) }
          for block in own where block.isMoment && isTrouble(block) {
            draw(block, window, into: &strip)
          }
        }
      }
      canvas.symbol(
        .vertical, x: labelWidth + width, y: y, role: view.playheadMs == nil ? .border : .focus)
      guard noteWidth > 0 else { continue }
      let (text, role) = note(own, row.lane, hasName: row.userID != nil)
      canvas.write(text.cut(to: noteWidth), x: labelWidth + width + 2, y: y, role: role)
    }
    if hasAxis { axis(window, x: labelWidth, y: rows.count, into: &canvas) }
    for (column, level) in marks(window) {
      // Without a line of time below: in the lowest lane.
      let y = hasAxis ? rows.count : rows.count - 1
      IncidentMark.draw(level, x: labelWidth + column, y: y, into: &canvas)
    }
  }

  /// Where incidents of this session begin, and those of the whole bot.
  private func marks(_ window: LaneWindow) -> [Int: RuleLevel] {
    let session = scene.record?.sessionID
    return IncidentMark.worst(
      facts.incidents.incidents.compactMap { incident in
        guard incident.sessionID == nil || incident.sessionID == session else { return nil }
        let column = window.column(incident.fromMs)
        return column >= 0 && column < window.width ? (column, incident.level) : nil
      })
  }

  // MARK: Blocks

  private func isTrouble(_ block: LaneBlock) -> Bool {
    switch block.outcome {
    case .failed, .dropped, .denied, .interrupted: true
    case .passed, .open, .neutral: false
    }
  }

  private func draw(_ block: LaneBlock, _ window: LaneWindow, into strip: inout Canvas) {
    let role = role(block)
    let first = window.column(block.start)
    if block.isMoment {
      guard first >= 0, first < window.width else { return }
      strip.symbol(moment(block), x: first, role: role)
      return
    }
    let last = min(window.width - 1, window.column(end(block)))
    let start = max(0, first)
    guard last >= start else { return }
    let words = PlainText(LaneText.plain(block.words), limit: 200)
    // Text needs room to be readable; on a block it is reversed, which works without colour too.
    if last - start >= 5, !words.isEmpty, block.lane != .capture {
      strip.write(
        words.cut(to: last - start + 1).padded(to: last - start + 1), x: start, role: role,
        attributes: block.lane == .music ? .underline : .reverse)
    } else {
      for x in start...last { strip.symbol(fill(block.lane), x: x, role: role) }
    }
    if isTrouble(block) {
      strip.symbol(.cross, x: last, role: role, attributes: .bold)
    } else if block.lane == .asr, block.outcome == .passed {
      strip.symbol(.block(8), x: last, role: role)
    }
  }

  /// Where a block's drawing ends: at its end, at now while it runs, at its start if its end was
  /// never reported.
  private func end(_ block: LaneBlock) -> Int64 {
    block.start + block.length(at: min(scene.laneEndMs, playheadMs))
  }

  private func fill(_ lane: Lane) -> Symbol {
    switch lane {
    case .capture: .halfLower
    case .asr: .gapMark
    case .music: .horizontal
    case .tools: .shade
    default: .block(8)
    }
  }

  private func moment(_ block: LaneBlock) -> Symbol {
    switch block.outcome {
    case .denied, .dropped, .failed, .interrupted: .cross
    case .passed, .open: .dot
    case .neutral: block.lane == .screen ? .ring : .bullet
    }
  }

  private func role(_ block: LaneBlock) -> Role {
    switch block.outcome {
    case .failed: .negative
    case .denied, .dropped, .interrupted: .warning
    default: Self.role(block.lane)
    }
  }

  /// A folded lane: how much happened in each column.
  private func heat(
    _ blocks: [LaneBlock], _ lane: Lane, _ window: LaneWindow, into strip: inout Canvas
  ) {
    var counts = Array(repeating: 0, count: window.width)
    var failures = Set<Int>()
    for block in blocks {
      let first = max(0, window.column(block.start))
      let last = min(window.width - 1, window.column(end(block)))
      guard first <= last else { continue }
      for x in first...last { counts[x] += 1 }
      if block.outcome == .failed { failures.insert(last) }
    }
    for (x, count) in counts.enumerated() where count > 0 {
      strip.symbol(
        .spark(min(8, 2 * count)), x: x, role: failures.contains(x) ? .negative : Self.role(lane))
    }
  }

  // MARK: Notes and axis

  /// The last thing before the playhead, in words.
  private func note(
    _ blocks: [LaneBlock], _ lane: Lane, hasName: Bool
  ) -> (PlainText, Role) {
    guard let last = blocks.last(where: { $0.start <= playheadMs }) else { return ("-", .faint) }
    var text: PlainText = ""
    if !hasName, lane == .capture || lane == .asr, let user = last.userID {
      text = name(user) + " "
    }
    if last.outcome == .denied { text += "no: " }
    text += PlainText(LaneText.plain(last.words), limit: 80)
    if let end = last.end, end > last.start {
      text =
        Figures.duration(ms: Double(end - last.start)) + (last.isEndEstimated ? "~ " : " ") + text
    } else if last.isOpen {
      text = Figures.duration(ms: Double(last.length(at: scene.laneEndMs))) + ".. " + text
    } else if last.end == nil {
      text = "end unknown " + text
    }
    return (text.isEmpty ? "-" : text, role(last))
  }

  private func axis(_ window: LaneWindow, x: Int, y: Int, into canvas: inout Canvas) {
    for part in 0..<4 {
      let back = window.spanMs * Int64(4 - part) / 4
      let at = x + window.width * part / 4
      let text: PlainText =
        view.playheadMs == nil && isNow
        ? "-" + Figures.age(ms: back)
        : facts.clock.time(ms: window.endMs - back)
      canvas.write(text, x: at, y: y, role: .muted)
    }
    let text: PlainText =
      view.playheadMs == nil && isNow ? "now" : facts.clock.time(ms: playheadMs)
    canvas.write(text, x: x + window.width + 1 - text.columns, y: y, role: .muted)
  }
}
