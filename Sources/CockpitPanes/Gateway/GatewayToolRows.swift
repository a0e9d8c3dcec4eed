import CockpitDomain
import CockpitStores
import CockpitText
import LenientJSON
import TerminalCore

/// A line of the tools sheet: an agent, one of its tools, a session, or a sentence.
typealias GatewayToolRow = GatewayRow<GatewayToolItem>

enum GatewayToolItem: Hashable, Sendable {
  case agent(String)
  case tool(agent: String, name: String)
  case session(agent: String, key: String)
  /// A screenshot that can be taken.
  case screenshot(agent: String)
  /// An image that can be written to a file.
  case save(GatewayToolCall, path: String)
  /// A line of a result, by its place.
  case line(Int)
}

/// The lines of the tools sheet, from what was read. A list that could not be read says so and is not "none".
@MainActor
struct GatewayToolRows {
  let facts: ViewContext
  let width: Int

  /// Agents whose tools are probed.
  static let maximumAgents = 6

  // MARK: The tools

  func tools() -> [GatewayToolRow] {
    guard let overview = facts.gateway else { return say("The agents are not known yet.") }
    if let problem = overview.unknown["agents"] {
      return say("The agents are not known: " + text(problem, 300), .warning)
    }
    guard !overview.agents.isEmpty else { return say("The gateway has no agent.") }
    var rows = overview.agents.prefix(Self.maximumAgents).flatMap { tools(of: $0.id) }
    let rest = overview.agents.count - Self.maximumAgents
    if rest > 0 {
      rows += say(Figures.count(rest) + " more agents: their tools are not asked for here.")
    }
    return rows
  }

  private func tools(of agent: String) -> [GatewayToolRow] {
    let entry = facts.findings[.tools(agent: agent)]
    var heading = GatewayToolRow(item: .agent(agent), text: text(agent, 40), isHeading: true)
    guard case .tools(let tools)? = entry?.finding else {
      return [heading] + waiting(entry)
    }
    let on = tools.filter { $0.state == .on }.count
    heading.trailing = Figures.count(on) + PlainText(" of \(tools.count)")
    if let at = entry?.atMs { heading.trailing += ", " + facts.asOf(readMs: at) }
    var rows = [heading] + tools.flatMap { self.rows($0, of: agent) }
    if let problem = entry?.problem {
      rows += say("Not refreshed: " + text(problem, 300), .warning)
    }
    return rows
  }

  private func rows(_ tool: GatewayTool, of agent: String) -> [GatewayToolRow] {
    let item = GatewayToolItem.tool(agent: agent, name: tool.name)
    let name = text(tool.name, 40).padded(to: 18)
    switch tool.state {
    case .on:
      return [
        GatewayToolRow(
          item: item, text: "  on     " + name + Self.purpose(tool.name))
      ]
    case .off:
      return [
        GatewayToolRow(
          item: item,
          text: "  off    " + name + Self.enabling(tool.name),
          role: .muted)
      ]
    case .failing:
      let words = tool.words.map { text($0, 200) } ?? "without a reason"
      return [
        GatewayToolRow(
          item: item, text: "  fails  " + name + words, role: .warning)
      ]
    }
  }

  /// What Enter shows.
  static func purpose(_ tool: String) -> PlainText {
    switch tool {
    case "agents_list": "the agents that it may delegate to"
    case "sessions_list": "the sessions that it sees; Enter on one reads it"
    case "session_status": "its main session: model, tokens, cost, context"
    case "sessions_history": "the newest messages of its main session"
    case "memory_search": "search its memory: tab MEMORY"
    case "memory_get": "read its memory: tab MEMORY"
    case "browser": "the browser that it drives: state and tabs"
    default: ""
    }
  }

  /// Which settings of the gateway make it available (docs.openclaw.ai/tools, "Tool profiles").
  static func enabling(_ tool: String) -> PlainText {
    switch tool {
    case "session_status": "every tools.profile has it: see tools.deny"
    case "sessions_list", "sessions_history":
      "tools.profile messaging, coding or full has it, or tools.allow"
    case "memory_search", "memory_get":
      "tools.profile coding or full has it, or tools.allow, with a memory plugin"
    case "browser": "tools.profile full has it, or tools.allow, with browser.enabled"
    default: "tools.profile full has it, or tools.allow"
    }
  }

  // MARK: A result

  func result(_ call: GatewayToolCall, isRaw: Bool) -> [GatewayToolRow] {
    let entry = facts.findings[.tool(call)]
    var heading = GatewayToolRow(
      text: text(call.agent, 40) + ": " + Self.title(call), isHeading: true)
    if let at = entry?.atMs { heading.trailing = facts.asOf(readMs: at) }
    guard case .result(let result)? = entry?.finding else { return [heading] + waiting(entry) }
    var rows = [heading]
    if let problem = entry?.problem {
      rows += say("Not refreshed: " + text(problem, 300), .warning)
    }
    switch result {
    case .cut(let json):
      rows += say("The answer is too long; its beginning as JSON:", .warning)
      rows += wrapped(json)
    case .picture(let picture):
      rows += isRaw ? raw(picture.details) : image(picture, of: call, atMs: entry?.atMs)
    case .whole(let details):
      rows += isRaw ? raw(details) : readable(details, of: call) ?? raw(details)
    }
    for (place, row) in rows.enumerated() where row.item == nil { rows[place].item = .line(place) }
    return rows
  }

  private static func title(_ call: GatewayToolCall) -> PlainText {
    switch call.tool {
    case .agents: "agents that it may delegate to"
    case .sessions: "sessions that it sees"
    case .status(let session):
      "status of " + (session.map { PlainText($0, limit: 80) } ?? "its main session")
    case .history(let session): "messages of " + PlainText(session, limit: 80)
    case .browserStatus: "its browser"
    case .browserTabs: "tabs of its browser"
    case .browserScreenshot: "a screenshot of its browser"
    }
  }

  private func raw(_ value: JSONValue) -> [GatewayToolRow] {
    value.prettyLines(limit: 2_000).map { GatewayToolRow(text: text($0, 2_000)) }
  }

  private func readable(_ details: JSONValue, of call: GatewayToolCall) -> [GatewayToolRow]? {
    switch call.tool {
    case .agents: details["agents"]?.array.map { $0.isEmpty ? none("no agent") : $0.map(agent) }
    case .sessions: sessions(details, of: call.agent)
    case .status: details["statusText"]?.string.map(wrapped)
    case .history: history(details)
    case .browserStatus: browser(details, of: call.agent)
    case .browserTabs: tabs(details)
    case .browserScreenshot: nil
    }
  }

  /// Its state, and below it the tabs, which are another call.
  private func browser(_ details: JSONValue, of agent: String) -> [GatewayToolRow]? {
    guard let members = details.object?.members else { return nil }
    let state = members.map { member in
      let value = member.value.string ?? member.value.serialized()
      return GatewayToolRow(
        text: "  " + text(member.key, 40).padded(to: 20) + "  " + text(value, 400))
    }
    let entry = facts.findings[.tool(GatewayToolCall(agent: agent, .browserTabs))]
    let heading = GatewayToolRow(text: "tabs", isHeading: true)
    let screenshot = GatewayToolRow(
      item: .screenshot(agent: agent), text: "  Enter here takes a screenshot", role: .key)
    guard case .result(.whole(let answer))? = entry?.finding else {
      return state + [heading] + waiting(entry) + [screenshot]
    }
    return state + [heading] + (tabs(answer) ?? raw(answer)) + [screenshot]
  }

  /// What an image is, and the file that it can be written to; the picture itself is drawn below.
  private func image(
    _ picture: GatewayPicture, of call: GatewayToolCall, atMs: Int64?
  ) -> [GatewayToolRow] {
    let preview = facts.pictures[.tool(call)]
    var words = Figures.bytes(picture.bytes.count)
    if let preview, !preview.words.isEmpty { words = preview.words + ", " + words }
    let at = atMs ?? facts.nowMs
    let time = facts.clock.time(ms: at).description.filter { $0 != ":" }
    let name = call.agent.utf8.allSatisfy(Self.isNameByte) ? call.agent : "agent"
    let isJPEG = picture.bytes.starts(with: [0xFF, 0xD8])
    let path = "screenshot-\(name)-\(facts.clock.day(ms: at))-\(time)\(isJPEG ? ".jpg" : ".png")"
    return [
      GatewayToolRow(text: "  " + words),
      GatewayToolRow(
        item: .save(call, path: path), text: "  Enter here saves it as " + PlainText(path),
        role: .key),
    ]
  }

  /// Of a file's name: what an agent is called, a gateway says.
  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
    default: false
    }
  }

  private func tabs(_ details: JSONValue) -> [GatewayToolRow]? {
    details["tabs"]?.array.map { $0.isEmpty ? none("no tab") : $0.flatMap(tab) }
  }

  private func agent(_ agent: JSONValue) -> GatewayToolRow {
    var words = "  " + text(agent["id"]?.string ?? "-", 40).padded(to: 16)
    if let model = agent["model"]?.string { words += "  " + text(model, 40) }
    if agent["configured"]?.bool == false { words += "  not configured" }
    return GatewayToolRow(text: words)
  }

  private func sessions(_ details: JSONValue, of owner: String) -> [GatewayToolRow]? {
    guard let list = details["sessions"]?.array else { return nil }
    var rows = list.isEmpty ? none("no session") : []
    for session in list {
      guard let key = session["key"]?.string else { continue }
      var words = "  " + text(key, 80).padded(to: 40)
      words += "  " + text(session["status"]?.string ?? "-", 12).padded(to: 8)
      if let updated = session["updatedAt"]?.int {
        words += "  " + (Figures.age(ms: facts.nowMs - Int64(updated)) + " ago").padded(to: 9)
      }
      if let tokens = session["totalTokens"]?.int {
        words += "  " + Figures.count(tokens) + " tokens"
      }
      if let model = session["model"]?.string { words += "  " + text(model, 30) }
      rows.append(GatewayToolRow(item: .session(agent: owner, key: key), text: words))
    }
    if let warning = details["visibility"]?["warning"]?.string {
      rows += say(text(warning, 400), .warning)
    }
    return rows
  }

  private func history(_ details: JSONValue) -> [GatewayToolRow]? {
    guard let messages = details["messages"]?.array else { return nil }
    var rows = messages.isEmpty ? none("no message") : []
    for message in messages {
      var heading = text(message["role"]?.string ?? "-", 20)
      if let at = message["timestamp"]?.int { heading += "  " + facts.clock.time(ms: Int64(at)) }
      rows.append(GatewayToolRow(text: "  " + heading, role: .key))
      rows += wrapped(Self.words(of: message))
    }
    if details["truncated"]?.bool == true || details["droppedMessages"]?.bool == true {
      rows += say("The gateway leaves out older messages, or parts of long ones.", .warning)
    }
    return rows
  }

  private static func words(of message: JSONValue) -> String {
    message["content"]?.string
      ?? (message["content"]?.array ?? []).map { part in
        part["text"]?.string ?? "[\(part["type"]?.string ?? "part")]"
      }.joined(separator: "\n")
  }

  private func tab(_ tab: JSONValue) -> [GatewayToolRow] {
    [
      GatewayToolRow(text: "  " + text(tab["title"]?.string ?? "without a title", 200)),
      GatewayToolRow(text: "    " + text(tab["url"]?.string ?? "-", 400), role: .muted),
    ]
  }

  private func wrapped(_ words: String) -> [GatewayToolRow] {
    PlainText.lines(words).flatMap { line in
      (line.isEmpty ? [line] : line.wrapped(to: max(8, width - 6))).map {
        GatewayToolRow(text: "    " + $0)
      }
    }
  }

  private func none(_ what: PlainText) -> [GatewayToolRow] {
    [GatewayToolRow(text: "  " + what, role: .muted)]
  }

  private func waiting(_ entry: GatewayFindings.Entry?) -> [GatewayToolRow] {
    GatewayToolRow.unread(entry, facts, width: width)
  }

  private func say(_ words: PlainText, _ role: Role = .muted) -> [GatewayToolRow] {
    GatewayToolRow.sentence(words, role, width: width)
  }

  private func text(_ text: String, _ limit: Int) -> PlainText { PlainText(text, limit: limit) }
}
