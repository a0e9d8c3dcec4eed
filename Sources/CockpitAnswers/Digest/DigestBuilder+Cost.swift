internal import ClankyWire
internal import CockpitStores
internal import CockpitText

/// What the rows of the time cost.
@MainActor
struct DigestCost {
  /// The rows with a cost, oldest first.
  let rows: [ActionRowView]
  let usd: Double
  /// Whether no cost can be given: model calls are here and none has one, as at a gateway, or there is no row at all
  /// and some are missing.
  let isUnknown: Bool

  init(_ input: DigestInput) {
    var (hasRows, hasCalls, hasCosts) = (false, false, false)
    rows = input.inside { row in
      hasRows = true
      if row.kind == "llm_call" { hasCalls = true }
      guard let usd = row.costUSD else { return false }
      hasCosts = true
      return usd > 0
    }
    usd = rows.reduce(0) { $0 + ($1.costUSD ?? 0) }
    isUnknown = !hasCosts && (hasCalls || !hasRows && !input.missing.isEmpty)
  }

  static let unknown = "no cost on record"
}

extension DigestBuilder {
  func lines(of cost: DigestCost) -> [Digest.Line] {
    guard !cost.isUnknown else { return [Digest.Line(topic: .cost, text: DigestCost.unknown)] }
    let usd = cost.usd
    var head = Digest.Line(
      topic: .cost, text: "\(Figures.cost(usd)), \(DigestWords.usual(usd, input.earlierCosts))")
    let dearest = cost.rows.sorted { ($0.costUSD ?? 0) > ($1.costUSD ?? 0) }
    head.evidence = dearest.map { Answer.Evidence($0, "\(Figures.cost($0.costUSD))") }
    head.isTrouble = DigestWords.isDear(usd, input.earlierCosts)
    head.filter =
      "is:costed since:\(WireTime(milliseconds: input.fromMs).iso) before:\(WireTime(milliseconds: input.toMs).iso)"
    var kinds: [String: (count: Int, usd: Double)] = [:]
    for row in cost.rows {
      let name = Exchange.costName(of: row.kind)
      kinds[name, default: (0, 0)].count += 1
      kinds[name, default: (0, 0)].usd += row.costUSD ?? 0
    }
    let forecast = input.forecast.map { forecast in
      let words = [forecast.sentence, forecast.budgetSentence].compactMap(\.self)
      return Digest.Line(topic: .cost, text: words.map { "\($0)" }.joined(separator: "; "))
    }
    return [head] + (forecast.map { [$0] } ?? [])
      + kinds.sorted { ($1.value.usd, $0.key) < ($0.value.usd, $1.key) }.map { name, sum in
        var line = Digest.Line(
          topic: .cost, name: name, count: sum.count, text: "\(Figures.cost(sum.usd))")
        line.evidence = dearest.filter { Exchange.costName(of: $0.kind) == name }
          .map { Answer.Evidence($0, "\(Figures.cost($0.costUSD))") }
        return line
      }
  }
}
