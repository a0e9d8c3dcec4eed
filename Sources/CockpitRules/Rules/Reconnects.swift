/// 10: connections of the bot break again and again.
struct Reconnects: RuleState {
  static let rule = Rule(
    id: .reconnects, level: .warning,
    condition: "3 abnormal closes or reconnects within 5 min, of one session or of the bot itself",
    advice: "Check the network and the provider's status; the close codes say who hung up.",
    input: RuleInput(
      names: ["bot_error", "voice_session_end"], prefixes: ["gateway_"],
      suffixes: ["_asr_circuit_breaker_reconnect", "_socket_closed", "_ws_closed"],
      keys: ["code", "reason"], health: true),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "closes"),
      RuleLimit(
        name: "within_ms", unit: .ms, standard: 300_000, meaning: "the time they fall into"),
    ],
    begin: { Reconnects($0) })

  private let count: Int
  private let withinMs: Int64
  /// By session; the bot's own under "".
  private var closes: [String: RecentRows] = [:]
  /// A close whose session may be about to end.
  private var attempts: Int?

  /// The two rows of one close.
  private static let pairMs: Int64 = 50

  init(_ values: RuleValues) {
    count = values.count("count")
    withinMs = values.ms("within_ms")
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .row(let row): take(row, &found)
    case .health(let health):
      defer { attempts = health.reconnectAttempts ?? attempts }
      guard let before = attempts, let now = health.reconnectAttempts, now > before else { return }
      var print = Fingerprint()
      print.add("reconnectAttempts")
      print.add(Int64(now))
      print.add(event.timeMs)
      add(
        RuleRow(
          document: "stats", timeMs: event.timeMs, fingerprint: print.value,
          words: "reconnect attempt \(now)"), of: "", &found)
    case .voice, .outage, .link: break
    }
  }

  private mutating func take(_ row: RuleRow, _ found: inout Findings) {
    let session = row.sessionID ?? ""
    if row.name == "voice_session_end" {
      closes[session] = nil
      return
    }
    if row.name == "bot_error" {
      guard row.content?.hasPrefix("gateway_") == true else { return }
    } else if !row.name.hasPrefix("gateway_"), !row.name.hasSuffix("_reconnect") {
      guard let code = row.int("code"), code != 1000, code != 1001,
        row.string("reason") != "idle_ttl"
      else { return }
    }
    add(row, of: row.name.hasPrefix("gateway_") || row.kind == "bot_error" ? "" : session, &found)
  }

  private mutating func add(_ row: RuleRow, of session: String, _ found: inout Findings) {
    if let last = closes[session]?.rows.last, row.timeMs - last.timeMs <= Self.pairMs { return }
    closes[session, default: RecentRows()].add(row, withinMs: withinMs)
    guard let rows = closes[session]?.rows, rows.count >= count else { return }
    closes[session] = nil
    let code = row.int("code").map { ", last code \($0)" } ?? ""
    found.report(
      .init(
        .warning,
        "\(session.isEmpty ? "The bot" : "The session") lost its connection \(rows.count) times in "
          + "\(RuleWords.duration(row.timeMs - rows[0].timeMs))\(code)", rows.map(\.cite),
        about: row,
        sessionID: session.isEmpty ? nil : session, subject: ""))
  }
}
