import CockpitHistory
import CockpitSinks
import Foundation
import Synchronization
import Testing

/// Ids that a recorder learns after the rows were sent.
@Suite struct LearnedIDTests {
  /// A far end that keeps the id of each row by its content.
  private final class Ids: Sendable {
    struct Content {
      var ids: [String: Int?] = [:]
      var learned: [[String]] = []
    }

    let content = Mutex(Content())
    /// The answer to a batch of learned ids, by their contents.
    private let answer: @Sendable ([String]) -> SinkAnswer

    init(_ answer: @escaping @Sendable ([String]) -> SinkAnswer = { _ in .accepted() }) {
      self.answer = answer
    }

    func target() -> any SinkTarget { Target(self) }

    private final class Target: SinkTarget {
      private let ids: Ids
      init(_ ids: Ids) { self.ids = ids }

      func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
        ids.content.withLock { content in
          for row in rows { content.ids[row.content ?? ""] = row.actionID }
        }
        return .accepted()
      }

      var wantsIDs: Bool { true }

      func learn(_ rows: ArraySlice<SinkRow>) -> SinkAnswer {
        let names = rows.map { $0.content ?? "" }
        let answer = ids.answer(names)
        ids.content.withLock { content in
          content.learned.append(names)
          guard case .accepted = answer else { return }
          for row in rows { content.ids[row.content ?? ""] = row.actionID }
        }
        return answer
      }
    }
  }

  private static func run(
    _ place: SinkPlace, fromStart: Bool = true, _ target: @escaping @Sendable () -> any SinkTarget
  ) async {
    let sink = SinkThread(
      place.plan(fromStart: fromStart, target), nowMs: { SinkPlace.nowMs })
    #expect(await sink.end())
    #expect(sink.state.problem == nil)
  }

  @Test("ids are sent once, after the row was sent and after restarts, on the same day and later")
  func learned() async throws {
    let place = SinkPlace()
    place.record((0..<10).map { SinkRows.plain($0) })
    let ids = Ids()
    await Self.run(place) { ids.target() }
    #expect(ids.content.withLock { $0.ids.values.allSatisfy { $0 == nil } })
    // What was learned before a new row, and a row that comes with its id.
    place.learn([3: 103, 4: 104], first: 100)
    place.record([SinkRows.plain(20, id: 120)], first: 200)
    await Self.run(place) { ids.target() }
    await Self.run(place) { ids.target() }
    // The next day, whose file has what is learned of this day's rows, and the day after.
    place.learn([5: 105], first: 300, receivedMs: SinkPlace.nowMs + 86_400_000)
    await Self.run(place) { ids.target() }
    place.learn([6: 106], first: 400, receivedMs: SinkPlace.nowMs + 3 * 86_400_000)
    await Self.run(place) { ids.target() }
    let content = ids.content.withLock { $0 }
    #expect(
      content.ids.compactMapValues(\.self) == [
        "row 3": 103, "row 4": 104, "row 5": 105, "row 6": 106, "row 20": 120,
      ])
    #expect(content.learned == [["row 3", "row 4"], ["row 5"], ["row 6"]])
  }

  @Test("a far end that fails gets them later; one that refuses a row gets the others")
  func faults() async throws {
    let place = SinkPlace()
    place.record((0..<10).map { SinkRows.plain($0) })
    let count = Mutex(0)
    let ids = Ids { names in
      let number = count.withLock { count in
        count += 1
        return count
      }
      if number == 1 { return .busy("503") }
      return names.contains("row 4") ? .refused("400") : .accepted()
    }
    await Self.run(place) { ids.target() }
    place.learn([2: 102, 3: 103, 4: 104, 5: 105], first: 100)
    await Self.run(place) { ids.target() }
    #expect(
      ids.content.withLock { $0.ids.compactMapValues(\.self) } == [
        "row 2": 102, "row 3": 103, "row 5": 105,
      ])
    let requests = ids.content.withLock { $0.learned.count }
    await Self.run(place) { ids.target() }
    #expect(ids.content.withLock { $0.learned.count } == requests)
  }

  @Test("ids of rows that a sink never had are not sent")
  func before() async throws {
    let place = SinkPlace()
    place.record((0..<10).map { SinkRows.plain($0) })
    let ids = Ids()
    await Self.run(place, fromStart: false) { ids.target() }
    place.record([SinkRows.plain(50)], first: 50)
    await Self.run(place, fromStart: false) { ids.target() }
    place.learn([3: 103, 50: 150], first: 100)
    await Self.run(place, fromStart: false) { ids.target() }
    #expect(ids.content.withLock { $0.learned } == [["row 50"]])
  }

  @Test("a day file that is copied without somebody keeps what was learned, and its numbers")
  func copied() async throws {
    let place = SinkPlace()
    place.record(
      (0..<10).map { SinkRows.plain($0) } + [
        SinkRows.plain(11).replacing("198765432109876543", with: "298765432109876543")
      ])
    let ids = Ids()
    await Self.run(place) { ids.target() }
    place.learn([3: 103], first: 100)
    await Self.run(place) { ids.target() }
    place.learn([4: 104], first: 200)
    // A file of another day is the newest one, so that this one is copied.
    place.record(
      [SinkRows.plain(90, atMs: SinkPlace.nowMs + 86_400_000)], first: 300,
      receivedMs: SinkPlace.nowMs + 86_400_000)
    let forget = try HistoryForget(place.path) { SinkPlace.nowMs + 86_400_000 }
    let person = try forget.person("298765432109876543")
    #expect(try forget.forget(person).isClean)
    place.learn([5: 105], first: 400, receivedMs: SinkPlace.nowMs + 86_400_000)
    await Self.run(place) { ids.target() }
    #expect(ids.content.withLock { $0.learned } == [["row 3"], ["row 4", "row 5"]])
  }
}
