import CockpitFiles
import Testing

/// `[prices]` of the configuration.
@Suite struct PricesTests {
  private func read(_ text: String) throws -> [String: [Configuration.Price]] {
    try Configuration(toml: text, path: "c").prices
  }

  @Test("one price, and several by their dates")
  func dated() throws {
    let prices = try read(
      """
      [prices."a/one"]
      from = "2026-01-01"
      input = 3
      output = 15.0
      cache_read = 0.3
      [[prices."a/two"]]
      from = "2026-03-01"
      input = 1.0
      output = 2.0
      [[prices."a/two"]]
      from = "2026-01-01"
      input = 2.0
      output = 4.0
      """)
    #expect(
      prices["a/one"] == [.init(from: "2026-01-01", input: 3, output: 15, cacheRead: 0.3)])
    #expect(prices["a/two"]?.map(\.from) == ["2026-01-01", "2026-03-01"])
  }

  @Test(
    "mistakes are one sentence with the line",
    arguments: [
      ("from = \"2026-02-30\"\ninput = 1.0\noutput = 1.0", "must be a day such as"),
      ("input = 1.0\noutput = 1.0", "lacks from, input or output"),
      ("from = \"2026-01-01\"\ninput = -1.0\noutput = 1.0", "must be dollars per million tokens"),
      ("from = \"2026-01-01\"\ninput = 1.0\noutput = 1.0\ncached = 1.0", "cached"),
    ])
  func mistakes(body: String, words: String) {
    let problems = Configuration.problems(toml: "[prices.\"a/m\"]\n" + body, path: "c")
    #expect(problems.contains { "\($0)".contains(words) }, "\(problems)")
  }

  @Test("two prices from the same day")
  func twice() {
    let one = "[[prices.\"a/m\"]]\nfrom = \"2026-01-01\"\ninput = 1.0\noutput = 1.0\n"
    let problems = Configuration.problems(toml: one + one, path: "c")
    #expect(problems.contains { "\($0)".contains("two prices from the same day") }, "\(problems)")
  }
}
