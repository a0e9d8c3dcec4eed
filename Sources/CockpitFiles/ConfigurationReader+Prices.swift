import TOML
import TOMLKit

/// The prices of models.
extension ConfigurationReader {
  /// `[prices."provider/model"]`, or `[[prices."provider/model"]]` for several dates.
  mutating func read(prices table: TOMLTable) {
    for model in table.keys {
      let path = ["prices", model]
      guard let value = note(table, model, ["prices"]) else { continue }
      let entries: [TOMLTable]
      if let one = value.table {
        entries = [one]
      } else if let array = value.array {
        entries = (0..<array.count).compactMap { array[$0].table }
      } else {
        entries = []
      }
      guard !entries.isEmpty, entries.count == value.array?.count ?? 1 else {
        complain(model, ["prices"], "must be a table: [prices.\(TOMLEdit.quoted(model))]")
        continue
      }
      let prices = entries.compactMap { price($0, path) }
      if Set(prices.map(\.from)).count < prices.count {
        complain(model, ["prices"], "has two prices from the same day; leave one of them out")
      }
      if !prices.isEmpty { configuration.prices[model] = prices.sorted { $0.from < $1.from } }
    }
  }

  /// nil if it has no date or lacks one of the two prices.
  private mutating func price(_ table: TOMLTable, _ path: [String]) -> Configuration.Price? {
    let before = problems.count
    check(table, keys: Configuration.Key.names(in: "prices.MODEL"), path)
    func amount(_ key: String) -> Double? {
      guard let value = note(table, key, path) else { return nil }
      let dollars = value.double ?? value.int.map(Double.init)
      if let dollars, dollars >= 0, dollars <= 1_000_000 { return dollars }
      complain(key, path, "must be dollars per million tokens, such as 3.0")
      return nil
    }
    let (input, output) = (amount("input"), amount("output"))
    let (read, write) = (amount("cache_read"), amount("cache_write"))
    let from = string(table, "from", path)
    if let from, !Configuration.Price.isDay(from) {
      complain("from", path, "must be a day such as \"2026-01-01\"")
      return nil
    }
    let isWhole = ["from", "input", "output"].allSatisfy { table.contains(key: $0) }
    if !isWhole, problems.count == before {
      complain(
        path[1], [path[0]],
        "lacks from, input or output; such as from = \"2026-01-01\", input = 3.0, output = 15.0")
    }
    guard let from, let input, let output else { return nil }
    return Configuration.Price(
      from: from, input: input, output: output, cacheRead: read, cacheWrite: write)
  }
}
