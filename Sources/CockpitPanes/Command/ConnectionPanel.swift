import Networking
import CockpitText
import CockpitDomain
import CockpitStores
import TerminalCore

/// The connection, stream by stream, and its resource use; then the profiles.
@MainActor
struct ConnectionPanel {
  let facts: ViewContext
  /// Columns.
  var width: Int
  /// What this version does not know of the backend; nil if it knows everything.
  var drift: WireDrift.Shown?

  private var status: SourceStatus { facts.status }

  /// Most important rows first: a low panel shows only those.
  var rows: [CommandRow] {
    status.channels.map(stream)
      + problems + [rest, reconnects, gaps] + wire + [client, requests, skew, traffic, kept]
      + profiles
      + identity
  }

  private func stream(_ listed: ChannelStatus) -> CommandRow {
    let stream = listed.status
    let name = PlainText(
      "\(listed.channel.name.uppercased()) \(listed.channel.transport)", limit: 20)
    let role: Role =
      switch stream.state {
      case .live: .positive
      case .stopped: stream.failure == nil ? .muted : .negative
      case .stale: .negative
      case .connecting, .reconnecting, .polling, .degraded: .warning
      }
    var spans: [VoiceLine.Span] = [
      .label(name.padded(to: 12)),
      .symbol(stream.state == .live ? .dot : .ring, role),
    ]
    // A narrow panel omits the state if it is live or shown by the retry time.
    if width >= 44 || stream.state != .live && stream.retryAtNs == nil {
      let word = stream.state == .stopped && stream.failure == nil ? "off" : stream.state.rawValue
      spans.append(.init(text: PlainText(word), role: role))
    }
    if let seconds = stream.nextRetryInSeconds(nowNs: facts.monotonicNs) {
      spans.append(.init(text: PlainText("retry in \(seconds)s"), role: .warning))
    } else {
      spans.append(
        .init(
          text: Self.age(stream.lastByteAgoMs(nowNs: facts.monotonicNs)).leftPadded(to: 4),
          role: .number))
    }
    let events = Figures.count(stream.eventsPerMinute)
    let rates: [[VoiceLine.Span]] = [
      [.init(text: events.leftPadded(to: 4), role: .number), .label("ev/min")],
      [.init(text: events + "/min", role: .number)],
    ]
    // A truncated figure is useless: use a shorter form, or none.
    spans +=
      rates.first { (spans + $0).reduce(-1) { $0 + $1.columns + 1 } <= width } ?? []
    let bytes = Figures.bytes(stream.bytes)
    let used = spans.reduce(0) { $0 + $1.columns + 1 }
    return CommandRow(
      spans, trailing: used + bytes.columns < width ? [.init(text: bytes, role: .muted)] : [])
  }

  /// Why it is not as it should be.
  private var problems: [CommandRow] {
    var rows: [CommandRow] = []
    if let reason = status.pollingReason {
      rows += CommandRow.wrapped(
        "POLLING", PlainText(reason, limit: 300), .warning, width: width, limit: 3)
    }
    let failures = status.channels.compactMap { $0.status.failure?.description }
    for text in Set(failures).sorted() {
      rows += CommandRow.wrapped(
        "FAILED", PlainText(text, limit: 400), .negative, width: width, limit: 3)
    }
    return rows
  }

  /// What the backend says that this version does not know.
  private var wire: [CommandRow] {
    guard let drift else { return [] }
    let since = facts.clock.time(ms: drift.sinceMs)
    var rows = CommandRow.wrapped(
      "WIRE", drift.words + " since " + since + ": doctor --wire", .warning, width: width, limit: 2)
    // Enter shows the rows of unknown kinds.
    if !drift.kinds.isEmpty {
      let query = "kind:" + drift.kinds.prefix(20).joined(separator: "|")
      for index in rows.indices { rows[index].item = .rows(query) }
    }
    return rows
  }

  private var rest: CommandRow {
    .labelled(
      "REST", .init(text: Figures.duration(ms: status.restLatencyMs), role: .number),
      .label("p50"), .init(text: Figures.duration(ms: status.restP50Ms), role: .number),
      .label("p95"), .init(text: Figures.duration(ms: status.restP95Ms), role: .number))
  }

  private var requests: CommandRow {
    guard status.restRequests > 0 else {
      let streams = status.channels.reduce(0) { $0 + $1.status.connections }
      return .labelled(
        "REQUESTS", .init(text: "-", role: .muted),
        .label(streams > 0 ? "none but streams" : "none was sent"))
    }
    return .labelled(
      "REQUESTS", .init(text: Figures.count(status.restRequests), role: .number),
      .label("failed"),
      .init(
        text: Figures.count(status.restFailures),
        role: status.restFailures > 0 ? .warning : .number))
  }

  private var reconnects: CommandRow {
    let count = Figures.count(status.reconnects)
    let hasTried = status.reconnectAttempts > 0
    let head: [VoiceLine.Span] = [
      .label(("RECONNECTS" as PlainText).padded(to: CommandRow.labelWidth)),
      .init(
        text: hasTried ? count + "," : count, role: status.reconnects > 0 ? .info : .number),
    ]
    let times: PlainText = status.reconnectAttempts == 1 ? " time" : " times"
    let tried: [VoiceLine.Span] =
      hasTried ? [.label("tried " + Figures.count(status.reconnectAttempts) + times)] : []
    guard let at = status.reconnectedAtNs, facts.monotonicNs >= at else {
      return CommandRow(head + tried)
    }
    let agoMs = Int64(clamping: (facts.monotonicNs - at) / 1_000_000)
    let ago = VoiceLine.Span.label(Figures.age(ms: agoMs) + " ago")
    let last: [VoiceLine.Span] = [
      .label("last"), .init(text: facts.clock.time(ms: facts.nowMs - agoMs), role: .number), ago,
    ]
    let whole = head + tried + last
    // Half a figure says nothing.
    let isRoomy = whole.reduce(-1) { $0 + $1.columns + 1 } <= width
    return CommandRow(isRoomy ? whole : head + tried + [ago])
  }

  private var gaps: CommandRow {
    guard hasHeardOfRows else {
      return .labelled("GAPS", .init(text: "-", role: .muted), .label("nothing was heard"))
    }
    var row = CommandRow.labelled(
      "GAPS", .init(text: Figures.count(status.gapsFilled), role: .number), .label("rows filled"),
      .init(
        text: Figures.count(status.rowsMissing),
        role: status.rowsMissing > 0 ? .warning : .number), .label("missing"))
    if status.rowsMissing > 0 { row.item = .rows("is:gap") }
    return row
  }

  /// Before the first event it is unknown what is missing.
  private var hasHeardOfRows: Bool {
    status.channels.contains { $0.status.events > 0 || $0.status.lastByteAtNs != nil }
      || status.overall == .polling || status.gapsFilled > 0 || status.rowsMissing > 0
  }

  private var skew: CommandRow {
    guard let ms = status.skewMs else {
      return .labelled("CLOCK SKEW", .init(text: "-", role: .muted))
    }
    guard ms != 0 else {
      return .labelled("CLOCK SKEW", .init(text: "none measurable", role: .number))
    }
    let sign: PlainText = ms < 0 ? "-" : "+"
    return .labelled(
      "CLOCK SKEW",
      .init(
        text: sign + Figures.duration(ms: Double(ms.magnitude)),
        role: ms.magnitude > 5000 ? .warning : .number),
      .label(
        status.isClockDoubted
          ? "not used: rows differ" : ms < 0 ? "backend behind" : "backend ahead"))
  }

  /// This program's resource use.
  private var client: CommandRow {
    let client = facts.client
    let cpu = client.cpuPercent.map { percent -> PlainText in
      percent.isFinite ? PlainText("\(Figures.fixed(max(0, percent), 1))%") : "-"
    }
    return .labelled(
      "COCKPIT", .label("cpu"), .init(text: cpu ?? "-", role: .number), .label("memory"),
      .init(text: Figures.bytes(client.residentBytes), role: .number))
  }

  private var traffic: CommandRow {
    func rate(_ bytes: Double?) -> PlainText {
      guard let bytes, bytes.isFinite, bytes >= 0, bytes < 1e15 else { return "-" }
      return Figures.bytes(Int(bytes.rounded())) + "/s"
    }
    var row = CommandRow.labelled(
      "TRAFFIC", .label("in"),
      .init(text: rate(facts.client.receivedBytesPerSecond), role: .number), .label("out"),
      .init(text: rate(facts.client.writtenBytesPerSecond), role: .number))
    if facts.client.isLowBandwidth {
      row.line.spans.append(.init(text: "slow line", role: .warning))
    }
    return row
  }

  private var kept: CommandRow {
    let log = facts.activity.log
    let memory = log.memory
    let oldest = log.count > 0 ? log.row(at: log.count - 1).timeMs : nil
    let size = [
      VoiceLine.Span(text: Figures.bytes(memory.rawBytes), role: .number),
      .label("of " + Figures.bytes(memory.limit)),
    ]
    var spans: [VoiceLine.Span] = [
      .init(text: Figures.count(log.count), role: .number), .label("rows"),
    ]
    // That it is no figure of the guild is worth more than its size.
    spans =
      facts.scope.isAll
      ? size + spans : spans + [.label(facts.unscoped)] + (width >= 46 ? size : [])
    var row = CommandRow.labelled("LOG KEPT")
    row.line.spans += spans
    return row.of(oldest.map { RowsBehind("since:" + facts.clock.queryZone.text(ms: $0)) })
  }

  // MARK: Identity

  private var profiles: [CommandRow] {
    let profiles = facts.setup.profiles
    guard !profiles.isEmpty else { return [] }
    let nameWidth = min(
      16, max(7, profiles.map { PlainText($0.name, limit: 60).columns }.max() ?? 7))
    let heading = CommandRow([
      .init(text: "PROFILES", role: .heading),
      .label(profiles.count > 1 ? "Enter uses another one" : "only this one"),
    ])
    return [heading]
      + profiles.map { profile in
        let isCurrent = profile.name == facts.setup.current
        let name: PlainText = profile.name.isEmpty ? "default" : PlainText(profile.name, limit: 60)
        return CommandRow(
          [
            // Green would say that it is well.
            .symbol(isCurrent ? .dot : .ring, isCurrent ? .focus : .muted),
            .init(
              text: name.cut(to: nameWidth).padded(to: nameWidth),
              role: isCurrent ? .focus : .text, attributes: isCurrent ? .bold : []),
            .init(text: PlainText(profile.url, limit: 200), role: .muted),
          ],
          trailing: profile.isReadOnly ? [.init(text: "read-only", role: .warning)] : [],
          item: .profile(profile.name))
      }
  }

  private var identity: [CommandRow] {
    var rows = [
      CommandRow.labelled(
        "PROFILE", .init(text: CommandSummary.name(of: facts), role: .heading),
        CommandSummary.access(facts))
    ]
    rows += CommandRow.wrapped(
      "ADDRESS", PlainText(facts.connection.address, limit: 200), width: width, limit: 2)
    rows += CommandRow.wrapped("TOKEN", CommandSummary.tokenPlace(facts), width: width, limit: 2)
    if let path = facts.setup.configPath {
      rows += CommandRow.wrapped(
        "CONFIG", PlainText(path, limit: 300), .muted, width: width, limit: 2)
    }
    return rows
  }

  /// `0.4s`, `12s`; `-` when nothing was heard.
  static func age(_ ms: Int?) -> PlainText {
    guard let ms else { return "-" }
    return ms < 9_950
      ? PlainText("\(Figures.fixed(Double(max(0, ms)) / 1000, 1))s") : Figures.age(ms: Int64(ms))
  }
}
