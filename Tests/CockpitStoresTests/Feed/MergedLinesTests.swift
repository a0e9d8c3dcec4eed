import Testing

@testable import CockpitStores

/// The feeds of several sources as one, against all their rows sorted.
@MainActor
@Suite struct MergedLinesTests {
  private struct Scene {
    var merged: MergedLines
    /// What it has to say, newest first.
    var wanted: [(row: SourceRow, timeMs: Int64)] = []
  }

  /// Logs whose rows have the same ids and often the same times, some of them filtered.
  private static func scene(_ random: inout SeededRandom) throws -> Scene {
    var parts: [MergedLines.Part] = []
    var wanted: [(row: SourceRow, timeMs: Int64)] = []
    for source in 0..<Int.random(in: 1...5, using: &random) {
      let log = ActionLog(memory: 4 << 20)
      let facts = (0..<Int.random(in: 0...60, using: &random)).map { id in
        Fact(
          id: id + 1, timeMs: startMs + Int64.random(in: 0...40, using: &random),
          kind: Bool.random(using: &random) ? "llm_call" : "sent_reply",
          content: "row \(id) of \(source)")
      }
      log.rows(facts.shuffled(using: &random))
      var feed = FilteredLog()
      if Bool.random(using: &random) { feed.setQuery(try Query.parse("kind:llm_call")) }
      repeat { feed.sync(with: log, nowMs: startMs) } while !feed.isComplete
      for index in 0..<feed.count {
        let row = try #require(feed.row(at: index, in: log))
        wanted.append((SourceRow(source: source, row: row.id), row.timeMs))
      }
      parts.append(MergedLines.Part(lines: FeedLines(feed, FeedOutline()), log: log))
    }
    // Stable: of the same time the first source, and in a source its own order.
    let order = wanted.enumerated().sorted {
      ($1.element.timeMs, $0.offset) < ($0.element.timeMs, $1.offset)
    }
    return Scene(merged: MergedLines(parts), wanted: order.map(\.element))
  }

  @Test(
    "places, rows and searches are those of the sorted rows",
    arguments: 1...60 as ClosedRange<UInt64>)
  func sorted(seed: UInt64) throws {
    var random = SeededRandom(seed)
    let scene = try Self.scene(&random)
    let (merged, wanted) = (scene.merged, scene.wanted)
    #expect(merged.count == wanted.count)
    #expect(merged.rows(0..<wanted.count + 3) == wanted.map(\.row))
    for (place, entry) in wanted.enumerated() {
      #expect(merged.rowID(at: place) == entry.row.id)
      #expect(merged.index(of: entry.row.id) == place)
      #expect(merged.nearestIndex(of: entry.row.id) == place)
      #expect(merged.rows(place..<place + 4) == wanted.dropFirst(place).prefix(4).map(\.row))
    }
    for ms in startMs - 1...startMs + 41 {
      #expect(merged.firstIndex(notNewerThan: ms) == wanted.count { $0.timeMs > ms })
    }
    for _ in 0..<20 where !wanted.isEmpty {
      let place = Int.random(in: 0..<wanted.count, using: &random)
      let hits = Set(wanted.map(\.row).filter { _ in Int.random(in: 0..<9, using: &random) == 0 })
      #expect(
        merged.first(from: place, step: 1, where: hits.contains)
          == wanted.dropFirst(place).map(\.row).first(where: hits.contains))
      #expect(
        merged.first(from: place, step: -1, where: hits.contains)
          == wanted.prefix(place + 1).map(\.row).last(where: hits.contains))
    }
  }

  @Test("rows of two logs are never taken for each other")
  func ids() {
    var known: Set<RowID> = []
    for source in 0..<20 {
      for row in [0, 1, 2, 1_000_000, 1 << 40] {
        let id = SourceRow(source: source, row: row).id
        #expect(known.insert(id).inserted)
        #expect(SourceRow(id) == SourceRow(source: source, row: row))
        // The id of a row of a log is none of several sources.
        #expect(SourceRow(row) == nil)
      }
    }
  }
}
