internal import CockpitText
internal import LenientJSON
internal import TerminalCore

/// A person in a voice session.
struct SessionPerson: Hashable, Sendable {
  var session: String
  var person: String

  /// nil if the row names no session.
  init?(_ row: RuleRow) {
    guard let session = row.sessionID else { return nil }
    self.session = session
    person = row.userID ?? ""
  }
}

/// Rows of the last while, oldest first.
struct RecentRows: Sendable {
  private(set) var rows: [RuleRow] = []

  /// Adds a row, and forgets those older than `withinMs` before it.
  mutating func add(_ row: RuleRow, withinMs: Int64) {
    rows.append(row)
    rows.removeAll { row.timeMs - $0.timeMs > withinMs }
  }
  mutating func removeAll() { rows.removeAll() }
  var count: Int { rows.count }
  var citations: [Citation] { rows.map(\.cite) }
}

/// Things that wait for something until a time. Decided in the order of their times.
struct Waiting<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private var items: [Key: (dueMs: Int64, order: Int, value: Value)] = [:]
  private var next = 0
  private(set) var deadlineMs: Int64?

  var isEmpty: Bool { items.isEmpty }
  var count: Int { items.count }
  var keys: [Key] { items.keys.sorted { (items[$0]?.order ?? 0) < (items[$1]?.order ?? 0) } }

  subscript(key: Key) -> Value? { items[key]?.value }

  mutating func wait(_ key: Key, _ value: Value, untilMs: Int64) {
    let before = items.updateValue((untilMs, next, value), forKey: key)
    next += 1
    if let before, before.dueMs == deadlineMs {
      refresh()
    } else {
      deadlineMs = min(deadlineMs ?? .max, untilMs)
    }
  }

  /// Changes a value; its time stays.
  mutating func change(_ key: Key, _ body: (inout Value) -> Void) {
    guard var item = items[key] else { return }
    body(&item.value)
    items[key] = item
  }

  @discardableResult
  mutating func remove(_ key: Key) -> Value? {
    guard let item = items.removeValue(forKey: key) else { return nil }
    if item.dueMs == deadlineMs { refresh() }
    return item.value
  }

  mutating func removeAll(where isMeant: (Key, Value) -> Bool) {
    let gone = items.compactMap { isMeant($0.key, $0.value.value) ? $0.key : nil }
    guard !gone.isEmpty else { return }
    for key in gone { items[key] = nil }
    refresh()
  }

  /// Those that are due, the longest due first, which are removed.
  mutating func due(_ nowMs: Int64) -> [(dueMs: Int64, value: Value)] {
    let found = items.filter { $0.value.dueMs <= nowMs }
      .sorted { ($0.value.dueMs, $0.value.order) < ($1.value.dueMs, $1.value.order) }
    for item in found { items[item.key] = nil }
    refresh()
    return found.map { ($0.value.dueMs, $0.value.value) }
  }

  private mutating func refresh() { deadlineMs = items.values.lazy.map { $0.dueMs }.min() }
}

/// Durations of the last runs, for a percentile by nearest rank.
struct RecentDurations: Sendable {
  private(set) var values: [Int] = []
  var limit = 200

  mutating func add(_ ms: Int) {
    values.append(ms)
    if values.count > limit { values.removeFirst() }
  }
  func percentile(_ share: Double) -> Int? {
    guard !values.isEmpty else { return nil }
    let rank = max(1, Int((share * Double(values.count)).rounded(.up)))
    return values.sorted()[min(rank, values.count) - 1]
  }
  var median: Int? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Words of sentences.
enum RuleWords {
  static func duration(_ ms: Int64) -> String { Figures.duration(ms: Double(ms)).description }
  static func duration(_ ms: Int) -> String { duration(Int64(ms)) }

  /// Words of a person, short and quoted.
  static func quoted(_ text: String?, limit: Int = 60) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return text.count > limit ? "'\(text.prefix(limit - 1))…'" : "'\(text)'"
  }

  /// Whether a text has words, markers in brackets such as `[[SOUNDBOARD:…]]` left out.
  static func hasWords(_ text: String?) -> Bool {
    guard let text else { return false }
    var depth = 0
    for character in text {
      switch character {
      case "[": depth += 1
      case "]": depth = max(0, depth - 1)
      default: if depth == 0, character.isLetter || character.isNumber { return true }
      }
    }
    return false
  }
}
