/// Prices of models, from `[prices]`.
extension Configuration {
  /// The price of one model from a day on; US dollars per million tokens.
  package struct Price: Hashable, Sendable {
    /// `2026-01-01`, UTC.
    package var from: String
    package var input: Double
    package var output: Double
    /// The input's without it.
    package var cacheRead: Double?
    package var cacheWrite: Double?

    package init(
      from: String, input: Double, output: Double, cacheRead: Double? = nil,
      cacheWrite: Double? = nil
    ) {
      (self.from, self.input, self.output) = (from, input, output)
      (self.cacheRead, self.cacheWrite) = (cacheRead, cacheWrite)
    }

    /// Whether a text is a day such as `2026-02-28`.
    static func isDay(_ text: String) -> Bool {
      let parts = text.split(separator: "-", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { part in
        part.allSatisfy { $0.isASCII && $0.isNumber } ? Int(part) : nil
      }
      guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, (1...12).contains(numbers[1])
      else { return false }
      let isLeap = numbers[0] % 4 == 0 && (numbers[0] % 100 != 0 || numbers[0] % 400 == 0)
      let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      return (1...days[numbers[1] - 1]).contains(numbers[2])
    }
  }
}
