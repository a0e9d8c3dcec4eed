import Testing

@testable import cockpit_benchmark

@Suite("Targets, gates and their baseline")
struct TargetTests {
  @Test("A figure meets its budget, or misses it")
  func verdicts() {
    #expect(Target.jq.verdict(8) == .met)
    #expect(Target.jq.verdict(7.9) == .missed)
    #expect(Target.wakeUps.verdict(2) == .met)
    #expect(Target.wakeUps.verdict(2.1) == .missed)
    #expect(Target.wakeUps.verdict(.nan) == .missed)
    #expect(Target.flat.verdict(4.1) == .missed)
  }

  @Test("The table has its numbers in order")
  func numbers() {
    let numbers = Target.all.compactMap { Int($0.number.dropFirst()) }
    #expect(numbers == numbers.sorted())
    #expect(numbers.count == Target.all.count)
    #expect(Set(Target.all.map(\.quantity)).count == Target.all.count)
  }

  @Test("What was measured and what was not stand in one table")
  func table() {
    var report = Report()
    report.measured(.jq, Spread([7, 9, 8]))
    report.missing(.fresh, "lnav is not installed")
    let lines = report.markdown.split(separator: "\n").filter { $0.hasPrefix("| T") }
    #expect(lines.count == 2)
    #expect(lines[0].contains("| >= 8 x | 8.0 x [7.0 .. 9.0] | met |"))
    #expect(lines[1].contains("not measured: lnav is not installed"))
  }

  @Test("The median of an even and of an odd number of values")
  func medians() {
    #expect(Spread([3, 1, 2]).median == 2)
    #expect(Spread([4, 1, 2, 3]).median == 2.5)
    #expect(Spread([1]).text("ms", digits: 1) == "1.0 ms")
  }

  @Test("A gate allows the larger of its two margins")
  func margins() {
    #expect(Gate.wakeUps.allowed(above: 2) == 4.4)
    #expect(Gate.wakeUps.allowed(above: 10) == 12.5)
  }
}
