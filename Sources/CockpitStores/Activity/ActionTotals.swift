package import ClankyWire

/// Counts of actions, with costs.
package struct Tally: Sendable {
  package private(set) var actions = 0
  /// Rows whose label or metadata reports a failure.
  package private(set) var failures = 0
  package private(set) var warnings = 0
  /// Per chip, then per domain: in one array, which is one check of its owner for each action.
  private var counts = [Int](
    repeating: 0, count: ChipGroup.allCases.count + Domain.allCases.count)
  private var nanos: Int64 = 0
  private var browserNanos: Int64 = 0
  private var toolStepNanos: Int64 = 0

  private static let firstDomain = ChipGroup.allCases.count

  package init() {}

  package subscript(chip: ChipGroup) -> Int { counts[Int(chip.rawValue)] }

  package subscript(domain: Domain) -> Int {
    Domain.allCases.firstIndex(of: domain).map { counts[Self.firstDomain + $0] } ?? 0
  }

  /// US dollars. The totals of browser runs repeat the model steps of the same run (contract 4.5
  /// and 8.9), so as much of the two as can overlap counts once.
  package var costUSD: Double {
    Double(nanos - min(browserNanos, toolStepNanos)) / 1e9
  }

  @inline(__always)
  mutating func add(_ info: LabelFacts, failed: Bool, nanos cost: Int64, sign: Int) {
    actions &+= sign
    let failed = failed || info.isError
    if failed { failures &+= sign } else if info.isWarning { warnings &+= sign }
    var bits = info.chips.rawValue
    if failed { bits |= ChipSet(.error).rawValue }
    counts.withUnsafeMutableBufferPointer { counts in
      while bits != 0 {
        counts[bits.trailingZeroBitCount] &+= sign
        bits &= bits &- 1
      }
      counts[Self.firstDomain &+ info.domain] &+= sign
    }
    guard cost != 0 else { return }
    let signed = Int64(sign) &* cost
    nanos &+= signed
    switch info.costRole {
    case .own: break
    case .browserTotal: browserNanos &+= signed
    case .toolStep: toolStepNanos &+= signed
    }
  }
}

/// Actions seen, and those still stored: no counter hides evictions.
package struct ActionTotals: Sendable {
  /// Every action since the start, each once.
  package internal(set) var seen = Tally()
  /// Actions whose rows are still stored.
  package internal(set) var retained = Tally()
  /// Pieces that were no actions.
  package internal(set) var rejected = 0

  package init() {}

  /// Number of actions whose rows were evicted.
  package var evicted: Int { seen.actions - retained.actions }
}

/// The part of a label that counting needs, without its texts, because it is copied for every
/// action.
struct LabelFacts {
  /// How the cost of a row enters sums.
  enum CostRole { case own, browserTotal, toolStep }

  // Not the severity itself: comparing it goes through another module's witness table.
  let isError: Bool
  let isWarning: Bool
  let chips: ChipSet
  let mayFail: Bool
  let domain: Int
  let costRole: CostRole

  init(_ label: ActionLabel) {
    isError = label.severity == .error
    isWarning = label.severity == .warning
    chips = label.chips
    mayFail = label.mayFail
    domain = Domain.allCases.firstIndex(of: label.domain) ?? 0
    costRole =
      switch label.kind {
      case "browser_browse_call", "browser_agent_session_turn": .browserTotal
      case "llm_tool_call": .toolStep
      default: .own
      }
  }
}

/// Values derived once per label.
struct LabelInfo {
  let label: ActionLabel
  let facts: LabelFacts
  /// Cost of the stored rows, in billionths of a dollar.
  var retainedNanos: Int64 = 0

  init(_ label: ActionLabel) {
    self.label = label
    facts = LabelFacts(label)
  }
}

/// A value that rows share and how many retained rows have it.
package struct ValueCount: Hashable, Sendable {
  package let value: String
  package let count: Int

  package init(value: String, count: Int) {
    self.value = value
    self.count = count
  }
}

/// A label, the number of stored rows that have it, and their cost.
package struct LabelCount: Hashable, Sendable {
  package let label: ActionLabel
  package let count: Int
  /// US dollars, as spelled on the rows.
  package let costUSD: Double

  package init(label: ActionLabel, count: Int, costUSD: Double) {
    self.label = label
    self.count = count
    self.costUSD = costUSD
  }
}

/// The memory of a log.
package struct MemoryUse: Hashable, Sendable {
  /// Bytes of rows.
  package let rawBytes: Int
  /// Bytes of the slabs that hold them.
  package let slabBytes: Int
  /// Bytes of records and indices.
  package let indexBytes: Int
  /// Bytes the whole may take.
  package let limit: Int

  package init(rawBytes: Int, slabBytes: Int, indexBytes: Int, limit: Int) {
    self.rawBytes = rawBytes
    self.slabBytes = slabBytes
    self.indexBytes = indexBytes
    self.limit = limit
  }
}
