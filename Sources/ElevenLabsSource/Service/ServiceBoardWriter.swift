internal import ElevenLabsWire
internal import LenientJSON
internal import Networking

/// Writes the document `service`: what the tabs show, line by line (`ServiceBoard`).
@MainActor
struct ServiceBoardWriter {
  var live: LiveConversation
  var picture: ServicePicture
  var hasKey: Bool
  /// This machine's clock, ms since 1970, and the monotonic time of the same moment.
  var wallMs: Int64
  var nowNs: UInt64

  private var talk: Conversation { live.talk }

  var bytes: [UInt8] {
    let sections = pulse + voice + brain + memory + command
    let document = JSONValue.body([
      ("name", .string("ElevenLabs")), ("state", .string(talk.phase.word)),
      ("sections", .array(sections)),
    ])
    return Array(document.serialized().utf8)
  }

  // MARK: Parts

  private func row(
    _ text: String, _ role: String? = nil, atMs: Int64? = nil, bar: Double? = nil,
    item: String? = nil
  ) -> JSONValue {
    .body([
      ("text", .string(text)), ("role", role.map { .string($0) }),
      ("at_ms", atMs.map { .integer($0) }), ("bar", bar.flatMap { .finite($0) }),
      ("item", item.map { .string($0) }),
    ])
  }

  private func section(
    _ tab: String, _ title: String, _ rows: [JSONValue], trailing: String = "",
    readMs: Int64? = nil
  ) -> JSONValue {
    // A conversation has a connection of its own.
    let isOwn = tab == "voice" || tab == "brain"
    return .body([
      ("tab", .string(tab)), ("title", .string(title)), ("trailing", .string(trailing)),
      ("read_ms", readMs.map { .integer($0) }), ("own", isOwn ? .bool(true) : nil),
      ("rows", .array(rows)),
    ])
  }

  /// `58,200`
  private func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// Why a list is missing or old; nothing if neither.
  private func unread<Value>(_ read: ServicePicture.Read<Value>) -> [JSONValue] {
    if let problem = read.problem {
      return [row("\(read.value == nil ? "not read" : "not refreshed"): \(problem)", "warning")]
    }
    if read.value != nil { return [] }
    return [
      row(
        hasKey ? "not read yet" : "not read: that takes an API key, and the profile has none",
        "muted")
    ]
  }

  private func ms(_ ns: UInt64) -> Int64 {
    wallMs - Int64(nowNs.since(ns) / 1_000_000)
  }

  // MARK: PULSE

  private var pulse: [JSONValue] {
    var rows: [JSONValue] = []
    if let page = picture.conversations.value {
      let today = page.conversations.filter {
        Int64($0.startSeconds ?? 0) * 1_000 / 86_400_000 == wallMs / 86_400_000
      }
      let seconds = today.reduce(0) { $0 + max(0, min(86_400, $1.durationSeconds ?? 0)) }
      // The list has one page: older ones of today may be missing.
      let isCut = page.hasMore && today.count == page.conversations.count
      let more = isCut ? " or more" : ""
      rows.append(row("\(today.count)\(more) conversations today (UTC)"))
      rows.append(row("\((seconds + 30) / 60)\(more) minutes today (UTC)"))
    }
    if let left = picture.subscription.value?.left {
      rows.append(row("\(grouped(left)) characters left", left == 0 ? "negative" : nil))
    }
    let read = picture.conversations.atMs ?? picture.subscription.atMs
    return [section("pulse", "TODAY", rows, readMs: read)]
  }

  // MARK: VOICE

  private var voice: [JSONValue] {
    var rows: [JSONValue] = []
    let mode = live.mode.map { ", \($0.rawValue)" } ?? ""
    let agent = talk.agent.isEmpty ? "" : " with \(picture.name(of: talk.agent))"
    rows.append(row("\(talk.phase.word)\(mode)\(agent)", role(of: talk.phase)))
    switch talk.phase {
    case .idle: rows.append(row("A message in the conversation drawer (i) begins one.", "muted"))
    case .over(let end):
      rows.append(row(end.sentence, end.isError ? "negative" : nil, atMs: ms(talk.endedNs)))
    case .retrying: rows.append(row("The server failed; it is tried once more.", "warning"))
    case .connecting: break
    case .active: rows.append(row("began", atMs: ms(talk.activeNs)))
    }
    if let id = talk.metadata?.conversationID { rows.append(row("conversation \(id)", "muted")) }
    if talk.phase.isLive {
      if let latency = talk.latencyMs { rows.append(row("ping \(latency) ms")) }
      if let score = talk.voiceActivity { rows.append(row("voice activity", bar: score)) }
      if talk.isMuted { rows.append(row("speech is muted", "warning")) }
      if talk.isWithoutOverrides {
        rows.append(
          row("without overrides: audio is generated, counted and ignored", "warning"))
      }
    }
    if talk.unknownFrames > 0 {
      rows.append(row("\(talk.unknownFrames) messages of unknown types were ignored", "muted"))
    }
    var lines = talk.lines.suffix(200).map { line in
      let speaker = line.speaker == .user ? "you" : "agent"
      let mark = line.isInterrupted ? " (interrupted)" : line.isWhole ? "" : " …"
      return row(
        "\(speaker): \(line.text)\(mark)",
        line.speaker == .user ? "focus" : line.isInterrupted ? "muted" : nil)
    }
    if let words = talk.tentative { lines.append(row("you: \(words) …", "muted")) }
    return [
      section("voice", "CONVERSATION", rows),
      section(
        "voice", "TRANSCRIPT", lines.isEmpty ? [row("nothing was said yet", "muted")] : lines),
      section("voice", "TOOLS", tools),
    ]
  }

  private func role(of phase: Conversation.Phase) -> String? {
    switch phase {
    case .active: "positive"
    case .connecting, .retrying: "warning"
    case .over(let end): end.isError ? "negative" : "muted"
    case .idle: "muted"
    }
  }

  private var tools: [JSONValue] {
    guard !talk.tools.isEmpty else { return [row("no tool was used", "muted")] }
    return talk.tools.suffix(100).map { tool in
      var words = "\(tool.name)  \(tool.kind.rawValue)  \(tool.state.rawValue)"
      if let end = tool.endedNs { words += "  \(end.since(tool.startedNs) / 1_000_000) ms" }
      if let problem = tool.problem { words += "  \(problem)" }
      let role: String? =
        switch tool.state {
        case .failed: "negative"
        case .waiting, .unknown: "warning"
        case .running, .done: nil
        }
      return row(words, role)
    }
  }

  // MARK: BRAIN and MEMORY

  private var brain: [JSONValue] {
    var context = [row("not reported in this conversation", "muted")]
    if let usage = talk.context {
      let limit = usage.limit.map { " of \(grouped($0))" } ?? ""
      let model = usage.model.map { ", \($0)" } ?? ""
      let words = "\(usage.tokens.map(grouped) ?? "an unknown number")\(limit) tokens\(model)"
      var bar: Double?
      if let tokens = usage.tokens, let limit = usage.limit, limit > 0 {
        bar = min(1, max(0, Double(tokens) / Double(limit)))
      }
      context = [row(words, bar: bar)]
    }
    let reasoning =
      talk.reasoning.isEmpty
      ? [row("the agent sent no reasoning", "muted")]
      : talk.reasoning.split(separator: "\n").suffix(100).map { row(String($0)) }
    let servers = talk.integrations.map { server in
      let state =
        server.isConnected == true
        ? "connected" : server.isConnected == false ? "not connected" : "state unknown"
      let count = server.toolCount.map { ", \($0) tools" } ?? ""
      return row("\(server.id)  \(state)\(count)", server.isConnected == false ? "warning" : nil)
    }
    return [
      section("brain", "CONTEXT", context), section("brain", "REASONING", reasoning),
      section("brain", "TOOLS", tools),
      section(
        "brain", "MCP SERVERS",
        servers.isEmpty ? [row("none was reported in this conversation", "muted")] : servers),
    ]
  }

  private var memory: [JSONValue] {
    [
      section(
        "memory", "",
        [
          row(
            "What an agent of ElevenLabs knows is kept in its knowledge base, which is edited on the service's own pages.",
            "muted")
        ])
    ]
  }

  // MARK: CMD

  private var command: [JSONValue] {
    var account: [JSONValue] = [
      row(live.client.base.description),
      row("agent \(picture.name(of: live.agent))"),
    ]
    if hasKey {
      let isRefused = picture.conversations.problem?.contains("key") ?? false
      account.append(
        isRefused
          ? row("the API key is refused", "negative")
          : row(picture.conversations.atMs == nil ? "with an API key" : "the API key is accepted"))
    } else {
      account.append(row("no API key: only a public agent can be talked to", "muted"))
    }
    switch picture.network {
    case .unknown: break
    case .none: account.append(row("network: none; connecting waits for one", "warning"))
    case .wired, .wifi, .cellular: account.append(row("network: \(picture.network.rawValue)"))
    }
    return [
      section("cmd", "ELEVENLABS", account),
      section("cmd", "QUOTA", quota, readMs: picture.subscription.atMs), agents, conversations,
    ]
  }

  private var quota: [JSONValue] {
    var rows = unread(picture.subscription)
    guard let quota = picture.subscription.value else { return rows }
    if let used = quota.used, let limit = quota.limit, limit > 0 {
      let share = min(1, max(0, Double(used) / Double(limit)))
      rows.append(
        row(
          "\(grouped(used)) of \(grouped(limit)) characters used",
          share >= 1
            ? "negative"
            : share > 0.8
              ? "warning" : nil, bar: share))
    } else {
      rows.append(row("the service names no limit", "muted"))
    }
    if let reset = quota.resetSeconds {
      let days = (Int64(reset) * 1_000 - wallMs) / 86_400_000
      rows.append(
        row(days < 1 ? "resets within a day" : "resets in \(days) \(days == 1 ? "day" : "days")"))
    }
    if let tier = quota.tier { rows.append(row("plan \(tier)", "muted")) }
    return rows
  }

  private var agents: JSONValue {
    var rows = unread(picture.agents)
    let list = picture.agents.value ?? []
    rows += list.prefix(200).map { agent in
      row("\(agent.id)  \(agent.name ?? "")", agent.id == live.agent ? "focus" : nil)
    }
    if picture.agents.value != nil, list.isEmpty { rows.append(row("no agent", "muted")) }
    return section(
      "cmd", "AGENTS", rows, trailing: picture.agents.value.map { "\($0.count)" } ?? "",
      readMs: picture.agents.atMs)
  }

  private var conversations: JSONValue {
    var rows = unread(picture.conversations)
    let list = picture.conversations.value?.conversations ?? []
    rows += list.map { item in
      var words = "\(item.agentName ?? item.agentID ?? "an agent")  \(item.status ?? "-")"
      if let seconds = item.durationSeconds { words += "  \(seconds) s" }
      if let count = item.messageCount { words += "  \(count) messages" }
      if let reason = item.terminationReason { words += "  \(reason)" }
      if !item.tools.isEmpty { words += "  with \(item.tools.joined(separator: ", "))" }
      let isBad = item.status == "failed" || item.success == "failure"
      return row(
        words, isBad ? "negative" : nil, atMs: item.startSeconds.map { Int64($0) * 1_000 },
        item: item.id)
    }
    if picture.conversations.value != nil, list.isEmpty {
      rows.append(row("no conversation", "muted"))
    }
    let more = picture.conversations.value?.hasMore == true ? "+" : ""
    return section(
      "cmd", "CONVERSATIONS", rows,
      trailing: picture.conversations.value == nil ? "" : "\(list.count)\(more)",
      readMs: picture.conversations.atMs)
  }
}
