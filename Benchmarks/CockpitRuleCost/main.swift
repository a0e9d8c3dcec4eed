import ClankyWire
import CockpitRules

// Judges a synthetic evening of a thousand rows a second with all rules, and prints what a row costs: reading it
// for the rules, and judging it. The share is of one core.
//
// The mix is that of captures A: half of it voice rows, a tenth model calls with prompts of ten kilobytes.

let rows = Int(CommandLine.arguments.dropFirst().first ?? "") ?? 200_000
let evening = SyntheticEvening(count: rows)
var engine = RuleEngine()
var events: [RuleEvent] = []
events.reserveCapacity(rows)

let clock = ContinuousClock()
var read = Duration.zero
var judged = Duration.zero
var kept = 0
for second in 0..<(rows / 1000) {
  let lines = evening.lines(ofSecond: second)
  var batch: [RuleEvent] = []
  read += clock.measure {
    for line in lines {
      let row = line.withUnsafeBytes { json in engine.withRouter { RuleRow(json, router: &$0) } }
      if let row { batch.append(RuleEvent(row)) }
    }
  }
  batch += evening.documents(ofSecond: second)
  kept += batch.count
  judged += clock.measure {
    // As they come: fifty times a second.
    for start in stride(from: 0, to: batch.count, by: 20) {
      engine.take(Array(batch[start..<min(start + 20, batch.count)]))
    }
    engine.advance(to: evening.startMs + Int64(second) * 1000 - 1000)
  }
}

func perRow(_ duration: Duration) -> Double {
  let (seconds, atto) = duration.components
  return (Double(seconds) * 1e6 + Double(atto) / 1e12) / Double(rows)
}
func figure(_ value: Double) -> String { String(Double((value * 100).rounded()) / 100) }

print("rows \(rows), of which some rule looks at \(kept), incidents \(engine.incidents.count)")
print("reading \(figure(perRow(read))) us a row, judging \(figure(perRow(judged))) us a row")
let share = perRow(read) + perRow(judged)
print(
  "share of a core at 1,000 rows/s: \(figure(share / 10)) %, judging alone \(figure(perRow(judged) / 10)) %"
)
