import ClankyWire
import CockpitDomain
import CockpitHistory
import CockpitRules
import Foundation
import Networking
import Testing

@testable import CockpitSession

/// Recorded days are judged without a screen.
@MainActor @Suite struct PastJudgeTests {
  private final class Timer: LinkTimer {
    private(set) var isCancelled = false
    func cancel() { isCancelled = true }
  }

  /// Hands out what is scheduled.
  private final class Clock: LinkClock {
    let nowNs: UInt64 = 0
    let wallMs: Int64 = 0
    private var waiting: [(ms: UInt64, timer: Timer, body: @MainActor () -> Void)] = []
    private var taker: CheckedContinuation<Void, Never>?

    func schedule(afterNs delayNs: UInt64, _ body: @escaping @MainActor () -> Void) -> any LinkTimer
    {
      let timer = Timer()
      waiting.append((delayNs / 1_000_000, timer, body))
      taker?.resume()
      taker = nil
      return timer
    }

    /// The next thing that is scheduled.
    func next() async -> (ms: UInt64, timer: Timer, body: @MainActor () -> Void) {
      if waiting.isEmpty { await withCheckedContinuation { taker = $0 } }
      return waiting.removeFirst()
    }
  }

  private let base: Int64 = 1_767_571_200_000

  /// Records rows of kinds, at times in ms after `base`.
  ///
  /// - Returns: the folder, which the caller removes.
  private func record(_ rows: [(kind: String, afterMs: Int64)]) throws -> String {
    let folder =
      FileManager.default.temporaryDirectory.path + "/judge-\(UInt64.random(in: 0 ... .max))"
    let recorder = HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { [base] in base }
    for (number, row) in rows.enumerated() {
      let ms = base + row.afterMs
      let json =
        #"{"kind":"\#(row.kind)","createdAt":"\#(WireTime(milliseconds: ms).iso)","content":"e\#(number)","metadata":{}}"#
      Array(json.utf8).withUnsafeBytes {
        recorder.row(number: number, receivedMs: ms, channels: .activity, json: $0)
      }
    }
    #expect(recorder.stop(waiting: 60))
    return folder
  }

  @Test("days that are over are judged and kept, again after an hour, and not after the end")
  func judges() async throws {
    let folder = try record((0..<100).map { ("sent_reply", Int64($0) * 3_600_000) })
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let clock = Clock()
    let settings = RuleSettings()
    let judge = PastJudge(folder: folder, settings, clock) { base + 100 * 3_600_000 }
    judge.start()
    let first = await clock.next()
    #expect(first.ms == 10_000)
    first.body()
    let second = await clock.next()
    #expect(second.ms == 3_600_000)
    let day = base / 86_400_000
    let kept = try HistoryNotes.judgedDays(day...day + 9, basis: settings.basis, in: folder)
    #expect(Set(kept.map(\.day)).isSuperset(of: [day, day + 1, day + 2]), "\(kept.map(\.day))")
    judge.stop()
    #expect(second.timer.isCancelled)
  }

  @Test("what rules find in the last days is kept for sinks, each once, where there are sinks")
  func findings() async throws {
    // An error an hour, then twenty within two seconds.
    let hourly = (0..<3).map { Int64($0) * 3_600_000 }
    let burst = (180..<200).map { 10_800_000 + Int64($0) * 100 }
    let folder = try record((hourly + burst).map { ("llm_error", $0) })
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let nowMs = base + 4 * 3_600_000
    func judged(hasSinks: Bool) async throws -> [HistoryNotes.Finding] {
      let clock = Clock()
      let judge = PastJudge(folder: folder, RuleSettings(), hasSinks: hasSinks, clock) { nowMs }
      judge.start()
      (await clock.next()).body()
      let again = await clock.next()
      #expect(again.ms == (hasSinks ? 600_000 : 3_600_000))
      judge.stop()
      return try HistoryNotes.findings(after: 0, limit: 100, in: folder)
    }
    #expect(try await judged(hasSinks: false).isEmpty)
    let found = try await judged(hasSinks: true)
    let report = try IncidentScan(RuleSettings()).report(
      try HistoryFolder(folder), fromMs: base, toMs: nowMs)
    #expect(report.incidents.contains { $0.rule.rawValue == "error_burst" })
    #expect(found.map(\.id).sorted() == report.incidents.map(\.id).sorted())
    #expect(try await judged(hasSinks: true) == found)
  }
}
