import Testing

@testable import CockpitStores

@Suite struct RowTableTests {
  @Test("it holds what a dictionary holds, whatever is set, changed and removed", arguments: 1...20)
  func sameAsADictionary(seed: UInt64) {
    var random = SeededRandom(seed)
    var table = RowTable<Int>()
    var wanted: [RowID: Int] = [:]
    var first = 0
    for step in 0..<2000 {
      let row = first + Int.random(in: 0..<300, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0:
        let limit = min(row, first + 20)
        var gone: [RowID: Int] = [:]
        table.removeAll(before: limit) { gone[$0] = $1 }
        #expect(gone == wanted.filter { $0.key < limit })
        wanted = wanted.filter { $0.key >= limit }
        first = limit
      case 1:
        if table[row] != nil { table[row]? += 1 }
        if wanted[row] != nil { wanted[row]? += 1 }
      default:
        table[row] = step
        wanted[row] = step
      }
      #expect(table.count == wanted.count)
      #expect(table[row] == wanted[row] && table[first - 1] == nil)
    }
    #expect(table.rows == wanted.keys.sorted())
  }

  @Test func rowsMayBeReadBackwards() {
    var table = RowTable<Int>()
    for row in stride(from: 5000, through: 1, by: -1) { table[row] = row }
    #expect(table.count == 5000 && table.rows == Array(1...5000))
    #expect(table[0] == nil && table[5001] == nil)
  }
}
