import ClankyWire
import CockpitDomain
import CockpitHistory
import Synchronization

/// Writes rows as recorders do that run day after day: each day has its own file, and none is without a recorder.
enum DailyRecording {
  private static let dayMs: Int64 = 86_400_000

  private final class Clock: Sendable {
    private let ms = Mutex<Int64>(0)
    var now: Int64 { ms.withLock { $0 } }
    func set(_ value: Int64) { ms.withLock { $0 = value } }
  }

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
    let clock = Clock()
    let days = Dictionary(grouping: rows) { $0.ms / dayMs }
    for (day, rows) in days.sorted(by: { $0.key < $1.key }) {
      clock.set(day * dayMs)
      let recorder = HistoryRecorder(
        folder: folder,
        RecorderSettings(
          keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
      ) { clock.now }
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
      clock.set(last)
      isWritten = recorder.stop(waiting: 60) && isWritten
    }
    return isWritten
  }
}
