internal import ClankyWire
internal import LenientJSON

/// An answer as one JSON object, ASCII only.
package struct WhyJSON {
  private let why: Why

  package init(_ why: Why) { self.why = why }

  package var line: [UInt8] {
    var bytes: [UInt8] = []
    object.write(to: &bytes, ascii: true)
    return bytes
  }

  private var object: JSONValue {
    let answer = why.answer
    return .body([
      ("sentence", .string(answer.sentence)), ("state", .string(answer.state.rawValue)),
      ("evidence", .array(answer.evidence.map(evidence))),
      (
        "coverage",
        .body([
          ("from", time(answer.coverage.fromMs)), ("to", time(answer.coverage.toMs)),
          ("complete", .bool(answer.coverage.isComplete)),
        ])
      ), ("next", answer.next.map { .string($0.sentence) } ?? .null), ("exchange", exchange),
    ])
  }

  private func evidence(_ item: Answer.Evidence) -> JSONValue {
    .body([
      ("id", int(item.actionID)), ("at", time(item.timeMs)), ("kind", .string(item.kind)),
      ("claim", .string(item.claim)),
    ])
  }

  private var exchange: JSONValue {
    let exchange = why.exchange
    return .body([
      ("medium", .string(exchange.medium.rawValue)), ("outcome", .string(why.outcome.rawValue)),
      ("reason", text(why.reason)), ("rule", .string(why.rule)),
      ("author_id", text(exchange.authorID)), ("author", text(exchange.author)),
      ("words", text(exchange.words)), ("answer", text(exchange.answer)),
      ("message_id", messageID), ("session_id", text(exchange.sessionID)),
      ("guild_id", text(exchange.guildID)), ("channel_id", text(exchange.channelID)),
      ("at", time(exchange.startMs)), ("ended", time(exchange.endMs)),
      ("rows", .array(exchange.sources.map(source))),
      ("checklist", .array(why.checklist.map(step))),
      ("cost_usd", double(exchange.costUSD)), ("linked_cost_usd", double(exchange.linkedCostUSD)),
      (
        "costs",
        .array(
          exchange.costs.map { cost in
            .body([
              ("id", int(cost.source.actionID)), ("name", .string(cost.name)),
              ("usd", double(cost.usd)), ("link", .string(cost.source.link.rawValue)),
            ])
          })
      ), ("steps_ms", .body(exchange.steps.map { ($0.key, int($0.ms)) })),
      ("slowest", text(exchange.slowest?.key)),
      ("prompt_id", int(exchange.prompt?.actionID)),
      (
        "facts",
        .array(
          exchange.facts.map { fact in
            .body([
              ("id", int(fact.id)), ("fact", .string(fact.text)),
              ("overlap", double((fact.overlap * 100).rounded() / 100)),
            ])
          })
      ),
    ])
  }

  private var messageID: JSONValue {
    if case .message(let id) = why.exchange.key { return .string(id) }
    return .null
  }

  private func source(_ source: Exchange.Source) -> JSONValue {
    .body([
      ("id", int(source.actionID)), ("at", time(source.timeMs)), ("kind", .string(source.kind)),
      ("event", .string(source.event)), ("link", .string(source.link.rawValue)),
    ])
  }

  private func step(_ step: WhyStep) -> JSONValue {
    .body([
      ("step", .string(step.kind.rawValue)), ("state", .string(step.state.rawValue)),
      ("detail", .string(step.detail)), ("id", int(step.source?.actionID)),
      ("stop", .bool(step.isStop)),
    ])
  }

  private func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

  private func int(_ value: Int?) -> JSONValue {
    value.map { .integer($0) } ?? .null
  }

  private func double(_ value: Double?) -> JSONValue { value.flatMap(JSONValue.finite) ?? .null }

  private func time(_ ms: Int64?) -> JSONValue {
    ms.map { .string(WireTime(milliseconds: $0).iso) } ?? .null
  }
}
