internal import LenientJSON
package import ClankyWire

/// What the hours of one UTC day cost, and the tokens that they used.
package struct SpendDay: Hashable, Sendable {
  /// Days since 1970-01-01, UTC.
  package var number: Int
  /// 24 sums, in US dollars.
  package var usd: [Double]
  /// 24 sums, input and output.
  package var tokens: [Double]

  package init(number: Int, usd: [Double], tokens: [Double]) {
    (self.number, self.usd, self.tokens) = (number, usd, tokens)
  }
}

/// Sums what recorded rows cost, as `CostAccumulator` does: the total of a browser run is left out where its steps
/// are on record (contract 8.9).
package struct SpendReader {
  /// Changes when the sums would be others: sums that were kept are made again.
  package static let version = 1
  /// Rows before a day may be steps of a run that ends in it, in ms.
  package static let leadMs: Int64 = 7_200_000

  private let day: Int
  private var usd = [Double](repeating: 0, count: 24)
  private var tokens = [Double](repeating: 0, count: 24)
  private var runs: [BrowserRun] = []
  private var steps: Set<BrowserRun.Step> = []

  /// - Parameter day: days since 1970-01-01, UTC.
  package init(day: Int) { self.day = day }

  /// Whether rows of this name can cost something.
  package static func wants(_ label: ActionLabel) -> Bool {
    switch CostRole(label) {
    case .none: label.kind == "voice_runtime" && label.event == "voice_music_stop_check"
    default: true
    }
  }

  package mutating func read(_ row: ActionRowView) {
    let role = CostRole(row.label)
    if role == .toolStep { steps.insert(BrowserRun.Step(row)) }
    if role == .browserTotal {
      runs.append(BrowserRun(row, nanos: row.record.cost.nanos))
      return
    }
    guard let hour = hour(row.timeMs) else { return }
    usd[hour] += Double(row.record.cost.nanos) / 1e9
    guard role.hasTokens else { return }
    let details = row.withScan { $0.metadata(CostUsage.members, in: $1) } ?? .null
    tokens[hour] += Double(CostUsage(details).tokens.total)
  }

  private func hour(_ timeMs: Int64) -> Int? {
    guard UTCDay.number(ofMs: timeMs) == day else { return nil }
    return Int((timeMs - Int64(day) * 86_400_000) / 3_600_000)
  }

  /// The sums of the rows that were read.
  package func finish() -> SpendDay {
    var usd = usd
    for run in runs where !run.isCounted(by: steps) {
      if let hour = hour(run.endMs) { usd[hour] += Double(run.nanos) / 1e9 }
    }
    return SpendDay(number: day, usd: usd, tokens: tokens)
  }
}
