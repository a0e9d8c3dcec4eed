internal import Foundation

/// The text format of Prometheus, version 0.0.4.
enum MetricText {
  /// `domain="llm",kind="llm_call"`.
  static func labels(_ labels: [(String, String)]) -> String {
    labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
  }

  /// A value of a label: what would end it is escaped, and control characters become spaces.
  static func escaped(_ text: String) -> String {
    var out = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(120) {
      switch scalar {
      case "\\": out.append(contentsOf: "\\\\".unicodeScalars)
      case "\"": out.append(contentsOf: "\\\"".unicodeScalars)
      case "\n": out.append(contentsOf: "\\n".unicodeScalars)
      default: out.append(scalar.properties.generalCategory == .control ? " " : scalar)
      }
    }
    return String(out)
  }

  /// The whole text.
  ///
  /// - Parameters:
  ///   - bot: the label `bot` of every metric.
  ///   - gauges: by metric, with their labels.
  static func page(
    _ counts: MetricCounts, gauges: [MetricName: [(labels: [(String, String)], value: Double)]],
    bot: String
  ) -> String {
    let own = labels([("bot", bot)])
    var text = ""
    for metric in MetricName.allCases {
      var lines: [String] = []
      for (labels, value) in (counts.counters[metric.rawValue] ?? [:]).sorted(by: {
        $0.key < $1.key
      }) {
        lines.append(line(metric.rawValue, [own, labels], value))
      }
      for (labels, value) in (counts.histograms[metric.rawValue] ?? [:])
        .sorted(by: { $0.key < $1.key })
      {
        for (index, count) in value.buckets.enumerated() {
          let border =
            index < MetricCounts.borders.count ? number(MetricCounts.borders[index]) : "+Inf"
          lines.append(
            line(metric.rawValue + "_bucket", [own, labels, "le=\"\(border)\""], count))
        }
        lines.append(line(metric.rawValue + "_sum", [own, labels], value.sum))
        lines.append(line(metric.rawValue + "_count", [own, labels], value.buckets.last ?? 0))
      }
      for gauge in gauges[metric] ?? [] {
        lines.append(line(metric.rawValue, [own, Self.labels(gauge.labels)], gauge.value))
      }
      guard !lines.isEmpty else { continue }
      text += "# HELP \(metric.rawValue) \(metric.help)\n"
      text += "# TYPE \(metric.rawValue) \(metric.kind.rawValue)\n"
      text += lines.joined(separator: "\n") + "\n"
    }
    return text
  }

  private static func line(_ name: String, _ labels: [String], _ value: Double) -> String {
    "\(name){\(labels.filter { !$0.isEmpty }.joined(separator: ","))} \(number(value))"
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
    if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
    return "\(value)"
  }
}
