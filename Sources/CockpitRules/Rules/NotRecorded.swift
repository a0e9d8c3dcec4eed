/// Ours: a stretch is not on record, so that what is missing there says nothing.
struct NotRecorded: RuleState {
  static let rule = Rule(
    id: .notRecorded, level: .info,
    condition: "rows of a stretch were lost, or nothing was recorded in it",
    advice: "What happened there cannot be judged; see 'history status' for why it is missing.",
    input: RuleInput(outages: true, recorder: true),
    limits: [
      RuleLimit(name: "least_ms", unit: .ms, standard: 60_000, meaning: "shorter ones pass")
    ],
    begin: { NotRecorded($0) })

  private let leastMs: Int64

  init(_ values: RuleValues) { leastMs = values.ms("least_ms") }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .outage(let fromMs, let toMs, let rows) = event.body else { return }
    // A short stretch counts when it is known to have had rows.
    guard (rows ?? 0) > 0 || toMs - fromMs >= leastMs, rows != 0 else { return }
    var print = Fingerprint()
    print.add("outage")
    print.add(fromMs)
    let lost = rows.map { ", \($0) rows lost" } ?? ""
    found.report(
      .init(
        .info, "Nothing is on record for \(RuleWords.duration(max(0, toMs - fromMs)))\(lost)",
        [Citation(timeMs: fromMs, name: "outage", fingerprint: print.value)],
        subject: "\(fromMs)", toMs: toMs, missing: "the rows of that time", isUpdate: true))
  }
}
