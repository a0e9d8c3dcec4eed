/// Absence: the bot said nothing for an hour in which it always speaks.
struct UnusualSilence: RuleState {
  static let rule = Rule(
    id: .unusualSilence, level: .warning,
    condition: "nothing from the bot in an hour that never was silent in the recorded weeks",
    advice: "Write to the bot; if it does not answer, look at its log and restart it.",
    input: RuleInput(
      names: outputs.union(["reply_admission_decision", "voice_activity_started"]),
      keys: ["allow"], health: true, outages: true, links: true, memoryMs: 7_200_000,
      isOfBoth: true),
    limits: [
      RuleLimit(name: "hours", unit: .count, standard: 3, meaning: "recorded hours of that kind"),
      RuleLimit(
        name: "weeks", unit: .count, standard: 2, meaning: "recorded weeks of the last four"),
      RuleLimit(
        name: "gap_ms", unit: .ms, standard: 300_000,
        meaning: "a longer gap: the streams may be down"
      ),
    ],
    begin: { UnusualSilence($0) })

  /// Rows with which the bot says something.
  static let outputs: Set<String> = [
    "sent_reply", "sent_message", "reacted", "bot_audio_started", "automation_post",
    "initiative_post",
  ]

  private let least: Int
  private let gapMs: Int64
  private let hours: HourTable?
  private let leastWeeks: Double
  /// The hour that is under way, in hours since 1970; nil before the first event and after its end.
  private var hour: Int64?
  private var aliveMs: Int64?
  private var isBroken = false
  private var hasSpoken = false
  private var asked = 0
  /// Whether rows of a gateway were seen: sentences then name its agents and no bot.
  private var isOfGateway = false
  private var outages = Outages()

  init(_ values: RuleValues) {
    least = max(1, values.count("hours"))
    gapMs = values.ms("gap_ms")
    hours = values.hours
    leastWeeks = values["weeks"]
  }

  var unknown: String? {
    let weeks = hours?.weeks(before: aliveMs) ?? 0
    guard weeks < leastWeeks else { return nil }
    return "\(HourTable.figure(weeks)) of \(HourTable.figure(leastWeeks)) weeks recorded"
  }

  var deadlineMs: Int64? {
    hours == nil ? nil : hour.map { ($0 + 1) * HourTable.hourMs }
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard hours != nil else { return }
    let current = HourTable.hour(event.timeMs)
    if hour != current {
      hour = current
      (hasSpoken, asked) = (false, 0)
      isBroken = event.timeMs - max(aliveMs ?? .min / 2, current * HourTable.hourMs - gapMs) > gapMs
    }
    switch event.body {
    case .link(let silentSinceMs): if silentSinceMs != nil { return }
    case .health(let health): if health.isReady == false { return }
    case .outage:
      outages.add(event)
      return
    case .row(let row):
      if row.isOfGateway { isOfGateway = true }
      if Self.outputs.contains(row.name) { hasSpoken = true } else { asked += 1 }
    case .voice: return
    }
    if let aliveMs, event.timeMs - max(aliveMs, current * HourTable.hourMs - gapMs) > gapMs {
      isBroken = true
    }
    aliveMs = event.timeMs
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) {
    guard let hour, let hours else { return }
    let (fromMs, toMs) = (hour * HourTable.hourMs, (hour + 1) * HourTable.hourMs)
    self.hour = nil
    guard !hasSpoken, !isBroken, let aliveMs, toMs - aliveMs <= gapMs,
      !outages.touch(fromMs, toMs), hours.weeks(before: fromMs) >= leastWeeks,
      let known = hours.neverSilent(at: fromMs), known >= least
    else { return }
    var print = Fingerprint()
    print.add("silent hour")
    print.add(fromMs)
    let evidence = [Citation(timeMs: fromMs, name: "hour", fingerprint: print.value)]
    guard !isOfGateway else {
      found.report(
        .init(
          .warning,
          "The gateway's agents said nothing for an hour in which they spoke each of the last \(known) times",
          evidence, subject: "hour", toMs: toMs, missing: "anything that an agent says",
          cause: "nobody asked them, or their channels bring nothing",
          advice: "Look at channels and jobs in CMD, and ask an agent something."))
      return
    }
    found.report(
      .init(
        .warning,
        "The bot said nothing for an hour in which it spoke each of the last \(known) times",
        evidence, subject: "hour", toMs: toMs, missing: "anything that the bot says",
        cause: asked > 0
          ? "\(asked) messages and captures came, and none was answered"
          : "no message came either: people are away, or Discord sends the bot nothing"))
  }
}
