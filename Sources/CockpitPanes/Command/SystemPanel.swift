import CockpitText
import ClankyWire
import CockpitStores
import TerminalCore

/// The backend's statements about the bot. Missing values are called unknown, never guessed; values
/// derived from rows are marked as estimates.
@MainActor
struct SystemPanel {
  let facts: ViewContext
  /// Columns.
  var width: Int
  /// Whether the cost panel is hidden, so that its numbers are shown here.
  var hasCost: Bool
  /// When the bot last logged in, according to the stored rows.
  var login = LoginTime()
  /// The rows of the messages that wait for a reply.
  var waiting: [RowID] = []
  var unanswered = UnansweredPeople()

  private var runtime: Runtime? { facts.stats?.runtime }
  private var figures: VoiceFigures { VoiceFigures(facts: facts) }

  /// Most important rows first: a low panel shows only those.
  var rows: [CommandRow] {
    [bot, gateway] + (hasCost ? cost : []) + [text] + tunnel + [queue, ignored, uptime] + voice
      + accounts
      + counters
  }

  private var bot: CommandRow {
    let isReady = runtime?.isReady
    return .labelled(
      "BOT", .light(isReady, off: .warning), .init(text: figures.text(runtime?.userTag, limit: 40)),
      trailing: [
        .init(text: Figures.count(runtime?.guildCount), role: .number),
        .label(runtime?.guildCount == 1 ? "guild" : "guilds"),
      ]
    ).of(.stats("the number of guilds"))
  }

  private var gateway: CommandRow {
    guard let gateway = runtime?.gateway, gateway != Gateway() else {
      return .labelled("GATEWAY", .init(text: "-", role: .muted))
    }
    let (word, role): (PlainText, Role) =
      if gateway.reconnectInFlight == true {
        ("reconnecting, try " + Figures.count(gateway.reconnectAttempts), .warning)
      } else if gateway.hasConnectedAtLeastOnce == false {
        ("never connected", .warning)
      } else if runtime?.isReady == false {
        ("not ready", .warning)
      } else if gateway.hasConnectedAtLeastOnce == true {
        ("ok", .positive)
      } else {
        ("-", .muted)
      }
    return .labelled(
      "GATEWAY", .symbol(role == .positive ? .dot : .ring, role), .init(text: word, role: role),
      .label("event"), .init(text: figures.age(gateway.lastGatewayEventAt), role: .number)
    ).of(.stats("when Discord was last heard"))
  }

  private var cost: [CommandRow] {
    let costs = CostPanel(facts: facts, width: width, chartRows: 0)
    return [costs.sums, costs.forecastOrRate] + PromiseRows(facts: facts, width: width).summary
  }

  private var text: CommandRow {
    let metric = facts.stats?.stats?.performance.totalMs
    var row = CommandRow.labelled(
      "REPLY 24 H", .label("p50"), .init(text: figures.ms(metric?.p50Ms), role: .number),
      .label("p95"), .init(text: figures.ms(metric?.p95Ms), role: .number), .label("n"),
      .init(text: Figures.count(metric?.count), role: .number))
    row.item = .figure(
      .replies(sinceMs: facts.minuteMs - WindowCounts.day, facts.clock.queryZone))
    return row
  }

  /// 24 hours ago, to the minute.
  private var dayAgo: String {
    facts.clock.queryZone.text(ms: facts.minuteMs - WindowCounts.day)
  }

  private var tunnel: [CommandRow] {
    guard let runtime else { return [.labelled("TUNNEL", .init(text: "-", role: .muted))] }
    guard let tunnel = runtime.publicHttps else {
      return [.labelled("TUNNEL", .label("none: no tunnel manager"))]
    }
    let role: Role =
      switch tunnel.status {
      case .ready?: .positive
      case .error?: .negative
      case .starting?: .warning
      default: .muted
      }
    var row = CommandRow.labelled(
      "TUNNEL", .init(text: figures.text(tunnel.status?.description, limit: 24), role: role))
    if tunnel.enabled == false { row.line.spans.append(.label("switched off")) }
    if let pid = tunnel.pid { row.line.spans += [.label("pid"), .init(text: PlainText("\(pid)"))] }
    if let at = tunnel.startedAt {
      row.line.spans += [.label("up"), .init(text: figures.age(at), role: .number)]
    }
    row.item = .figure(.stats("the tunnel as the bot sees it"))
    var rows = [row]
    // The address may belong to a closed tunnel (contract 7.6).
    if tunnel.status == .ready, let url = tunnel.publicURL, !url.isEmpty, width >= 44 {
      rows += CommandRow.wrapped("", PlainText(url, limit: 200), .info, width: width, limit: 2)
    }
    if tunnel.status == .error || tunnel.status == .stopped,
      let error = tunnel.lastError, !error.isEmpty
    {
      rows += CommandRow.wrapped(
        "", PlainText(error, limit: 300), .negative, width: width, limit: 3)
    }
    return rows
  }

  private var queue: CommandRow {
    let pending = runtime?.replyQueue.pending
    var spans: [VoiceLine.Span] = [
      .label(("REPLIES" as PlainText).padded(to: CommandRow.labelWidth)),
      .init(text: Figures.count(pending), role: .number),
    ]
    if !facts.scope.isAll {
      // What cannot be told apart by guild says so where there is little room.
      spans.append(.label("in queue, " + facts.unscoped + "; last"))
    } else if width >= 43 {
      spans += [
        .label("in bot's queue,"),
        .init(text: Figures.count(runtime?.replyQueue.channels), role: .number), .label("ch; last"),
      ]
    } else {
      spans.append(.label(width >= 38 ? "in bot's queue; last" : "in queue; last"))
    }
    spans.append(.init(text: figures.age(runtime?.lastBotMessageAt), role: .number))
    let own: PlainText = "what waits in the bot's own queue now"
    guard !waiting.isEmpty else {
      return CommandRow(spans).of(
        RowsBehind(none: own + "; no message here is to be answered yet"))
    }
    var behind = RowsBehind(
      waiting.map { $0 } + Array(repeating: nil, count: max(0, (pending ?? 0) - waiting.count)),
      "messages")
    behind.remark = own
    return CommandRow(spans).of(behind)
  }

  /// Those whom the queue does not count.
  private var ignored: CommandRow {
    let day = facts.minuteMs - WindowCounts.day
    let begin = facts.coverageBegin(kinds: UnansweredPeople.kinds)
    let (rows, channels) = unanswered.unanswered(sinceMs: day, in: facts.scope)
    var window: PlainText = "24h"
    if let begin, begin > day {
      window = "since " + facts.clock.shortTime(ms: begin, now: facts.minuteMs)
    }
    guard begin != nil || !rows.isEmpty else {
      return .labelled("CALL FAILED", .init(text: "-", role: .muted), .label("no rows yet"))
    }
    var spans: [VoiceLine.Span] = [
      .init(text: Figures.count(rows.count), role: rows.isEmpty ? .number : .warning),
      .label(rows.count == 1 ? "person" : "people"),
    ]
    if channels > 1 {
      spans += [.label("in"), .init(text: Figures.count(channels), role: .number), .label("ch")]
    }
    spans.append(.label(width >= 54 ? "by failed calls, " + window : window))
    let none: PlainText = "nobody's last model call failed, of the calls that are here"
    var behind = rows.isEmpty ? RowsBehind(none: none) : RowsBehind(rows, "people")
    if !rows.isEmpty { behind.remark = "the last model call for each of them failed" }
    return CommandRow(
      [.label(("CALL FAILED" as PlainText).padded(to: CommandRow.labelWidth))] + spans
    ).of(behind)
  }

  /// There is no uptime on the wire; the last login is the closest figure (contract 3.6).
  private var uptime: CommandRow {
    guard let ms = login.ms else { return .labelled("UPTIME", .label("not served")) }
    return CommandRow.labelled(
      "UPTIME", .label("not served; login"),
      .init(text: Figures.age(ms: facts.nowMs - ms), role: .number),
      .label(width >= 40 ? "ago" : "")
    ).of(login.row.map { RowsBehind([$0], "logins") })
  }

  private var voice: [CommandRow] {
    let sessions = facts.voice.state.map { _ in facts.liveSessions }
    let shares = runtime?.screenShare?.activeCount
    var rows = [
      CommandRow.labelled(
        "VOICE", .init(text: Figures.count(sessions?.count), role: .number),
        .label(sessions?.count == 1 ? "session" : "sessions")
      ).of(
        RowsBehind(none: "what is live by the bot's voice state, VOICE shows it; no row counts it"))
    ]
    if facts.scope.isAll || width >= 44 {
      rows[0].line.spans += [
        .label("shares"), .init(text: Figures.count(shares), role: .number),
      ]
      if !facts.scope.isAll { rows[0].line.spans.append(.label(facts.unscoped)) }
    }
    let servers = (sessions ?? []).flatMap(\.mcpStatus)
    if servers.isEmpty {
      rows.append(
        .labelled("MCP", .label(sessions?.isEmpty == false ? "no servers" : "known in a call only"))
      )
    }
    for server in servers.prefix(8) {
      var row = CommandRow.labelled(
        "MCP", .light(server.connected, off: .negative),
        .init(text: figures.text(server.serverName, limit: 30)),
        trailing: [
          .init(text: Figures.count(server.tools.count), role: .number),
          .label(server.tools.count == 1 ? "tool" : "tools"),
        ])
      if let error = server.lastError, !error.isEmpty {
        row.line.spans.append(.init(text: PlainText(error, limit: 120), role: .negative))
      }
      let name = figures.text(server.serverName, limit: 16)
      rows.append(
        row.of(
          RowsBehind(none: "tools of " + name + " by the bot's voice state; no row counts them")))
    }
    return rows
  }

  private var accounts: [CommandRow] {
    var rows: [CommandRow] = []
    let accounts = facts.command.accounts
    switch accounts {
    case .notServed: rows.append(.labelled("ACCOUNTS", .label("not served by this backend")))
    case .failed(let failure, nil):
      rows += CommandRow.wrapped(
        "ACCOUNTS", PlainText(failure.sentence, limit: 200), .negative, width: width, limit: 2)
    default:
      rows.append(
        .labelled(
          "ACCOUNTS", .label("claude"), .light(accounts.value?.claudeOauth), .label("openai"),
          .light(accounts.value?.openaiOauth)))
    }
    let flags = facts.command.settings.value?.bindings.providerAuth ?? [:]
    guard !flags.isEmpty else {
      let word: PlainText =
        switch facts.command.settings {
        case .notServed: "not served by this backend"
        case .failed: facts.replay == nil ? "could not be had" : "never recorded"
        default: "-"
        }
      rows.append(.labelled("CREDENTIALS", .label(word)))
      return rows
    }
    let found = flags.filter(\.value).keys.sorted().map { PlainText($0, limit: 30) }
    let missing = flags.filter { !$0.value }.keys.sorted().map { PlainText($0, limit: 30) }
    rows += CommandRow.wrapped(
      "CREDENTIALS", found.isEmpty ? "none" : found.prefix(20).joined(separator: ", "),
      found.isEmpty ? .warning : .positive, width: width, limit: 3)
    if !missing.isEmpty {
      rows += CommandRow.wrapped(
        "  none for", missing.prefix(20).joined(separator: ", "), .muted, width: width, limit: 3)
    }
    return rows
  }

  /// The backend counts a fixed list of kinds: no total follows from them (contract 5.1).
  private var counters: [CommandRow] {
    let counts = facts.stats?.stats?.last24h ?? [:]
    guard !counts.isEmpty else { return [.labelled("LAST 24 H", .label("not known yet"))] }
    let shown = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.prefix(32)
    var rows = [
      CommandRow([
        .init(text: "LAST 24 H", role: .heading),
        .label(PlainText("only \(counts.count) kinds are counted, no total")),
      ])
    ]
    let columns = max(1, width / 26)
    let cell = width / columns
    func query(for kind: String) -> String {
      "kind:" + QueryCompletion.quoted(kind) + " since:" + dayAgo
    }
    var index = 0
    let entries = Array(shown)
    while index < entries.count {
      let spans = entries[index..<min(index + columns, entries.count)].map { entry in
        let number = Figures.count(entry.value).leftPadded(to: 6)
        let name = PlainText(entry.key, limit: 40).cut(to: cell - 9)
        return [
          VoiceLine.Span(text: number, role: .number), .label(name.padded(to: cell - 8)),
        ]
      }
      var row = CommandRow(spans.flatMap(\.self))
      // One figure in a row: then Enter can mean it.
      if columns == 1 {
        row.item = .rows(query(for: entries[index].key))
      } else {
        row.parts = (0..<spans.count).map { place in
          .init(
            columns: place * cell..<(place + 1) * cell - 1,
            behind: RowsBehind(query(for: entries[index + place].key)))
        }
      }
      rows.append(row)
      index += columns
    }
    return rows
  }
}
