internal import ClankyWire
package import CockpitText
internal import LenientJSON
package import TerminalCore

/// The ledger and the change points of some time.
package struct Changes: Hashable, Sendable {
  package var answer: Answer
  package var ledger: [LedgerChange]
  package var points: [ChangeFinding]
  package var missing: [MissingStretch]

  package init(_ units: CompareUnits, clock: ClockFormat) {
    ledger = units.changes
    points = ChangeFinding.all(in: units)
    missing = units.missing
    let isComplete = units.missing.isEmpty
    let hasRows = !units.rows.isEmpty
    var sentence: String
    if let point = points.last {
      sentence = Self.sentence(point, clock)
      if points.count > 1 { sentence += " \(points.count) changes of figures in all." }
    } else {
      sentence =
        hasRows
        ? "No figure changed so that \(units.turns.count) turns could show it."
        : "Unknown: no row is on record of this time."
    }
    if !isComplete { sentence += " Rows are missing, or may be." }
    answer = Answer(
      sentence, state: hasRows ? .inferred : .unknown, evidence: points.map(\.evidence).suffix(5),
      coverage: .init(fromMs: units.fromMs, toMs: units.toMs, isComplete: isComplete))
  }

  /// `Since 14:02:10 text skipped is 51% instead of 22% (44 and 40 turns); at the same time: …`
  static func sentence(_ point: ChangeFinding, _ clock: ClockFormat) -> String {
    let time = "\(clock.monthDay(ms: point.timeMs)) \(clock.time(ms: point.timeMs))"
    let change =
      "Since \(time) \(point.title) is \(CompareWords.value(point.after, point.unit)) instead of \(CompareWords.value(point.before, point.unit)) (\(point.countAfter) and \(point.countBefore) turns)"
    guard !point.together.isEmpty else { return change + "; no other change on record then." }
    let others = point.together.suffix(3).map { item in
      "\(clock.time(ms: item.timeMs)) \(item.words)"
    }
    return change + "; at the same time: \(others.joined(separator: ", "))."
  }

  @MainActor package func lines(width: Int, _ clock: ClockFormat) -> [PlainText] {
    var lines = PlainText(answer.sentence, limit: 1000).wrapped(to: width)
    for stretch in missing.prefix(4) {
      lines += PlainText(stretch.sentence(clock), limit: 300).wrapped(to: width)
    }
    lines.append("")
    lines.append(points.isEmpty ? "figures: no change" : "figures")
    for point in points {
      for (place, line) in PlainText(Self.sentence(point, clock), limit: 500)
        .wrapped(to: max(20, width - 4)).enumerated()
      {
        lines.append((place == 0 ? "  " : "    ") + line)
      }
    }
    lines.append("")
    lines.append(ledger.isEmpty ? "ledger: nothing changed on record" : "ledger")
    for change in ledger { lines += CompareText.lines(change, clock, width: width) }
    return lines
  }

  /// One JSON object, ASCII only.
  package var json: [UInt8] {
    var bytes: [UInt8] = []
    ChangesJSON.object(self).write(to: &bytes, ascii: true)
    return bytes
  }
}

/// Changes as JSON.
enum ChangesJSON {
  static func object(_ changes: Changes) -> JSONValue {
    .body([
      ("sentence", .string(changes.answer.sentence)),
      ("state", .string(changes.answer.state.rawValue)),
      ("evidence", .array(changes.answer.evidence.map(AnswerJSON.evidence))),
      ("coverage", AnswerJSON.coverage(changes.answer, changes.missing)),
      ("points", .array(changes.points.map(point))),
      ("ledger", .array(changes.ledger.map(change))),
    ])
  }

  static func change(_ change: LedgerChange) -> JSONValue {
    .body([
      ("kind", .string(change.kind.rawValue)), ("at", AnswerJSON.time(change.timeMs)),
      ("role", change.role.isEmpty ? .null : .string(change.role)),
      ("from", change.from.isEmpty ? .null : .string(change.from)),
      ("to", change.to.isEmpty ? .null : .string(change.to)),
      ("added", .array(change.added.map { .string($0) })),
      ("removed", .array(change.removed.map { .string($0) })),
      ("evidence", AnswerJSON.evidence(change.evidence)),
    ])
  }

  private static func point(_ point: ChangeFinding) -> JSONValue {
    .body([
      ("figure", .string(point.figure)), ("at", AnswerJSON.time(point.timeMs)),
      ("unit", .string(point.unit.rawValue)), ("p", AnswerJSON.number(point.p)),
      ("before", AnswerJSON.number(point.before)), ("after", AnswerJSON.number(point.after)),
      ("n_before", .integer(point.countBefore)), ("n_after", .integer(point.countAfter)),
      ("evidence", AnswerJSON.evidence(point.evidence)),
      ("at_the_same_time", .array(point.together.map(change))),
    ])
  }
}
