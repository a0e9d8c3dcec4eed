internal import ClankyWire
internal import LenientJSON

/// A digest as one JSON object, ASCII only.
package struct DigestJSON {
  private let digest: Digest

  package init(_ digest: Digest) { self.digest = digest }

  package var line: [UInt8] {
    var bytes: [UInt8] = []
    object.write(to: &bytes, ascii: true)
    return bytes
  }

  private var object: JSONValue {
    let answer = digest.answer
    return .body([
      ("sentence", .string(answer.sentence)), ("state", .string(answer.state.rawValue)),
      ("since", .string(digest.beginning.rawValue)),
      ("evidence", .array(answer.evidence.map(evidence))),
      (
        "coverage",
        .body([
          ("from", time(answer.coverage.fromMs)), ("to", time(answer.coverage.toMs)),
          ("complete", .bool(answer.coverage.isComplete)),
          (
            "missing",
            .array(
              digest.missing.map { stretch in
                .body([
                  ("from", time(stretch.fromMs)), ("to", time(stretch.toMs)),
                  ("reason", .string(stretch.reason)), ("rows", int(stretch.rows)),
                ])
              })
          ),
        ])
      ),
      (
        "counts",
        .array(
          digest.tallies.map { tally in
            .body([
              ("medium", .string(tally.medium.rawValue)),
              ("outcome", .string(tally.outcome.rawValue)),
              ("reason", tally.reason.map { .string($0) } ?? .null), ("count", int(tally.count)),
            ])
          })
      ), ("lines", .array(digest.lines.map(line))),
    ])
  }

  private func line(_ line: Digest.Line) -> JSONValue {
    .body([
      ("topic", .string(line.topic.rawValue)),
      ("name", line.isDetail ? .string(line.name) : .null), ("count", int(line.count)),
      ("text", .string(line.text)), ("state", .string(line.state.rawValue)),
      ("trouble", .bool(line.isTrouble)), ("evidence", .array(line.evidence.map(evidence))),
    ])
  }

  private func evidence(_ item: Answer.Evidence) -> JSONValue {
    .body([
      ("id", int(item.actionID)), ("at", time(item.timeMs)), ("kind", .string(item.kind)),
      ("claim", .string(item.claim)),
    ])
  }

  private func int(_ value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }

  private func time(_ ms: Int64?) -> JSONValue {
    ms.map { .string(WireTime(milliseconds: $0).iso) } ?? .null
  }
}
