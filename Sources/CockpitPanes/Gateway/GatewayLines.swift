import CockpitDomain
import CockpitStores
import CockpitText
import TerminalCore

/// The overview of a gateway, line by line. A list that could not be read says so and is not "none".
@MainActor
struct GatewayLines {
  struct Line {
    var text: PlainText
    var trailing: PlainText = ""
    var role = Role.text
    var isHeading = false
  }

  private let facts: ViewContext

  init(_ facts: ViewContext) { self.facts = facts }

  func sentence(_ text: PlainText, width: Int) -> [Line] {
    [Line(text: "")]
      + text.wrapped(to: max(8, width), limit: 6).map { Line(text: $0, role: .muted) }
  }

  func overview(width: Int) -> [Line] {
    guard let overview = facts.gateway else {
      return sentence("What the gateway consists of is not known yet.", width: width)
    }
    return server(overview) + agents(overview) + sessions(overview) + jobs(overview)
      + channels(overview) + clients(overview)
  }

  // MARK: Sections

  private func heading(_ text: PlainText, _ trailing: PlainText = "") -> Line {
    Line(text: text, trailing: trailing, isHeading: true)
  }

  private func server(_ overview: GatewayOverview) -> [Line] {
    var lines = [
      heading("GATEWAY", facts.status.overall == .live ? "" : "as of the last connection")
    ]
    let version = overview.version.map { text($0, 40) } ?? "of an unknown version"
    let number = overview.protocolVersion.map { PlainText(", protocol \($0)") } ?? ""
    lines.append(Line(text: "OpenClaw " + version + number))
    let scopes = overview.scopes.isEmpty ? "not told" : overview.scopes.joined(separator: ", ")
    lines.append(Line(text: "scopes " + text(scopes, 300)))
    if let problem = overview.loopProblem {
      lines.append(Line(text: "event loop degraded: " + text(problem, 200), role: .warning))
    } else if overview.hasHealth {
      lines.append(Line(text: "event loop: nothing wrong in its last report"))
    }
    if let heartbeat = overview.heartbeat {
      let at = overview.heartbeatMs.map { " at " + facts.clock.time(ms: $0) } ?? ""
      lines.append(Line(text: "last heartbeat" + at + ": " + text(heartbeat, 300)))
    }
    return lines
  }

  private func agents(_ overview: GatewayOverview) -> [Line] {
    [heading("AGENTS", count(overview.agents.count))]
      + rows(overview.agents, overview.unknown["agents"], none: "no agent") { agent in
        let name = agent.name.map { "  " + text($0, 40) } ?? ""
        let model = agent.model.map { "  " + text($0, 40) } ?? ""
        return Line(text: text(agent.id, 40) + name + model)
      }
  }

  private func sessions(_ overview: GatewayOverview) -> [Line] {
    let active = overview.sessions.filter(\.isActive).count
    return [
      heading("SESSIONS", count(overview.sessions.count) + PlainText(", \(active) with a run"))
    ]
      + rows(overview.sessions, overview.unknown["sessions"], none: "no session") { session in
        var words = text(session.key, 60).padded(to: 40)
        words += "  " + text(session.isActive ? "running" : session.status ?? "-", 12).padded(to: 8)
        if let updated = session.updatedMs {
          words += "  " + (Figures.age(ms: facts.nowMs - updated) + " ago").padded(to: 9)
        }
        if let tokens = session.totalTokens { words += "  " + Figures.count(tokens) + " tokens" }
        if let cost = session.cost, cost > 0 { words += "  ~" + Figures.cost(cost) }
        if let model = session.model { words += "  " + text(model, 30) }
        if let label = session.label { words += "  " + text(label, 60) }
        if let error = session.lastError { words += "  " + text(error, 120) }
        let isFailed = ["failed", "killed", "timeout"].contains(session.status)
        return Line(text: words, role: isFailed ? .negative : session.isActive ? .focus : .text)
      }
  }

  private func jobs(_ overview: GatewayOverview) -> [Line] {
    [heading("JOBS", count(overview.jobs.count))]
      + rows(overview.jobs, overview.unknown["jobs"], none: "no job") { job in
        var words = text(job.name ?? job.id, 40).padded(to: 24)
        words += job.isEnabled ? "" : "  off"
        if let status = job.lastStatus { words += "  last " + text(status, 20) }
        if let ran = job.lastRunMs { words += " at " + facts.clock.time(ms: ran) }
        if job.isEnabled, let next = job.nextRunMs {
          words += "  next " + facts.clock.time(ms: next)
        }
        let error = job.lastError.flatMap { $0.isEmpty ? nil : $0 }
        if let error { words += "  " + text(error, 160) }
        return Line(text: words, role: error == nil ? .text : .negative)
      }
  }

  private func channels(_ overview: GatewayOverview) -> [Line] {
    guard overview.hasHealth else {
      return [heading("CHANNELS"), Line(text: "not reported yet", role: .muted)]
    }
    return [heading("CHANNELS", count(overview.channels.count))]
      + rows(overview.channels, nil, none: "no channel") { channel in
        let state: PlainText =
          channel.lastError.map { text($0, 160) }
          ?? (!channel.isConfigured
            ? "not configured" : channel.isLinked == false ? "not linked" : "linked")
        let isWrong = channel.lastError != nil || channel.isConfigured && channel.isLinked == false
        return Line(
          text: text(channel.name, 30).padded(to: 16) + "  " + state,
          role: isWrong ? .negative : .text)
      }
  }

  private func clients(_ overview: GatewayOverview) -> [Line] {
    [heading("CLIENTS AND NODES", count(overview.clients.count))]
      + rows(overview.clients, nil, none: "none was reported") { client in
        var words = text(client.name, 60).padded(to: 24)
        for part in [client.mode, client.version, client.platform].compactMap(\.self) {
          words += "  " + text(part, 40)
        }
        if let seen = client.seenMs { words += "  at " + facts.clock.time(ms: seen) }
        return Line(text: words)
      }
  }

  private func rows<Row>(
    _ rows: [Row], _ problem: String?, none: PlainText, _ line: (Row) -> Line
  ) -> [Line] {
    if let problem { return [Line(text: "not known: " + text(problem, 300), role: .warning)] }
    return rows.isEmpty ? [Line(text: none, role: .muted)] : rows.map(line)
  }

  private func count(_ count: Int) -> PlainText { Figures.count(count) }

  private func text(_ text: String, _ limit: Int) -> PlainText { PlainText(text, limit: limit) }
}
