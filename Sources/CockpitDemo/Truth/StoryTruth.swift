/// What really happened at the gateway, for tests that compare with it. It holds no secret: no token, no signature,
/// and no answer to a secret question.
struct GatewayTruth {
  private(set) var revision = 0
  private var entries: [DemoJSON] = []
  private(set) var dropped = 0

  mutating func add(_ ms: Int64, _ what: String, _ more: DemoJSON) {
    revision += 1
    let entry: DemoJSON = ["at": .int(Int(ms)), "what": .string(what)]
    entries.append(entry.merging(more).frozen)
    if entries.count > 50_000 {
      entries.removeFirst(10_000)
      dropped += 10_000
    }
  }

  /// The file: a head, then each entry in a line of its own.
  func file(_ world: GatewayWorld) -> [UInt8] {
    let options = world.options
    let head: DemoJSON = [
      "format": 1, "kind": "openclaw", "seed": .int(Int(clamping: options.seed)),
      "scenario": .string(options.scenario.rawValue), "protocol": .int(options.protocolVersion),
      "from": .int(Int(world.startedMs)), "to": .int(Int(world.now)), "dropped": .int(dropped),
    ]
    let parts: [(String, [DemoJSON])] = [
      ("runs", world.runs.map(\.truth)), ("approvals", world.approvals.map(\.truth)),
      ("questions", world.questions.map(\.truth)), ("pairings", world.pairings.map(\.truth)),
      ("entries", entries),
    ]
    var text = String(head.text.dropLast())
    for (name, values) in parts {
      text += ",\n\"\(name)\":[" + values.map { "\n" + $0.text }.joined(separator: ",") + "]"
    }
    return Array((text + "}\n").utf8)
  }
}
