import CockpitHistory
import Foundation

/// Opens a history, seeks in it, and searches words.
struct ReadingRun {
  let folder: String

  func run(word: String) throws {
    let open = try times(5) { _ in
      let history = try HistoryFolder(folder)
      guard let span = try history.span() else { throw ReadingProblem.empty }
      _ = try history.rows(notAfterMs: span.upperBound, limit: 1, skipping: 0)
    }
    let history = try HistoryFolder(folder)
    guard let span = try history.span() else { throw ReadingProblem.empty }
    var random = Random()
    var rows = 0
    let seek = try times(200) { _ in
      let at = span.lowerBound + random.next(span.upperBound - span.lowerBound)
      rows += try history.rows(notAfterMs: at, limit: 2000, skipping: 0).count
    }
    let first = try times(5) { _ in
      _ = try HistoryFolder(folder).search(HistorySearch(terms: [.init(words: [word])]), limit: 50)
    }
    var hits = 0
    var query = HistorySearch(terms: [.init(words: [word])])
    let all = try times(1) { _ in
      repeat {
        let page = try history.search(query, limit: 5000)
        hits += page.rows.count
        query.before = page.next
      } while query.before != nil
    }
    print("open_ms_max=\(open.max() ?? 0)")
    print("seek_ms_median=\(median(seek))")
    print("seek_ms_p95=\(seek.sorted()[seek.count * 95 / 100])")
    print("seek_rows=\(rows / seek.count)")
    print("word_first_ms=\(first.max() ?? 0)")
    print("word_all_ms=\(all[0])")
    print("word_hits=\(hits)")
    print("peak_bytes=\(Figures.residentPeak())")
  }

  private enum ReadingProblem: Error {
    case empty
  }

  private struct Random {
    private var state: UInt64 = 7

    mutating func next(_ limit: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 16) % max(1, limit)
    }
  }

  private func times(_ count: Int, _ work: (Int) throws -> Void) rethrows -> [Double] {
    try (0..<count).map { index in
      let start = DispatchTime.now().uptimeNanoseconds
      try work(index)
      return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
    }
  }

  private func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}
