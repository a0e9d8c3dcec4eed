internal import ClankyWire

/// 7: tools ran where they should not.
struct ToolOwnershipMismatch: RuleState {
  static let rule = Rule(
    id: .toolOwnership, level: .warning,
    condition: "a tool runs at the provider of a session whose tools the bot owns, or the reverse",
    advice: "Compare the session's tool ownership with its settings; rejoin if they differ.",
    input: RuleInput(
      names: ["voice_brain_tool_call", "voice_session_settings_reconciled", "voice_session_end"],
      prefixes: ["realtime_tool_call_"], keys: ["realtimeToolOwnership", "toolName", "callId"],
      voiceState: true),
    limits: [
      RuleLimit(name: "settle_ms", unit: .ms, standard: 5000, meaning: "around changed settings")
    ],
    begin: { ToolOwnershipMismatch($0) })

  private let settleMs: Int64
  private var owners: [String: (owner: String, cite: Citation)] = [:]
  private var reconciled: [String: Int64] = [:]
  /// Rows that contradict, until it is certain that no settings changed around them.
  private var doubtful = Waiting<Citation, (row: RuleRow, owner: String, state: Citation)>()
  private var hasUnowned = false

  init(_ values: RuleValues) { settleMs = values.ms("settle_ms") }

  var deadlineMs: Int64? { doubtful.deadlineMs }
  var unknown: String? {
    hasUnowned && owners.isEmpty ? "nothing on this backend tells who owns tools" : nil
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    switch event.body {
    case .voice(let sessions):
      for sample in sessions {
        guard let owner = sample.ownership?.rawValue else { continue }
        guard owners[sample.sessionID]?.owner != owner else { continue }
        let cite = sample.citation(atMs: event.timeMs, key: "tools: \(owner)")
        owners[sample.sessionID] = (owner, cite)
      }
    case .row(let row): take(row)
    case .health, .outage, .link: break
    }
  }

  private mutating func take(_ row: RuleRow) {
    guard let session = row.sessionID else { return }
    switch row.name {
    case "voice_session_end":
      owners[session] = nil
      reconciled[session] = nil
    case "voice_session_settings_reconciled":
      reconciled[session] = row.timeMs
      doubtful.removeAll { $1.row.sessionID == session }
      // The ownership may be another one now.
      owners[session] = row.string("realtimeToolOwnership").map { ($0, row.cite) }
    default:
      if let told = row.string("realtimeToolOwnership") {
        if owners[session]?.owner != told { owners[session] = (told, row.cite) }
      }
      guard let (owner, state) = owners[session] else {
        hasUnowned = true
        return
      }
      let isProviders = row.name.hasPrefix("realtime_tool_call_")
      guard isProviders ? owner == "transport_only" : owner == "provider_native",
        row.timeMs - (reconciled[session] ?? .min / 2) > settleMs
      else { return }
      doubtful.wait(row.cite, (row, owner, state), untilMs: row.timeMs + settleMs)
    }
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    for (_, (row, owner, state)) in doubtful.due(nowMs) {
      let tool = row.string("toolName") ?? "a tool"
      let place = row.name.hasPrefix("realtime_tool_call_") ? "at the provider" : "in the bot"
      found.report(
        .init(
          .warning, "\(tool) ran \(place), but the session's tools are \(owner)",
          [row.cite, state], about: row, subject: "", toMs: row.timeMs))
    }
  }
}
