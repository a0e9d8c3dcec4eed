internal import LenientJSON

/// A rule as one JSON object, ASCII only.
package struct RuleJSON {
  private let rule: Rule
  private let judgement: Judgement
  private let count: Int

  package init(_ rule: Rule, _ judgement: Judgement, count: Int) {
    self.rule = rule
    self.judgement = judgement
    self.count = count
  }

  package var line: [UInt8] {
    let (word, why): (String, JSONValue) =
      switch judgement {
      case .judged: ("judged", .null)
      case .idle: ("idle", .null)
      case .unknown(let why): ("unknown", .string(why))
      }
    let object = JSONValue.body([
      ("rule", .string(rule.id.rawValue)), ("level", .string(rule.level.rawValue)),
      ("state", .string(word)), ("why", why), ("count", .integer(count)),
      ("condition", .string(rule.condition)), ("advice", .string(rule.advice)),
      (
        "limits",
        .array(
          rule.limits.map { limit in
            .body([
              ("name", .string(limit.name)), ("unit", .string(limit.unit.rawValue)),
              ("standard", JSONValue.finite(limit.standard) ?? .null),
              ("meaning", .string(limit.meaning)),
            ])
          })
      ),
    ])
    var bytes: [UInt8] = []
    object.write(to: &bytes, ascii: true)
    return bytes
  }

  /// A number without a needless fraction.
  package static func figure(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : String(value)
  }
}
