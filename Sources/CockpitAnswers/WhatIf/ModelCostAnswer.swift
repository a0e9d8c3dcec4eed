internal import ClankyWire
package import CockpitStores
internal import CockpitText
package import LenientJSON
package import TerminalCore

/// A model call with its tokens.
package struct CallTokens: Hashable, Sendable {
  package var timeMs: Int64
  package var usd: Double
  /// nil if the row has no counts.
  package var tokens: CostSummary.Tokens?

  package init(timeMs: Int64, usd: Double, tokens: CostSummary.Tokens?) {
    (self.timeMs, self.usd, self.tokens) = (timeMs, usd, tokens)
  }

  /// nil if the row is no call of a language model.
  package init?(_ row: ActionRowView) {
    guard row.kind == "llm_call" || row.kind == "llm_tool_call" else { return nil }
    timeMs = row.timeMs
    usd = row.costUSD ?? 0
    tokens = nil
    guard let usage = row.metadata()["usage"]?.object else { return }
    func count(_ name: String) -> Int? { usage[name]?.int.map { max(0, $0) } }
    // Without both there is nothing to multiply.
    guard let input = count("inputTokens"), let output = count("outputTokens") else { return }
    var read = CostSummary.Tokens()
    (read.input, read.output) = (input, output)
    read.cacheRead = count("cacheReadTokens") ?? 0
    read.cacheWrite = count("cacheWriteTokens") ?? 0
    tokens = read
  }
}

/// What a time would have cost on another model, by the tokens that are logged.
package struct ModelCostAnswer: Hashable, Sendable {
  package let model: String
  package let calls: Int
  /// Calls that could be priced, what they did cost, and what they would have.
  package let priced: Int
  package let usd: Double
  package let modelledUSD: Double
  package let withoutTokens: Int
  package let withoutPrice: Int
  package let answer: Answer

  /// What stands under every such figure.
  package static let caveat =
    "Modelled: another model would have used other numbers of tokens, tools and retries; only calls of language models are counted."

  package init(
    _ calls: [CallTokens], on model: String, _ prices: PriceTable, coverage: Answer.Coverage
  ) {
    var (priced, usd, modelled, noTokens, noPrice) = (0, 0.0, 0.0, 0, 0)
    for call in calls {
      guard let tokens = call.tokens else {
        noTokens += 1
        continue
      }
      guard let price = prices.price(of: model, atMs: call.timeMs) else {
        noPrice += 1
        continue
      }
      priced += 1
      usd += call.usd
      modelled += Self.cost(tokens, price)
    }
    self.model = model
    self.calls = calls.count
    (self.priced, self.usd, modelledUSD) = (priced, usd, modelled)
    (withoutTokens, withoutPrice) = (noTokens, noPrice)
    var sentence: String
    if calls.isEmpty {
      sentence = "No model call is on record of this time."
    } else if priced == 0 {
      sentence = "None of \(calls.count) model calls can be priced on \(model)."
    } else {
      sentence =
        "Modelled: \(priced) of \(calls.count) model calls would have cost \(Figures.cost(modelled)) on \(model) instead of \(Figures.cost(usd))."
    }
    if noTokens + noPrice > 0 {
      sentence +=
        " Cannot say: \(noTokens) without token counts, \(noPrice) before the first price of it."
    }
    answer = Answer(
      sentence, state: priced == 0 ? .unknown : .inferred, coverage: coverage)
  }

  /// Dollars. Providers count what was read from the cache within the input, or beside it: beside where it is more
  /// than the input, as in `CachedInput`.
  static func cost(_ tokens: CostSummary.Tokens, _ price: PriceTable.Price) -> Double {
    let isBeside = tokens.cacheRead > tokens.input
    let plain = isBeside ? tokens.input : tokens.input - tokens.cacheRead
    return
      (Double(plain) * price.input + Double(tokens.output) * price.output
      + Double(tokens.cacheRead) * price.cacheRead
      + Double(tokens.cacheWrite) * price.cacheWrite) / 1e6
  }

  package var lines: [PlainText] {
    [PlainText(answer.sentence, limit: 600), PlainText(Self.caveat)]
  }

  /// All of it: keys as in docs/whatif.md.
  package var json: JSONValue {
    .body([
      ("sentence", .string(answer.sentence)), ("state", .string(answer.state.rawValue)),
      ("modelled", .bool(true)), ("caveat", .string(Self.caveat)),
      ("coverage", answer.coverage.whatIfJSON), ("model", .string(model)),
      ("calls", .integer(calls)), ("priced", .integer(priced)),
      ("usd", JSONValue.finite(usd) ?? .null),
      ("modelled_usd", priced > 0 ? JSONValue.finite(modelledUSD) ?? .null : .null),
      ("without_tokens", .integer(withoutTokens)), ("without_price", .integer(withoutPrice)),
    ])
  }
}
