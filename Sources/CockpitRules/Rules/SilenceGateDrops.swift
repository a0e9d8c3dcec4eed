/// 4: the silence gate dropped one person again and again.
struct SilenceGateDrops: RuleState {
  static let rule = Rule(
    id: .silenceGateDrops, level: .warning,
    condition: "3 turns of a person within 60 s are dropped by the silence gate",
    advice:
      "The microphone is too quiet or the gate too strict: compare rms and peak with the setting.",
    input: RuleInput(
      names: ["voice_turn_dropped_silence_gate"],
      keys: ["rms", "peak", "activeSampleRatio", "isBurstArtifact"]),
    limits: [
      RuleLimit(name: "count", unit: .count, standard: 3, meaning: "drops"),
      RuleLimit(name: "within_ms", unit: .ms, standard: 60_000, meaning: "the time they fall into"),
      RuleLimit(
        name: "speech_peak", unit: .ratio, standard: 0.01, meaning: "below it is no speech"),
    ],
    begin: { SilenceGateDrops($0) })

  private let count: Int
  private let withinMs: Int64
  private let speechPeak: Double
  private var drops: [SessionPerson: RecentRows] = [:]
  /// People whose open microphone was told.
  private var told: Set<SessionPerson> = []

  init(_ values: RuleValues) {
    count = values.count("count")
    withinMs = values.ms("within_ms")
    speechPeak = values["speech_peak"]
  }

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard let row = event.row, let key = SessionPerson(row),
      row.bool("isBurstArtifact") != true
    else { return }
    drops[key, default: RecentRows()].add(row, withinMs: withinMs)
    guard let rows = drops[key]?.rows, rows.count >= count else { return }
    let peaks = rows.compactMap { $0.double("peak") }
    drops[key] = nil
    if peaks.count == rows.count, peaks.allSatisfy({ $0 < speechPeak }) {
      guard told.insert(key).inserted else { return }
      found.report(
        .init(
          .info,
          "An open microphone without speech: \(rows.count) drops, no peak over \(speechPeak)",
          rows.map(\.cite), about: row, subject: "open \(key.person)"))
      return
    }
    let peak = peaks.max().map { ", highest peak \(Self.figure($0))" } ?? ""
    found.report(
      .init(
        .warning,
        "The silence gate dropped \(rows.count) turns in "
          + "\(RuleWords.duration(row.timeMs - rows[0].timeMs))\(peak)", rows.map(\.cite),
        about: row))
  }

  private static func figure(_ value: Double) -> String {
    String((value * 1000).rounded() / 1000)
  }
}
