internal import ClankyWire
internal import LenientJSON

/// The total of a browser run, which repeats the model steps of the run where the log has them.
struct BrowserRun {
  /// A minute in which a run performed a step. Steps name neither run nor session; they have the
  /// run's channel and user.
  struct Step: Hashable {
    var minute: Int64
    var channel: String?
    var user: String?
  }

  var kind: String
  var nanos: Int64
  /// nil if the row has none.
  var model: String?
  var endMs: Int64
  private var durationMs: Int64
  private var channel: String?
  private var user: String?

  /// Where a row does not say how long it took. A run has at most some dozen steps of seconds.
  private static let usualMs: Int64 = 600_000
  private static let longestMs: Int64 = 7_200_000

  init(_ row: ActionRowView, nanos: Int64) {
    kind = row.kind
    self.nanos = nanos
    endMs = row.timeMs
    channel = row.channelID
    user = row.userID
    let details = row.withScan { $0.metadata(["durationMs", "model"], in: $1) }
    model = details?["model"]?.string.flatMap { $0.isEmpty ? nil : $0 }
    let duration = details?["durationMs"]?.int.map(Int64.init) ?? Self.usualMs
    durationMs = min(max(0, duration), Self.longestMs)
  }

  /// Whether steps of this run are on record, so that its total would count them again.
  func isCounted(by steps: Set<Step>) -> Bool {
    let minutes = (endMs - durationMs) / 60_000...endMs / 60_000
    return minutes.contains { steps.contains(Step(minute: $0, channel: channel, user: user)) }
  }
}

extension BrowserRun.Step {
  init(_ row: ActionRowView) {
    self.init(minute: row.timeMs / 60_000, channel: row.channelID, user: row.userID)
  }
}
