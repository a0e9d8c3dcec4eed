import CockpitStores

/// Where the history of a `tail` begins. Later requests reach back further than what is missing, and
/// the rows that they bring from before are no part of what is followed.
struct TailHorizon {
  /// Only kinds with `voice_` come on the voice stream (wire contract 2.5); the log has them all.
  private let isVoice: Bool
  /// Of the first batch: ids up to this one were in the log already, those of them that are older than
  /// `oldestMs` are left out there.
  private var newestID = Int.max
  /// Server time; nil while everything is wanted.
  private var oldestMs: Int64?

  /// The clock of the backend is taken for ours up to this difference (promise P10).
  private static let clockMarginMs: Int64 = 5000

  init(of stream: StreamChoice) { isVoice = stream == .voice }

  /// The first batch of the log has come. Of one that is not whole nobody knows what it should have had.
  mutating func begin(with report: IngestReport) {
    guard report.isComplete, report.rejected == 0, let newest = report.ids.max() else { return }
    newestID = newest
    oldestMs = report.oldestMs
  }

  /// What is followed has no first batch, and began now.
  mutating func begin(atMs nowMs: Int64) { oldestMs = nowMs - Self.clockMarginMs }

  /// The clock of the backend, which was not known, differs from ours by so much, in ms.
  mutating func clockIsKnown(laterByMs: Int64) {
    if isVoice { oldestMs = oldestMs.map { $0 &+ laterByMs } }
  }

  /// The log was replaced: its ids say nothing about the one before.
  mutating func forget() { if !isVoice { oldestMs = nil } }

  /// Whether a row of the log is not what is followed.
  func hides(_ row: ActionRowView) -> Bool {
    if isVoice, !row.kind.hasPrefix("voice_") { return true }
    guard let oldestMs, row.timeMs < oldestMs else { return false }
    return row.actionID.map { $0 <= newestID } ?? false
  }
}
