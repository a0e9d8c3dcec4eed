/// What really happened in a demo that is no bot's backend, as entries in order.
struct StoryTruth {
  private(set) var revision = 0
  private var entries: [DemoJSON] = []
  private var dropped = 0

  mutating func add(_ ms: Int64, _ what: String, _ more: DemoJSON) {
    revision += 1
    let entry: DemoJSON = ["at": .int(Int(ms)), "what": .string(what)]
    entries.append(entry.merging(more).frozen)
    if entries.count > 50_000 {
      entries.removeFirst(10_000)
      dropped += 10_000
    }
  }

  /// The file: a head, then each list, with each of its values in a line of its own.
  ///
  /// - Parameter lists: what stands before the entries.
  func file(_ head: DemoJSON, lists: [(String, [DemoJSON])] = []) -> [UInt8] {
    let head = head.merging(["format": 1, "dropped": .int(dropped)])
    var text = String(head.text.dropLast())
    for (name, values) in lists + [("entries", entries)] {
      text += ",\n\"\(name)\":[" + values.map { "\n" + $0.text }.joined(separator: ",") + "]"
    }
    return Array((text + "}\n").utf8)
  }
}
