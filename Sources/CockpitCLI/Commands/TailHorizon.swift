import CockpitStores

/// Where the history of a `tail` begins. Later requests reach back further than the missing rows,
/// and the older rows they bring are not part of the output.
struct TailHorizon {
  /// Only kinds with `voice_` come on the voice stream (wire contract 2.5); the log has them all.
  private let isVoice: Bool
  /// From the first batch: ids up to this one were in the log already; of these, rows older than
  /// `oldestMs` are left out.
  private var newestID = Int.max
  /// Server time; nil while everything is wanted.
  private var oldestMs: Int64?

  /// Clock difference tolerated between the backend and us (promise P10).
  private static let clockMarginMs: Int64 = 5000

  init(of stream: StreamChoice) { isVoice = stream == .voice }

  /// The first batch of the log arrived. If it is incomplete, its intended content is unknown.
  mutating func begin(with report: IngestReport) {
    guard report.isComplete, report.rejected == 0, let newest = report.ids.max() else { return }
    newestID = newest
    oldestMs = report.oldestMs
  }

  /// Without a first batch the horizon is now.
  mutating func begin(atMs nowMs: Int64) { oldestMs = nowMs - Self.clockMarginMs }

  /// The clock of the backend, which was not known, differs from ours by so much, in ms.
  mutating func clockIsKnown(laterByMs: Int64) {
    if isVoice { oldestMs = oldestMs.map { $0 &+ laterByMs } }
  }

  /// The log was replaced: its ids say nothing about the one before.
  mutating func forget() { if !isVoice { oldestMs = nil } }

  /// Whether a row is outside the output.
  func hides(_ row: ActionRowView) -> Bool {
    if isVoice, !row.kind.hasPrefix("voice_") { return true }
    guard let oldestMs, row.timeMs < oldestMs else { return false }
    return row.actionID.map { $0 <= newestID } ?? false
  }
}
