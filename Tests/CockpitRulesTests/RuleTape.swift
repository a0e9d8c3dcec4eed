import ClankyWire
import CockpitRules

/// Events of a test, written as the backend sends them: each row is JSON that the rules' own reader takes in.
struct RuleTape {
  /// 2026-01-05T12:00:00Z, a Monday.
  static let base: Int64 = 1_767_614_400_000
  var events: [RuleEvent] = []
  var session = "s1"
  private var router: RuleRouter

  init() { router = RuleEngine().router }

  static func ms(_ seconds: Double) -> Int64 { base + Int64((seconds * 1000).rounded()) }

  static func iso(_ seconds: Double) -> String { WireTime(milliseconds: ms(seconds)).iso }

  /// A row of a voice session: `kind` follows from the name.
  ///
  /// - Parameter metadata: members as JSON, such as `"allow":false`.
  mutating func voice(
    _ name: String, _ seconds: Double, _ metadata: String = "", user: String? = "ada",
    in session: String? = nil
  ) {
    let kind =
      switch name {
      case "voice_activity_started": "voice_turn_in"
      case "bot_audio_started": "voice_turn_out"
      case "voice_session_end", "voice_session_start": name
      default: "voice_runtime"
      }
    let members = [#""sessionId":"\#(session ?? self.session)""#, metadata].filter { !$0.isEmpty }
    row(kind, seconds, members.joined(separator: ","), content: name, user: user)
  }

  /// A row of any kind.
  mutating func row(
    _ kind: String, _ seconds: Double, _ metadata: String = "", content: String? = nil,
    user: String? = nil, channel: String? = "c1", message: String? = nil, cost: Double? = nil
  ) {
    var members = [
      #""createdAt":"\#(WireTime(milliseconds: Self.ms(seconds)).iso)""#, #""kind":"\#(kind)""#,
      #""guildId":"g1""#,
    ]
    for (key, value) in [
      ("content", content), ("userId", user), ("channelId", channel), ("messageId", message),
    ] {
      if let value { members.append(#""\#(key)":"\#(value)""#) }
    }
    if let cost { members.append(#""usdCost":\#(cost)"#) }
    members.append(#""metadata":{\#(metadata)}"#)
    let json = Array("{\(members.joined(separator: ","))}".utf8)
    if let row = json.withUnsafeBytes({ RuleRow($0, router: &router) }) {
      events.append(RuleEvent(row))
    }
  }

  /// A voice state with one session.
  mutating func state(_ seconds: Double, _ change: (inout VoiceSample) -> Void = { _ in }) {
    var sample = VoiceSample(sessionID: session)
    change(&sample)
    events.append(RuleEvent(timeMs: Self.ms(seconds), body: .voice([sample])))
  }

  mutating func health(_ seconds: Double, _ change: (inout HealthSample) -> Void = { _ in }) {
    var sample = HealthSample()
    change(&sample)
    events.append(RuleEvent(timeMs: Self.ms(seconds), body: .health(sample)))
  }

  mutating func outage(_ from: Double, _ to: Double, rows: Int? = nil) {
    let body = RuleEvent.Body.outage(fromMs: Self.ms(from), toMs: Self.ms(to), rows: rows)
    events.append(RuleEvent(timeMs: Self.ms(from), body: body))
  }

  /// What the link says: since when it has been silent.
  mutating func link(_ seconds: Double, silentSince: Double?) {
    events.append(
      RuleEvent(
        timeMs: Self.ms(seconds), body: .link(silentSinceMs: silentSince.map(Self.ms))))
  }

  /// What the rules say of the tape, an hour after its last event at most.
  func judged(
    by rule: RuleID? = nil, _ settings: RuleSettings = RuleSettings(), untilSeconds: Double? = nil
  ) -> [Incident] {
    var engine = RuleEngine(settings)
    engine.take(events)
    let last = events.map(\.timeMs).max() ?? Self.base
    engine.advance(to: untilSeconds.map(Self.ms) ?? last + 3_600_000)
    return engine.incidents.filter { rule == nil || $0.rule == rule }
  }
}
