import ClankyWire
import CockpitAnswers
import LenientJSON

/// What an answer rests on, read from the JSON of the verb: only numbers, times and words of ours, so that
/// it may stand outside of the untrusted part.
struct AgentEvidence {
  /// Ids of rows, in their order, each once.
  private(set) var rows: [Int] = []
  /// Rows that are not among `rows`.
  private(set) var rowsLeftOut = 0
  /// Ids of facts.
  private(set) var facts: [Int] = []
  /// The certainty of the answer; nil where the verb has none.
  private(set) var state: String?
  private(set) var from: String?
  private(set) var to: String?
  /// Whether all rows of that time are here; nil if the verb does not tell.
  private(set) var isComplete: Bool?
  /// Stretches without rows; nil if the verb does not tell.
  private(set) var gaps: Int?

  static let mostRows = 200

  /// The states that this program defines.
  private static let states =
    Set(Answer.State.allCases.map(\.rawValue))
    .union(["healthy", "degraded", "unreachable", "connecting", "live", "stale", "polling"])

  /// - Parameters:
  ///   - elements: the lines of the verb.
  ///   - listsFacts: see `AgentTool`.
  init(_ elements: [JSONValue], listsFacts: Bool) {
    for element in elements {
      guard case .object(let object) = element else { continue }
      if object["type"]?.string == "action" || object["type"]?.string == "event" {
        add(row: object["id"])
      }
      if listsFacts { add(fact: object["id"]) }
      collect(element, isListed: false)
      if let word = object["state"]?.string, Self.states.contains(word) { state = state ?? word }
      if let coverage = object["coverage"] { read(coverage) }
      if coverageIsMissing { addTimes(of: object) }
    }
  }

  /// What the verb covers, by its own account.
  mutating func cover(_ coverage: Answer.Coverage, gaps: Int?) {
    from = coverage.fromMs.map { WireTime(milliseconds: $0).iso } ?? from
    to = coverage.toMs.map { WireTime(milliseconds: $0).iso } ?? to
    (isComplete, self.gaps) = (coverage.isComplete, gaps)
  }

  /// It is about one moment.
  mutating func cover(onlyMs ms: Int64) {
    (from, to) = (WireTime(milliseconds: ms).iso, WireTime(milliseconds: ms).iso)
  }

  /// Nothing is on record.
  mutating func findNothing() { state = state ?? Answer.State.unknown.rawValue }

  private var coverageIsMissing: Bool { isComplete == nil }

  private mutating func read(_ coverage: JSONValue) {
    from = Self.time(coverage["from"])
    to = Self.time(coverage["to"])
    isComplete = coverage["complete"]?.bool
    gaps = coverage["missing"]?.array?.count
  }

  /// The span of rows that carry times themselves.
  private mutating func addTimes(of object: JSONObject) {
    let now = Self.time(object["at"])
    if let now, let minutes = object["window_minutes"]?.double,
      let end = WireTime(iso: now)
    {
      from = WireTime(milliseconds: end.milliseconds - Int64(minutes * 60_000)).iso
      to = now
      return
    }
    for key in ["created_at", "from", "started_at", "at", "to", "ended_at"] {
      guard let time = Self.time(object[key]) else { continue }
      from = min(from ?? time, time)
      to = max(to ?? time, time)
    }
  }

  /// Ids in lists called `evidence` and `rows`, at any depth.
  private mutating func collect(_ value: JSONValue, isListed: Bool) {
    switch value {
    case .array(let elements):
      for element in elements {
        if isListed { add(row: element) }
        collect(element, isListed: isListed)
      }
    case .object(let object):
      if isListed { add(row: object["id"]) }
      for member in object.members {
        switch member.key {
        case "metadata": continue
        case "evidence", "rows": collect(member.value, isListed: true)
        case "facts":
          for fact in member.value.array ?? [] { add(fact: fact["id"]) }
        default: collect(member.value, isListed: false)
        }
      }
    default: break
    }
  }

  private mutating func add(row value: JSONValue?) {
    guard case .number(let number)? = value, let id = number.int, !rows.contains(id) else { return }
    if rows.count < Self.mostRows { rows.append(id) } else { rowsLeftOut += 1 }
  }

  private mutating func add(fact value: JSONValue?) {
    guard case .number(let number)? = value, let id = number.int, !facts.contains(id),
      facts.count < Self.mostRows
    else { return }
    facts.append(id)
  }

  /// A valid timestamp, reformatted; nil for any other value.
  private static func time(_ value: JSONValue?) -> String? {
    value?.string.flatMap { WireTime(iso: $0) }?.iso
  }
}
