import Testing

@testable import CockpitStores

@Suite("Rows that had to make room")
struct EvictedRowsTests {
  /// A row that only its hash tells from others of its millisecond.
  private func row(_ number: UInt32, timeMs: Int64, user: UInt32) -> ActionRecord {
    var record = ActionRecord(timeMs: timeMs, label: 1, flags: [])
    record.user = user
    record.hash = number
    return record
  }

  @Test("what is kept, found and dropped is what a plain list says", arguments: 0..<2)
  func likeAPlainList(seed: UInt64) {
    var random = SeededRandom(seed)
    var rows = EvictedRows()
    // The same with places that stay: nil if a row was taken out.
    var plain: [ActionRecord?] = []
    var oldest = 0
    for number in 0..<UInt32(4 * EvictedRows.limit) {
      // Some times of many rows each, in no order.
      let timeMs = 1_700_000_000_000 + Int64.random(in: 0..<2_000, using: &random)
      let new = row(number, timeMs: timeMs, user: .random(in: 0..<3, using: &random))
      if plain.count < EvictedRows.limit {
        #expect(rows.keep(new) == nil)
        plain.append(new)
      } else {
        #expect(rows.keep(new)?.hash == plain[oldest]?.hash)
        plain[oldest] = new
        oldest = (oldest + 1) % plain.count
      }
      if Int.random(in: 0..<3, using: &random) == 0 {
        let wanted = plain.randomElement(using: &random)?.flatMap { $0 }
        if let wanted {
          let taken = rows.take(like: wanted) { $0.hash == wanted.hash }
          #expect(taken?.hash == wanted.hash)
          plain = plain.map { $0?.hash == wanted.hash ? nil : $0 }
          #expect(rows.take(like: wanted) { $0.hash == wanted.hash } == nil)
        }
      }
      if number % 500 == 0 {
        let stranger = row(0, timeMs: timeMs, user: 7)
        #expect(rows.take(like: stranger) { _ in true } == nil)
        #expect(rows.isEmpty == plain.allSatisfy { $0 == nil })
      }
    }
    let left = rows.removeAll()
    #expect(Set(left.map(\.hash)) == Set(plain.compactMap { $0?.hash }))
    #expect(rows.isEmpty && rows.removeAll().isEmpty)
  }
}
