internal import ClankyWire
internal import LenientJSON

/// A comparison as one JSON object, ASCII only.
package struct CompareJSON {
  private let comparison: Comparison

  package init(_ comparison: Comparison) { self.comparison = comparison }

  package var line: [UInt8] {
    var bytes: [UInt8] = []
    object.write(to: &bytes, ascii: true)
    return bytes
  }

  private var object: JSONValue {
    let answer = comparison.answer
    return .body([
      ("sentence", .string(answer.sentence)), ("state", .string(answer.state.rawValue)),
      ("worse", .bool(comparison.isWorse)), ("compared", .integer(comparison.compared)),
      ("evidence", .array(answer.evidence.map(AnswerJSON.evidence))),
      ("coverage", AnswerJSON.coverage(answer, comparison.a.missing + comparison.b.missing)),
      ("a", side(comparison.a)), ("b", side(comparison.b)),
      ("figures", .array(comparison.figures.map(figure))),
      ("shares", .array(comparison.shares.map(share))),
      ("incidents", .array(comparison.incidents.map(rate))),
      ("changes", .array(comparison.changes.map(ChangesJSON.change))),
    ])
  }

  private func side(_ side: Comparison.Side) -> JSONValue {
    .body([
      ("name", .string(side.name)),
      (
        "ranges",
        .array(
          side.ranges.map { range in
            .body([
              ("from", AnswerJSON.time(range.lowerBound)),
              ("to", AnswerJSON.time(range.upperBound)),
            ])
          })
      ), ("turns", .integer(side.turns)),
    ])
  }

  private func figure(_ figure: Comparison.Figure) -> JSONValue {
    .body([
      ("id", .string(figure.id)), ("title", .string(figure.title)),
      ("cause", .string(figure.cause.rawValue)), ("unit", .string(figure.unit.rawValue)),
      ("of", .string(figure.things)), ("a", value(figure.a)), ("b", value(figure.b)),
      ("difference", difference(figure.difference)), ("verdict", .string(figure.verdict.rawValue)),
      (
        "certainty",
        figure.verdict == .worse || figure.verdict == .better
          ? .string(figure.isAlone ? "perhaps" : "likely") : .null
      ), ("remark", figure.remark.map { .string($0) } ?? .null),
    ])
  }

  private func value(_ value: Comparison.Value) -> JSONValue {
    .body([
      ("value", number(value.value)), ("low", number(value.low)), ("high", number(value.high)),
      ("n", .integer(value.n)), ("note", value.note.map { .string($0) } ?? .null),
    ])
  }

  private func difference(_ difference: Comparison.Difference?) -> JSONValue {
    guard let difference else { return .null }
    return .body([
      ("scale", .string(difference.scale.rawValue)), ("value", number(difference.value)),
      ("low", number(difference.low)), ("high", number(difference.high)),
      ("p", number(difference.p)),
    ])
  }

  private func share(_ share: Comparison.Share) -> JSONValue {
    .body([
      ("topic", .string(share.topic.rawValue)), ("name", .string(share.name)),
      ("a", .integer(share.a)), ("of_a", .integer(share.ofA)), ("b", .integer(share.b)),
      ("of_b", .integer(share.ofB)), ("difference", difference(share.difference)),
    ])
  }

  private func rate(_ rate: Comparison.Rate) -> JSONValue {
    .body([
      ("rule", .string(rate.rule)), ("a", .integer(rate.a)), ("turns_a", .integer(rate.turnsA)),
      ("b", .integer(rate.b)), ("turns_b", .integer(rate.turnsB)),
      ("difference", difference(rate.difference)),
    ])
  }

  /// JSON has no infinity: what nothing bounds is null.
  private func number(_ value: Double?) -> JSONValue { AnswerJSON.number(value) }
}

/// Parts of answers as JSON.
enum AnswerJSON {
  static func number(_ value: Double?) -> JSONValue {
    value.flatMap { JSONValue.finite($0) } ?? .null
  }

  static func time(_ ms: Int64?) -> JSONValue {
    ms.map { .string(WireTime(milliseconds: $0).iso) } ?? .null
  }

  static func evidence(_ item: Answer.Evidence) -> JSONValue {
    .body([
      ("id", item.actionID.map { .integer($0) } ?? .null), ("at", time(item.timeMs)),
      ("kind", .string(item.kind)), ("claim", .string(item.claim)),
    ])
  }

  static func coverage(_ answer: Answer, _ missing: [MissingStretch]) -> JSONValue {
    .body([
      ("from", time(answer.coverage.fromMs)), ("to", time(answer.coverage.toMs)),
      ("complete", .bool(answer.coverage.isComplete)),
      (
        "missing",
        .array(
          missing.map { stretch in
            .body([
              ("from", time(stretch.fromMs)), ("to", time(stretch.toMs)),
              ("reason", .string(stretch.reason)),
            ])
          })
      ),
    ])
  }
}
