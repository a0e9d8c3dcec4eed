import ClankyWire
import CockpitAnswers
import CockpitStores
import CockpitText
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes

/// The caret below the turn from which on spoken answers take longer.
@MainActor
@Suite struct TrendPanelTests {
  private static let startMs: Int64 = 1_767_614_400_000

  /// Turns a minute apart; the totals swing by a tenth, so that no two neighbours are alike.
  private func stats(_ totals: [Int]) -> LatencyStats {
    LatencyStats(turns: []).with(
      totals.enumerated().map { index, total in
        LatencyTurn(
          at: WireTime(milliseconds: Self.startMs + Int64(index) * 60_000),
          replyRequestToAudioStartMs: total, totalMs: total)
      })
  }

  private func totals(_ medians: [(ms: Int, count: Int)]) -> [Int] {
    medians.flatMap { part in
      (0..<part.count).map { part.ms + part.ms * (($0 * 7) % 11 - 5) / 50 }
    }
  }

  private func lines(_ stats: LatencyStats, _ size: Size) -> [String] {
    var canvas = Canvas(size: size)
    TrendPanel(stats: stats, clock: ClockFormat(zone: .gmt)).render(into: &canvas)
    return (0..<size.height).map { canvas.text(row: $0) }
  }

  @Test("the caret stands below the first slow turn, with both medians and their turns")
  func step() throws {
    let turns = totals([(1000, 30), (2600, 25)])
    let found = LatencyChange.all(in: stats(turns))
    #expect(found.map(\.index) == [30])
    #expect(found.first?.beforeMs == 1000 && found.first?.afterMs == 2600)
    #expect(found.first?.countBefore == 30 && found.first?.countAfter == 25)
    let rows = lines(stats(turns), Size(width: 130, height: 9))
    let caret = try #require(rows.first { $0.contains("^") })
    // 55 turns at two columns each, from column 9.
    #expect(caret.distance(from: caret.startIndex, to: caret.firstIndex(of: "^")!) == 9 + 30 * 2)
    #expect(caret.contains("from 12:30:00 on p50 2.60s (n 25), before 1.00s (n 30)"), "\(caret)")
    #expect(rows.last?.isEmpty == false)
  }

  @Test("no caret without a change, with few turns, with the change out of view, or without a row")
  func none() {
    #expect(LatencyChange.all(in: stats(totals([(1000, 60)]))).isEmpty)
    #expect(LatencyChange.all(in: stats(totals([(1000, 14), (2600, 14)]))).isEmpty)
    let early = stats(totals([(2600, 30), (1000, 90)]))
    #expect(LatencyChange.all(in: early).map(\.index) == [30])
    #expect(!lines(early, Size(width: 130, height: 9)).joined().contains("^"))
    let low = stats(totals([(1000, 30), (2600, 25)]))
    #expect(!lines(low, Size(width: 130, height: 4)).joined().contains("^"))
    for width in [0, 1, 29, 30, 31, 60] {
      _ = lines(low, Size(width: width, height: 9))
    }
  }
}
