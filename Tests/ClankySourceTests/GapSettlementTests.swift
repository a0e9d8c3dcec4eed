import Testing

@testable import CockpitDomain
@testable import ClankySource

@Suite("what a fill has to tell at its end (promise P4)") struct GapSettlementTests {
  @Test("holes that nobody was told of are told where the loss was")
  func new() {
    let end = GapSettlement(
      holes: [3...5, 9...9], unanswered: [], placeMs: 70, isAnswered: true)
    #expect(end.reports == [IDGap(from: 3, to: 5, atMs: 70), IDGap(from: 9, to: 9, atMs: 70)])
    #expect(end.closed.isEmpty && end.standing.isEmpty)
    #expect(end.missing == 4)
    #expect(end.found == 0)
  }

  @Test("a gap that was told before is told again in the pieces that are left, where it was")
  func partly() {
    let told = IDGap(from: 10, to: 19, atMs: 5, isAnswered: false)
    let end = GapSettlement(
      holes: [8...11, 18...21], unanswered: [told], placeMs: 70, isAnswered: true)
    #expect(end.closed.map(\.gap) == [told])
    #expect(end.found == 6)
    #expect(
      end.reports == [
        IDGap(from: 10, to: 11, atMs: 5), IDGap(from: 18, to: 19, atMs: 5),
        IDGap(from: 8, to: 9, atMs: 70), IDGap(from: 20, to: 21, atMs: 70),
      ])
    // Ten were reported and eight are missing.
    #expect(end.missing == -2)
  }

  @Test("a gap of which nothing was found stands, and its rows are not told twice")
  func standing() {
    let told = IDGap(from: 10, to: 19, atMs: 5, isAnswered: false)
    let end = GapSettlement(
      holes: [10...25], unanswered: [told], placeMs: 70, isAnswered: false)
    #expect(end.standing == [told])
    #expect(end.reports == [IDGap(from: 20, to: 25, atMs: 70, isAnswered: false)])
    #expect(end.missing == 6)
  }

  @Test("whatever is missing and was told: what is told afterwards is what is missing")
  func property() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let before = ranges(&random)
      // Rows may have been found, and others may be missing now.
      let holes = ranges(&random)
      let end = GapSettlement(
        holes: holes,
        unanswered: before.map {
          IDGap(from: $0.lowerBound, to: $0.upperBound, atMs: 1, isAnswered: false)
        }, placeMs: 2, isAnswered: false)
      let told = end.standing + end.reports
      let ids = told.flatMap { Array($0.from...$0.to) }
      #expect(ids.sorted() == holes.flatMap { Array($0) }, "\(before) \(holes)")
      let toldBefore = before.reduce(0) { $0 + $1.count }
      #expect(toldBefore + end.missing == ids.count, "\(before) \(holes)")
    }
  }

  /// Ranges in order that do not touch.
  private func ranges(_ random: inout SystemRandomNumberGenerator) -> [ClosedRange<Int>] {
    var result: [ClosedRange<Int>] = []
    var next = Int.random(in: 0...3, using: &random)
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let end = next + Int.random(in: 0...5, using: &random)
      result.append(next...end)
      next = end + Int.random(in: 2...6, using: &random)
    }
    return result
  }
}

@Suite("the loss of a connection (promise P4)") struct ConnectionLossTests {
  private static let second: UInt64 = 1_000_000_000

  @Test("lies where the last row was, when that was the last thing heard")
  func row() {
    let loss = ConnectionLoss(
      heardNs: 10 * Self.second, nowNs: 25 * Self.second, serverNowMs: 100_000, newestRowMs: 84_200)
    #expect(loss.atMs == 84_200)
  }

  @Test("lies where the last byte came, when rows are older, or from a clock that is wrong")
  func silence() {
    for newest in [nil, 60_000, 200_000] as [Int64?] {
      let loss = ConnectionLoss(
        heardNs: 10 * Self.second, nowNs: 25 * Self.second, serverNowMs: 100_000,
        newestRowMs: newest)
      #expect(loss.atMs == 85_000)
    }
  }

  @Test("has a length once the next connection has begun")
  func length() {
    var loss = ConnectionLoss(
      heardNs: 10 * Self.second, nowNs: 25 * Self.second, serverNowMs: 100_000, newestRowMs: nil)
    #expect(loss.lengthMs == nil)
    loss.end(nowNs: 40 * Self.second)
    #expect(loss.lengthMs == 30_000)
  }
}
