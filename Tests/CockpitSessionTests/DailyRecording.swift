import ClankyWire
import CockpitDomain
import CockpitHistory

/// Writes rows as recorders do that run day after day: each day has its own file, and none is without a recorder.
enum DailyRecording {
  private static let dayMs: Int64 = 86_400_000

  /// - Parameters:
  ///   - rows: in the order of their times, ms since 1970.
  ///   - more: called with each day (days since 1970) before its recorder stops.
  /// - Returns: whether all was written.
  static func write(
    _ rows: [(ms: Int64, json: [UInt8])], into folder: String,
    more: (Int64, HistoryRecorder) -> Void = { _, _ in }
  ) -> Bool {
    var number = 0
    var isWritten = true
    let days = Dictionary(grouping: rows) { $0.ms / dayMs }
    for (day, rows) in days.sorted(by: { $0.key < $1.key }) {
      // Its clock stands at midnight: when its thread opens the folder, no time without a recorder has passed.
      let recorder = HistoryRecorder(
        folder: folder,
        RecorderSettings(
          keepMs: nil, maxBytes: nil, windowMs: 1, syncMs: nil, what: "test", version: "0",
          bot: "b"),
        startsNow: false
      ) { day * dayMs }
      // The last one says that the recorder ran until the day's end.
      let last = (day + 1) * dayMs - 1
      let end = Array(
        #"{"kind":"message_in","createdAt":"\#(WireTime(milliseconds: last).iso)","metadata":{}}"#
          .utf8)
      for row in rows + [(last, end)] {
        row.json.withUnsafeBytes {
          recorder.row(number: number, receivedMs: row.ms, channels: .activity, json: $0)
        }
        number += 1
      }
      more(day, recorder)
      isWritten = recorder.stop(waiting: 60) && isWritten
    }
    return isWritten
  }
}
