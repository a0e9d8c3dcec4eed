internal import ClankyWire

/// The sums of the known rows of one UTC day.
struct CostDay {
  private(set) var tokens = CostSummary.Tokens()
  /// Model calls without a price.
  private(set) var freeCalls = 0
  private var byModel: [String: Sum] = [:]
  private var byKind: [String: Sum] = [:]

  private struct Sum {
    var nanos: Int64 = 0
    var calls = 0
    var tokens = CostSummary.Tokens()

    mutating func add(_ cost: Int64) {
      nanos = nanos.addingReportingOverflow(cost).partialValue
      calls += 1
    }
  }

  /// A backend that invents names must not fill the memory: further names count as `other`.
  private static let maxNames = 200
  private static let other = "other"
  /// Rows with a cost but without a model.
  static let noModel = "no model named"

  /// As the backend spells it, such as `2026-05-09`.
  static func name(_ number: Int) -> String {
    WireTime(milliseconds: Int64(number) * 86_400_000).utcDay
  }

  mutating func add(kind: String, nanos: Int64, isFreeCall: Bool) {
    Self.change(&byKind, kind) { $0.add(nanos) }
    if isFreeCall { freeCalls += 1 }
  }

  mutating func add(model: String, nanos: Int64) {
    Self.change(&byModel, model) { $0.add(nanos) }
  }

  mutating func add(_ usage: CostUsage, kind: String, model: String?) {
    tokens.add(usage.tokens)
    Self.change(&byKind, kind) { $0.tokens.add(usage.tokens) }
    if let model { Self.change(&byModel, model) { $0.tokens.add(usage.tokens) } }
  }

  private static func change(
    _ sums: inout [String: Sum], _ name: String, _ body: (inout Sum) -> Void
  ) {
    let isKnown = sums[name] != nil || sums.count < maxNames
    body(&sums[isKnown ? name : other, default: Sum()])
  }

  /// Free rows without a model say nothing about models.
  var models: [CostSummary.Share] {
    Self.shares(byModel.filter { $0.key != Self.noModel || $0.value.nanos != 0 })
  }
  var kinds: [CostSummary.Share] { Self.shares(byKind) }

  /// Dearest first; where nothing has a price, most tokens first.
  private static func shares(_ sums: [String: Sum]) -> [CostSummary.Share] {
    sums.sorted {
      ($0.value.nanos, $0.value.tokens.total, $0.value.calls, $1.key)
        > ($1.value.nanos, $1.value.tokens.total, $1.value.calls, $0.key)
    }.map { name, sum in
      CostSummary.Share(
        name: name, usd: Double(sum.nanos) / 1e9, calls: sum.calls, tokens: sum.tokens)
    }
  }
}

extension CostSummary.Tokens {
  /// Input and output.
  package var total: Int { Self.sum(input, output) }

  mutating func add(_ other: CostSummary.Tokens) {
    input = Self.sum(input, other.input)
    output = Self.sum(output, other.output)
    cacheRead = Self.sum(cacheRead, other.cacheRead)
    cacheWrite = Self.sum(cacheWrite, other.cacheWrite)
    cacheableInput = Self.sum(cacheableInput, other.cacheableInput)
  }

  /// Saturates: a hostile row must not cause an overflow trap.
  private static func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
