import Testing

@testable import TerminalCore

struct ScalarWidthTests {
  @Test("the table says of every scalar what the runs say")
  func table() {
    var run = 0
    var wrong: [UInt32] = []
    for scalar in 0..<0x110000 as Range<UInt32> {
      while run < WidthTable.runs.count, WidthTable.runs[run] >> 3 <= scalar { run += 1 }
      let listed = run > 0 ? UInt8(WidthTable.runs[run - 1] & 7) : ScalarClass.replaced.rawValue
      let known = (0x20..<0x7F).contains(scalar) ? ScalarClass.narrow.rawValue : listed
      if ScalarWidth.classify(scalar).rawValue != known { wrong.append(scalar) }
    }
    #expect(wrong.isEmpty, "\(wrong.prefix(10))")
  }
}
