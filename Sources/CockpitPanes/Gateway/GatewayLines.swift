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
      + nodes() + channels(overview) + clients(overview)
  }

  // MARK: Sections

  /// - Parameter readMs: when the list was read; nil for one that the connection keeps up to date.
  private func heading(
    _ text: PlainText, _ trailing: PlainText = "", readMs: Int64? = nil
  ) -> Line {
    let age = readMs.map { facts.asOf(readMs: $0) } ?? facts.asOfConnection ?? ""
    let comma: PlainText = age.isEmpty || trailing.isEmpty ? "" : ", "
    return Line(text: text, trailing: trailing + comma + age, isHeading: true)
  }

  private func server(_ overview: GatewayOverview) -> [Line] {
    var lines = [heading("GATEWAY")]
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
    if let node = overview.ownNode {
      lines.append(
        Line(
          text: "this machine as a node: " + text(node.words, 300),
          role: node.isConnected ? .text : .warning))
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
        words += "  " + state(session)
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

  private func state(_ session: GatewayOverview.Session) -> PlainText {
    let isAway = facts.isGatewayAway
    let words: PlainText =
      session.isActive
      ? isAway ? "was running" : "running" : text(session.status ?? "-", 12)
    return words.padded(to: isAway ? 11 : 8)
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

  /// The devices that run commands; they are asked for when this is shown.
  private func nodes() -> [Line] {
    let entry = facts.findings[.nodes]
    guard case .nodes(let nodes)? = entry?.finding else {
      if let problem = entry?.problem {
        return [heading("NODES"), Line(text: "not known: " + text(problem, 300), role: .warning)]
      }
      return [Line(text: "NODES", isHeading: true), Line(text: facts.awaited(entry), role: .muted)]
    }
    let there = nodes.filter { $0.isConnected == true }.count
    var lines = [
      heading(
        "NODES", count(nodes.count) + ", " + count(there) + " connected", readMs: entry?.atMs)
    ]
    if let problem = entry?.problem {
      lines.append(Line(text: "not refreshed: " + text(problem, 300), role: .warning))
    }
    return lines + rows(nodes, nil, none: "no node", node)
  }

  private func node(_ node: GatewayNode) -> Line {
    let state: PlainText =
      switch (node.isConnected, node.isPaired) {
      case (_, false?): "not paired"
      case (true?, _): facts.isGatewayAway ? "was connected" : "connected"
      case (false?, _): "away"
      case (nil, _): "state not told"
      }
    var words = text(node.name ?? node.id, 40).padded(to: 24) + "  " + state.padded(to: 14)
    if node.isConnected != true, let seen = node.seenMs {
      words += "  seen " + Figures.age(ms: facts.nowMs - seen) + " ago"
    } else if let since = node.connectedMs, !facts.isGatewayAway {
      words += "  for " + Figures.age(ms: facts.nowMs - since)
    }
    for part in [node.platform, node.model, node.version, node.address].compactMap(\.self) {
      words += "  " + text(part, 40)
    }
    if !node.capabilities.isEmpty {
      words += "  can " + text(node.capabilities.joined(separator: ", "), 120)
    }
    if !node.commands.isEmpty {
      words += "  runs " + text(node.commands.joined(separator: ", "), 160)
    }
    let isAway = node.isConnected == false || node.isPaired == false
    return Line(text: words, role: isAway ? .warning : .text)
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
    [heading("CLIENTS", count(overview.clients.count))]
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
