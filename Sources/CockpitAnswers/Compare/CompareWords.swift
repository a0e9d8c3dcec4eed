internal import CockpitStatistics
internal import CockpitText

/// Figures of a comparison in words.
enum CompareWords {
  static func ms(_ value: Double) -> String { "\(Figures.duration(ms: value))" }

  static func fixed(_ value: Double, _ digits: Int) -> String { Figures.fixed(value, digits) }

  /// A figure with its unit, such as `1.25s` or `41%`.
  static func value(_ value: Double?, _ unit: Comparison.Unit) -> String {
    guard let value else { return "-" }
    guard value.isFinite else { return "any" }
    switch unit {
    case .ms: return ms(value)
    case .share: return "\(fixed(value * 100, 0))%"
    case .usd: return "\(Figures.cost(value))"
    case .tokens: return "\(Figures.short(value.rounded()))"
    case .perHundred: return fixed(value, value < 10 ? 1 : 0)
    }
  }

  /// `1.25s (1.02s-1.70s), n 43`; a dash and the reason where there is no figure.
  static func value(_ value: Comparison.Value, _ unit: Comparison.Unit) -> String {
    guard let middle = value.value, let low = value.low, let high = value.high else {
      return "- " + (value.note ?? "")
    }
    return
      "\(Self.value(middle, unit)) (\(Self.value(low, unit))-\(Self.value(high, unit))), n \(value.n)"
  }

  /// `1.54x (1.21-1.90)` or `+33 points (+15 to +49)`.
  static func difference(_ difference: Comparison.Difference?) -> String {
    guard let difference else { return "-" }
    switch difference.scale {
    case .ratio:
      func times(_ value: Double) -> String {
        value.isFinite ? fixed(value, value < 9.95 ? 2 : 0) : "any"
      }
      guard let ratio = difference.value else { return "none on either side" }
      let head = ratio.isFinite ? times(ratio) + "x" : "from none"
      return "\(head) (\(times(difference.low))-\(times(difference.high)))"
    case .difference:
      func points(_ value: Double) -> String {
        let text = fixed(value * 100, 0)
        return value * 100 >= 0.5 ? "+" + text : text == "-0" ? "0" : text
      }
      let head = points(difference.value ?? 0)
      return "\(head) points (\(points(difference.low)) to \(points(difference.high)))"
    }
  }

  /// `text skipped 22% to 51% (+29 points, n 40 and 44)`
  static func finding(_ figure: Comparison.Figure) -> String {
    let change = difference(figure.difference)
    return
      "\(figure.title) \(value(figure.a.value, figure.unit)) to \(value(figure.b.value, figure.unit)) (\(change.prefix { $0 != "(" }.trimmed), n \(figure.a.n) and \(figure.b.n))"
  }

  /// The one sentence about a comparison.
  static func sentence(
    _ a: CompareSide, _ b: CompareSide, _ figures: [Comparison.Figure]
  ) -> String {
    let compared = figures.count { $0.verdict != .tooLittle }
    let sides = "\(b.name) against \(a.name)"
    guard compared > 0 else {
      return
        "Unknown: too few turns for any figure, \(b.turns.count) of \(b.name) and \(a.turns.count) of \(a.name)."
    }
    func list(_ verdict: Comparison.Verdict) -> String? {
      let found = figures.filter { $0.verdict == verdict }
      guard !found.isEmpty else { return nil }
      let isSure = found.contains { !$0.isAlone }
      let shown = found.sorted { !$0.isAlone && $1.isAlone }.prefix(3).map(finding)
      let more = found.count > 3 ? ", and \(found.count - 3) more" : ""
      return
        "\(isSure ? "likely" : "perhaps") \(verdict.rawValue): \(shown.joined(separator: ", "))\(more)"
    }
    let parts = [list(.worse), list(.better)].compactMap { $0 }
    let count = compared == 1 ? "one figure compared" : "\(compared) figures compared"
    guard !parts.isEmpty else {
      return "No difference that these turns could show, \(sides): \(count)."
    }
    let text = parts.joined(separator: "; ")
    return text.prefix(1).uppercased() + text.dropFirst() + "; \(sides), \(count)."
  }
}

extension Substring {
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
