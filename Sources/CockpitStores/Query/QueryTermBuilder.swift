internal import ClankyWire

/// Turns the values of one field into its test.
struct TermBuilder {
  let field: QueryField
  let comparison: QueryComparison
  let offset: Int
  let length: Int

  init(field: QueryField, comparison: QueryComparison, offset: Int, length: Int) {
    self.field = field
    self.comparison = comparison
    self.offset = offset
    self.length = length
  }

  mutating func test(_ values: [Pattern]) throws(QueryError) -> Query.Term.Test {
    if field.isNumeric || (field == .meta && comparison != .equal) {
      var numbers: [NumberTest] = []
      for value in values { numbers.append(try number(value.text)) }
      return .numbers(numbers)
    }
    if field == .severity {
      var severities: Set<Severity> = []
      for value in values { severities.insert(try severity(value.text)) }
      return .severity(comparison, severities)
    }
    guard comparison == .equal else {
      throw error("\(field.rawValue) cannot be compared with \(comparison.rawValue)")
    }
    switch field {
    case .text: return .words(values.map { TextNeedle($0.text) })
    case .since, .before, .at:
      guard values.count == 1 || field == .at else {
        throw error("\(field.rawValue) takes one time")
      }
      var times: [QueryTime] = []
      for value in values { times.append(try time(value.text)) }
      return .time(times)
    case .domain:
      var domains: Set<Domain> = []
      for value in values { domains.insert(try domain(value.text)) }
      return .domains(domains)
    case .chip:
      var chips = ChipSet()
      for value in values { chips.insert(try chip(value.text)) }
      return .chips(chips)
    case .state:
      var states: Set<QueryState> = []
      for value in values { states.insert(try state(value.text)) }
      return .states(states)
    default: return .patterns(values)
    }
  }

  private func error(_ message: String, suggestion: String? = nil) -> QueryError {
    QueryError(offset: offset, length: max(1, length), message: message, suggestion: suggestion)
  }

  private func domain(_ text: String) throws(QueryError) -> Domain {
    if let domain = Domain(rawValue: text.lowercased()) { return domain }
    throw error(
      "there is no domain \"\(text)\"",
      suggestion: nearest(text, in: Domain.allCases.map(\.rawValue)))
  }

  private func chip(_ text: String) throws(QueryError) -> ChipGroup {
    if let chip = ChipGroup(name: text) { return chip }
    throw error(
      "there is no chip \"\(text)\"", suggestion: nearest(text, in: ChipGroup.allCases.map(\.name)))
  }

  private func state(_ text: String) throws(QueryError) -> QueryState {
    if let state = QueryState(rawValue: text.lowercased()) { return state }
    throw error(
      "a row cannot be \"\(text)\"",
      suggestion: nearest(text, in: QueryState.allCases.map(\.rawValue)))
  }

  private func severity(_ text: String) throws(QueryError) -> Severity {
    switch text.lowercased() {
    case "info": return .info
    case "warning", "warn": return .warning
    case "error", "err": return .error
    default:
      throw error(
        "there is no severity \"\(text)\"",
        suggestion: nearest(text, in: ["info", "warning", "error"]))
    }
  }

  // MARK: numbers

  private func number(_ text: String) throws(QueryError) -> NumberTest {
    if comparison == .equal, let dots = text.range(of: "..") {
      guard let low = amount(String(text[..<dots.lowerBound])),
        let high = amount(String(text[dots.upperBound...]))
      else {
        throw error(
          "\"\(text)\" is no range of numbers such as 1..5"
            + (text.contains(",") ? ": decimals follow a point" : ""))
      }
      return NumberTest(comparison: .equal, value: low, upper: high)
    }
    guard let value = amount(text) else {
      let pointed = text.replacing(",", with: ".")
      guard pointed != text, amount(pointed) != nil else {
        throw error("\"\(text)\" is no number")
      }
      throw error(
        "\"\(text)\" is no number: decimals follow a point",
        suggestion: pointed)
    }
    return NumberTest(comparison: comparison, value: value)
  }

  /// A number with the units people write: `$0.01`, `1.5k`, `2M`, and for durations `300ms`,
  /// `2s`, `1m`, `1h`.
  private func amount(_ text: String) -> Double? {
    var text = Substring(text)
    if field == .cost, text.first == "$" { text = text.dropFirst() }
    var scale = 1.0
    let units: [(String, Double)] =
      field == .ms
      ? [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)] : [("k", 1000), ("M", 1_000_000)]
    for (unit, factor) in units where text.hasSuffix(unit) {
      text = text.dropLast(unit.count)
      scale = factor
      break
    }
    guard let value = Double(text), value.isFinite else { return nil }
    return value * scale
  }

  // MARK: times

  private func time(_ text: String) throws(QueryError) -> QueryTime {
    if let time = Self.time(of: text) { return time }
    throw error("\"\(text)\" is no time such as 15m, 2h, 1d, 14:30 or 2026-05-09T14:30")
  }

  /// nil if the text is no time.
  static func time(of text: String) -> QueryTime? {
    duration(text).map { .ago($0) } ?? clock(text) ?? date(text)
  }

  /// `90s`, `15m`, `2h`, `1d`, `1w`, and sums of them such as `1h30m`, in milliseconds.
  static func duration(_ text: String) -> Int64? {
    var total = 0.0
    var digits = ""
    var isComplete = false
    for character in text {
      if character.isASCII, character.isNumber || character == "." {
        digits.append(character)
        isComplete = false
        continue
      }
      let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
      guard let unit = units[character], let value = Double(digits) else { return nil }
      total += value * unit * 1000
      digits = ""
      isComplete = true
    }
    // A century is long enough, and cannot overflow when added to any time.
    return isComplete && total <= 3.2e12 ? Int64(total) : nil
  }

  private static func clock(_ text: String) -> QueryTime? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3,
      parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy { $0.isASCII && $0.isNumber } }
      )
    else { return nil }
    let values = parts.compactMap { Int($0) }
    guard values.count == parts.count, values[0] < 24, values.dropFirst().allSatisfy({ $0 < 60 })
    else { return nil }
    let seconds = values[0] * 3600 + values[1] * 60 + (values.count == 3 ? values[2] : 0)
    return .clock(seconds: Int64(seconds), lengthMs: values.count == 3 ? 1000 : 60_000)
  }

  /// `2026-05-09`, `2026-05-09T14:30`, with seconds, fractions and an offset or without.
  private static func date(_ text: String) -> QueryTime? {
    if let exact = WireTime(iso: text) {
      return .moment(ms: exact.milliseconds, lengthMs: precision(of: text))
    }
    let shapes: [(Int, String, Int64)] = [
      (10, "T00:00:00Z", 86_400_000), (16, ":00Z", 60_000), (19, "Z", 1000),
    ]
    for (length, rest, span) in shapes where text.count == length {
      guard let time = WireTime(iso: text + rest) else { return nil }
      return .date(seconds: time.milliseconds / 1000, lengthMs: span)
    }
    return nil
  }
}

extension TermBuilder {
  /// The length of what a moment with an offset names, in ms: a second, or as little as its fraction says.
  private static func precision(of text: String) -> Int64 {
    guard let point = text.lastIndex(of: ".") else { return 1000 }
    let digits = text[point...].dropFirst().prefix { $0.isASCII && $0.isNumber }.count
    return digits >= 3 ? 1 : digits == 2 ? 10 : digits == 1 ? 100 : 1000
  }
}

extension String {
  /// The first place of a text in this one.
  fileprivate func range(of needle: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(needle) {
        return start..<index(start, offsetBy: needle.count)
      }
      start = index(after: start)
    }
    return nil
  }
}
