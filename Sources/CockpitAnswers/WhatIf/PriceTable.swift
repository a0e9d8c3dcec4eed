/// Prices of models by date, as the owner wrote them down.
package struct PriceTable: Hashable, Sendable {
  /// US dollars per million tokens.
  package struct Price: Hashable, Sendable {
    /// From when on, ms since 1970.
    package var fromMs: Int64
    package var input: Double
    package var output: Double
    package var cacheRead: Double
    package var cacheWrite: Double

    package init(
      fromMs: Int64, input: Double, output: Double, cacheRead: Double, cacheWrite: Double
    ) {
      (self.fromMs, self.input, self.output) = (fromMs, input, output)
      (self.cacheRead, self.cacheWrite) = (cacheRead, cacheWrite)
    }
  }

  /// By `provider/model`, in the order of their dates.
  private let prices: [String: [Price]]

  package init(_ prices: [String: [Price]]) {
    self.prices = prices.mapValues { $0.sorted { $0.fromMs < $1.fromMs } }
  }

  package var models: [String] { prices.keys.sorted() }

  /// The price at a time; nil if the model has none that early.
  package func price(of model: String, atMs: Int64) -> Price? {
    prices[model]?.last { $0.fromMs <= atMs }
  }
}
