/// Ours: the stream is open, and nothing comes, not even a heartbeat.
struct SilentBackend: RuleState {
  static let rule = Rule(
    id: .silentBackend, level: .warning,
    condition: "an open stream brings not one byte for 10 s",
    advice: "The cockpit connects again by itself; if it stays silent, look at the bot's host.",
    input: RuleInput(links: true),
    limits: [
      RuleLimit(name: "silent_ms", unit: .ms, standard: 10_000, meaning: "time without a byte")
    ],
    begin: { SilentBackend($0) })

  private let silentMs: Int64
  private var sinceMs: Int64?
  private var isReported = false

  init(_ values: RuleValues) { silentMs = values.ms("silent_ms") }

  var deadlineMs: Int64? { isReported ? nil : sinceMs.map { $0 + silentMs } }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .link(let silentSinceMs) = event.body else { return }
    if silentSinceMs != sinceMs { isReported = false }
    sinceMs = silentSinceMs
    report(event.timeMs, &found)
  }

  mutating func pass(_ nowMs: Int64, _ found: inout Findings) { report(nowMs, &found) }

  private mutating func report(_ nowMs: Int64, _ found: inout Findings) {
    guard let sinceMs, !isReported, nowMs - sinceMs >= silentMs else { return }
    isReported = true
    var print = Fingerprint()
    print.add("link")
    print.add(sinceMs)
    found.report(
      .init(
        .warning, "The backend has sent nothing for \(RuleWords.duration(silentMs))",
        [
          Citation(
            timeMs: sinceMs, name: "link", fingerprint: print.value, words: "the last byte")
        ], toMs: sinceMs + silentMs, missing: "a heartbeat"))
  }
}
