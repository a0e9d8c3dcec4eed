extension Truth {
  /// The whole file; one exchange, trouble and so on per line, so that two files can be compared.
  ///
  /// - Parameters: the inputs of the story.
  func file(scenario: DemoScenario, seed: UInt64, dialect: DemoDialect) -> [UInt8] {
    let head: DemoJSON = [
      "format": 1, "scenario": .string(scenario.rawValue), "seed": .raw(Array(String(seed).utf8)),
      "dialect": .string(dialect.rawValue), "from": .time(fromMs), "to": .time(toMs),
    ]
    var counts: [String: Int] = [:]
    for exchange in exchanges {
      counts["\(exchange.medium.rawValue).\(exchange.outcome.rawValue)", default: 0] += 1
    }
    let lists: [(String, [DemoJSON])] = [
      ("exchanges", exchanges.map(\.json)), ("troubles", troubles.map(\.json)),
      ("changes", changes.map(\.json)), ("cost_spikes", spikes.map(\.json)),
      ("facts_learned", learned.map(\.json)), ("forgotten", forgotten.map(\.json)),
      ("sessions", sessions.map(\.json)),
    ]
    var text = String(head.text.dropLast())
    if let cost { text += ",\n\"cost_usd\":" + DemoJSON.double(cost).text }
    text += ",\n\"counts\":"
    text +=
      DemoJSON.object(
        .init(counts.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: .int($0.value)) })
      ).text
    for (name, values) in lists {
      text += ",\n\"\(name)\":["
      text += values.map { "\n\($0.text)" }.joined(separator: ",") + "]"
    }
    return Array((text + "}\n").utf8)
  }
}

extension [TruthRow] {
  var json: DemoJSON {
    .array(
      map { row in
        let id: Int64 = if case .id(let id) = row.reference { id } else { 0 }
        return ["id": .int(Int(id)), "what": .string(row.what)]
      })
  }
}

extension Person {
  var truthJSON: DemoJSON { ["id": .string(id), "name": .string(name)] }
}

extension TruthExchange {
  var json: DemoJSON {
    let head: DemoJSON = [
      "medium": .string(medium.rawValue), "outcome": .string(outcome.rawValue),
      "reason": .text(reason), "at": .time(atMs), "ended": .time(endedMs),
      "trigger_message_id": .text(trigger), "session_id": .text(session),
      "guild_id": .text(place.guild), "channel_id": .text(place.channel),
      "author": author.map(\.truthJSON) ?? .null, "words": .text(words), "answer": .text(answer),
      "addressed": .bool(isAddressed),
    ]
    return head.merging([
      "rows": rows.json, "cost_usd": .double(cost), "linked_cost_usd": .double(linkedCost),
      "steps_ms": .object(.init(steps.map { .init(key: $0.name, value: .int($0.ms)) })),
      "slowest": .text(slowest), "facts": .array(facts.map { .int(Int($0)) }),
      "model": .text(model), "prompt_version": .number(promptVersion),
    ])
  }
}

extension TruthTrouble {
  var json: DemoJSON {
    [
      "kind": .string(kind), "onset": .time(onsetMs),
      "confirmed": .time(confirmedMs), "end": .time(endMs), "count": .int(count),
      "rows": rows.json, "next": .string(next),
    ]
  }
}

extension TruthChange {
  var json: DemoJSON {
    [
      "kind": .string(kind), "at": .time(atMs), "from": .string(from), "to": .string(to),
      "effect": .string(effect), "rows": rows.json,
    ]
  }
}

extension TruthSpike {
  var json: DemoJSON {
    [
      "at": .time(atMs), "cost_usd": .double(cost), "trigger_message_id": .string(trigger),
      "why": .string(why), "rows": rows.json,
    ]
  }
}

extension TruthFact {
  var json: DemoJSON {
    [
      "fact_id": .int(Int(id)), "at": .time(atMs), "person": person.truthJSON,
      "text": .string(text), "trigger_message_id": .string(trigger), "rows": rows.json,
    ]
  }
}

extension TruthSession {
  var json: DemoJSON {
    [
      "session_id": .string(id), "guild_id": .text(place.guild), "at": .time(startMs),
      "ended": .time(endMs), "reason": .string(reason), "rows": rows.json,
    ]
  }
}

extension TruthForgotten {
  var json: DemoJSON {
    [
      "person": person.truthJSON, "at": .time(atMs),
      "facts": .array(facts.map { .int(Int($0)) }),
    ]
  }
}
