import TerminalUI
import CockpitText
import CockpitDomain
import Networking
import ClankyWire
import CockpitStores
import TerminalCore

/// The column at the right of wide screens: current activity beside the feed.
struct SideColumn {
  @MainActor func render(_ facts: ViewContext, in area: Rect, into frame: inout Frame) {
    guard !area.isEmpty else { return }
    var rest = area
    let sessions = facts.liveSessions
    let voice = rest.takeTop(min(rest.height, max(4, 2 + min(2, sessions.count) * 5)))
    let isPast = (facts.dataEndMs(.activity) ?? facts.dataEndMs(.voice)) != nil
    defer { if isPast { frame.canvas.fade(area) } }
    frame.canvas.panel(
      facts.asOf(.voice) == nil ? "voice now" : "voice", trailing: facts.asOf(.voice) ?? "",
      in: voice
    ) { canvas in
      guard !sessions.isEmpty else {
        canvas.write(
          facts.isUnheard ? facts.noSession : "no voice session", x: 1, role: .muted)
        return
      }
      var y = 0
      for session in sessions.prefix(2) { y = self.session(session, y: y, facts, into: &canvas) }
    }
    let cost = rest.takeTop(min(rest.height, 10))
    frame.canvas.panel("cost (utc days)", trailing: facts.asOf(.activity) ?? "", in: cost) {
      self.cost(facts, into: &$0)
    }
    let days = facts.stats?.stats?.dailyCost ?? []
    for (y, day) in days.prefix(max(0, cost.height - 2)).enumerated() {
      guard let day = day.day, let start = WireTime(iso: day + "T00:00:00Z") else { continue }
      let end = start.milliseconds + WindowCounts.day
      mark(
        y, of: cost,
        "is:costed since:\(facts.clock.queryZone.text(ms: start.milliseconds)) before:\(facts.clock.queryZone.text(ms: end))",
        into: &frame)
    }
    let errors = rest.takeTop(min(rest.height, 9))
    let counts = facts.windowCounts
    frame.canvas.panel(
      "last errors", trailing: counts.beginMs(.error).map { facts.span(since: $0) } ?? "",
      in: errors
    ) { self.errors(facts, into: &$0) }
    if let begin = counts.beginMs(.error) {
      let query = "chip:error since:" + facts.clock.queryZone.text(ms: begin)
      for y in 0..<max(0, errors.height - 2) { mark(y, of: errors, query, into: &frame) }
    }
    guard rest.height >= 4 else { return }
    frame.canvas.panel(
      "top kinds", trailing: counts.beginMs(.all).map { facts.span(since: $0) } ?? "", in: rest
    ) { self.kinds(facts, into: &$0) }
    guard let begin = counts.beginMs(.all) else { return }
    let since = " since:" + facts.clock.queryZone.text(ms: begin)
    for (y, entry) in topKinds(facts).prefix(max(0, rest.height - 2)).enumerated() {
      let event = entry.label.event.map { " event:" + QueryCompletion.quoted($0) } ?? " -event:*"
      mark(
        y, of: rest, "kind:" + QueryCompletion.quoted(entry.label.kind) + event + since,
        into: &frame)
    }
  }

  /// A click on a line of a panel shows the rows behind it.
  private func mark(_ y: Int, of panel: Rect, _ query: String, into frame: inout Frame) {
    guard panel.height > 2, panel.width > 2 else { return }
    frame.mark(
      Rect(x: panel.x + 1, y: panel.y + 1 + y, width: panel.width - 2, height: 1), .rows(query))
  }

  @MainActor private func topKinds(_ facts: ViewContext) -> [LabelCount] {
    facts.activity.log.labels(in: facts.windowCounts).sorted {
      ($0.count, $1.label.title) > ($1.count, $0.label.title)
    }
  }

  @MainActor private func session(
    _ session: VoiceSession, y: Int, _ facts: ViewContext, into canvas: inout Canvas
  ) -> Int {
    let channel = PlainText("#" + facts.names.channel(session.voiceChannelID ?? "?"), limit: 24)
    canvas.write(channel, x: 1, y: y, role: .voice, attributes: .bold)
    let phase = PlainText(session.assistantOutput.phase?.description ?? "-", limit: 20)
    canvas.writeRight(phase + " ", y: y, role: .muted)
    let people = session.participants.compactMap(\.displayName).joined(separator: ", ")
    canvas.write(
      PlainText(people, limit: 80).cut(to: canvas.bounds.width - 2), x: 1, y: y + 1, role: .text)
    var x = canvas.write("up ", x: 1, y: y + 2, role: .muted)
    let up = session.startedAt.map { Double(facts.nowMs - $0.milliseconds) }
    x = canvas.write(Figures.duration(ms: up), x: x, y: y + 2, role: .number)
    if let total = session.latency?.averages.totalMs {
      x = canvas.write("  reply ", x: x, y: y + 2, role: .muted)
      canvas.write(Figures.duration(ms: Double(total)), x: x, y: y + 2, role: .number)
    }
    if let turn = session.recentTurns.last(where: { $0.kind == .speech }) {
      let text =
        PlainText(turn.speakerName ?? "", limit: 16) + ": " + PlainText(turn.text ?? "", limit: 200)
      canvas.write(text.cut(to: canvas.bounds.width - 2), x: 1, y: y + 3, role: .muted)
    }
    return y + 5
  }

  @MainActor private func cost(_ facts: ViewContext, into canvas: inout Canvas) {
    guard let daily = facts.stats?.stats?.dailyCost else {
      canvas.write("not known yet", x: 1, role: .muted)
      return
    }
    let days = daily.prefix(canvas.bounds.height)
    let largest = max(1e-9, days.compactMap(\.usd).max() ?? 0)
    for (y, day) in days.enumerated() {
      canvas.write(
        PlainText(day.day ?? "-", limit: 10).dropFirst(columns: 5), x: 1, y: y, role: .muted)
      let room = max(0, canvas.bounds.width - 18)
      let eighths = Int((min(1, max(0, (day.usd ?? 0) / largest)) * Double(room * 8)).rounded())
      for column in 0..<room where eighths > column * 8 {
        canvas.symbol(.block(min(8, eighths - column * 8)), x: 7 + column, y: y, role: .cost)
      }
      canvas.writeRight(Figures.cost(day.usd) + " ", y: y, role: .number)
    }
    if days.isEmpty { canvas.write("no day with rows yet", x: 1, role: .muted) }
  }

  @MainActor private func errors(_ facts: ViewContext, into canvas: inout Canvas) {
    let log = facts.activity.log
    var y = 0
    let reach = facts.scope.isAll ? 3000 : 20_000
    for index in 0..<min(log.count, reach) where y < canvas.bounds.height {
      let row = log.row(at: index)
      guard row.isFailure, row.gap == nil, !row.isOfFormerLog, facts.scope.holds(row.guildID) else {
        continue
      }
      let x = canvas.write(
        Figures.age(ms: facts.nowMs - row.timeMs).leftPadded(to: 4), x: 1, y: y, role: .muted)
      let cause = facts.actions.action(for: row).map { facts.summary(of: $0).text } ?? ""
      let text = PlainText(row.label.title, limit: 40) + " " + cause
      canvas.write(text.cut(to: canvas.bounds.width - x - 2), x: x + 1, y: y, role: .negative)
      y += 1
    }
    guard y == 0 else { return }
    let count = facts.windowCounts.count(.error)
    if count > 0 {
      canvas.write(Figures.count(count) + " further back", x: 1, role: .negative)
    } else if facts.hasActivity {
      let begin = facts.windowCounts.beginMs(.error)
      canvas.write(
        begin.map { "none in " + facts.span(since: $0) } ?? "none here", x: 1, role: .positive)
    } else {
      canvas.write("not known yet", x: 1, role: .muted)
    }
  }

  @MainActor private func kinds(_ facts: ViewContext, into canvas: inout Canvas) {
    let labels = topKinds(facts)
    let largest = max(1, labels.first?.count ?? 0)
    for (y, entry) in labels.prefix(canvas.bounds.height).enumerated() {
      let role = Role(entry.label.domain, severity: entry.label.severity)
      canvas.write(PlainText(entry.label.title, limit: 25).cut(to: 24), x: 1, y: y, role: role)
      let room = max(0, canvas.bounds.width - 33)
      let width = max(1, entry.count * room / largest)
      for column in 0..<min(room, width) {
        canvas.symbol(.block(8), x: 26 + column, y: y, role: .faint)
      }
      canvas.writeRight(Figures.count(entry.count) + " ", y: y, role: .number)
    }
  }
}
