internal import ClankyWire
internal import LenientJSON

/// Which turn each row belongs to and what it weighs; each row is read once.
///
/// Rows are linked by the ids that they name; those of voice as the turns of their session have them.
/// What names none is linked by place, person and time, and marked as such.
@MainActor
struct FeedTurns {
  struct Entry {
    /// The number of its turn; -1 if it belongs to none.
    var turn: Int32 = -1
    var weight: FeedWeight
    /// Whether it was linked by place and time alone.
    var isInferred = false
    /// Whether it tells of a tool that a row of the voice session tells of too.
    var isService = false
    /// Whether a line of the feed shows it, by itself or in a run.
    var isShown = false
    /// Equal for rows that say the same.
    var run: Int

    /// The row of the session tells it already.
    mutating func lighten() {
      if weight == .story { weight = .step }
    }
  }

  struct Turn {
    var keys: [FeedTurnKey]
    var rows: [RowID] = []

    var isOfVoice: Bool {
      if case .voice = keys.first { true } else { false }
    }
  }

  private(set) var entries = RowTable<Entry>()
  private(set) var turns: [Turn] = []
  /// Turns and rows without a turn that changed since `takeChanges`.
  private var changedTurns: Set<Int> = []
  private var changedRows: Set<RowID> = []
  /// Rows that were read, or went to another turn, since then: runs may begin or end at them.
  private var movedRows: Set<RowID> = []

  private var numbers: [FeedTurnKey: Int] = [:]
  private var free: [Int] = []
  private var places: [Place: Traces] = [:]
  /// The turns of rows in voice that have not been read yet.
  private var early: [RowID: FeedTurnKey] = [:]
  private var seen: [String: Seen] = [:]
  /// Rows before this one were evicted.
  private var first: RowID = 0

  /// Somebody in a channel.
  private struct Place: Hashable {
    var channel: String
    var user: String
  }

  /// What was seen at a place, for rows that name no message; oldest first.
  private struct Traces {
    var anchors: [(timeMs: Int64, row: RowID, key: FeedTurnKey)] = []
    var loose: [(timeMs: Int64, row: RowID)] = []
  }

  /// How far a voice session was read.
  private struct Seen {
    var revision: Int
    var restarts: Int
    /// The number of its events, dropped ones included.
    var count: Int
  }

  /// Rows of a turn; what one message sets off is far less.
  private static let maxRows = 1000
  /// How long after a row of a message a row that names none may follow, in ms.
  private static let reachMs: Int64 = 300_000
  private static let maxTraces = 64

  // MARK: Reading rows

  /// Reads a row for the first time, or again.
  mutating func take(_ row: ActionRowView) {
    movedRows.insert(row.id)
    let isShown = entries[row.id]?.isShown ?? false
    let before = entries[row.id]?.turn ?? -1
    guard !row.isGap else {
      entries[row.id] = Entry(weight: .story, isShown: isShown, run: row.id)
      changedRows.insert(row.id)
      return
    }
    let kind = row.kind
    let isDecision = row.label.event.map(FeedWeight.decisions.contains) ?? false
    let isLinked = Self.namesMessages(kind)
    let metadata = isLinked || isDecision ? Self.metadata(of: row) : .null
    let weight = FeedWeight(
      row.label, severity: row.severity, isDenied: isDecision && metadata["allow"]?.bool == false)
    var entry = Entry(
      weight: weight, isService: Self.isService(kind), isShown: isShown,
      run: Self.run(row, weight))
    entry.turn = before
    if before >= 0, entry.isService, turns[Int(before)].isOfVoice { entry.lighten() }
    entries[row.id] = entry
    if before < 0 { changedRows.insert(row.id) } else { changedTurns.insert(Int(before)) }
    if let key = early.removeValue(forKey: row.id) {
      link(row.id, to: key)
    } else if before < 0, isLinked, metadata["sessionId"]?.string == nil {
      link(row, kind, metadata)
    }
  }

  private static let linkedPrefixes = [
    "llm_", "memory_", "search_", "image_", "gif_", "video_", "browser_", "code_agent_",
  ]
  private static let linkedKinds: Set<String> = [
    "text_runtime", "sent_reply", "sent_message", "reply_skipped", "reacted",
  ]

  private static func namesMessages(_ kind: String) -> Bool {
    linkedKinds.contains(kind) || linkedPrefixes.contains { kind.hasPrefix($0) }
  }

  private static func isService(_ kind: String) -> Bool {
    kind.hasPrefix("search_") || kind.hasPrefix("browser_browse") || kind == "music_player"
  }

  private static let members = RowTriggers.members.union(["allow"])

  private static func metadata(of row: ActionRowView) -> JSONValue {
    row.withScan { $0.metadata(members, in: $1) } ?? .null
  }

  /// Rows are equal if they say the same; those of noise if the same happens to the same.
  private static func run(_ row: ActionRowView, _ weight: FeedWeight) -> Int {
    var hasher = Hasher()
    hasher.combine(row.record.label)
    hasher.combine(row.record.place)
    hasher.combine(row.record.user)
    if weight != .noise { hasher.combine(row.content()) }
    return hasher.finalize()
  }

  private mutating func link(_ row: ActionRowView, _ kind: String, _ metadata: JSONValue) {
    var ids = RowTriggers.ids(kind: kind, messageID: row.messageID, metadata: metadata)
    if ids.isEmpty, RowTriggers.sentKinds.contains(kind), let own = row.messageID { ids = [own] }
    let place = row.channelID.flatMap { channel in
      row.userID.map { Place(channel: channel, user: $0) }
    }
    guard let first = ids.first else {
      if let place, Self.mayFollow(kind) { linkByTime(row, at: place) }
      return
    }
    link(row.id, to: .message(first))
    for other in ids.dropFirst() { join(.message(other), with: .message(first)) }
    if let place, kind == "text_runtime" || kind == "llm_call" {
      addAnchor(.message(first), row, place)
    }
  }

  // MARK: Linking

  /// Puts a row into a turn, and takes it out of the one that it was in.
  private mutating func link(_ row: RowID, to key: FeedTurnKey, isInferred: Bool = false) {
    guard var entry = entries[row] else { return }
    let number = number(of: key)
    guard entry.turn != number || entry.isInferred != isInferred else { return }
    if entry.turn != number {
      guard turns[number].rows.count < Self.maxRows else { return }
      remove(row, from: Int(entry.turn))
      turns[number].rows.append(row)
    }
    entry.turn = Int32(number)
    entry.isInferred = isInferred
    if turns[number].isOfVoice, entry.isService { entry.lighten() }
    entries[row] = entry
    movedRows.insert(row)
    changedRows.remove(row)
    changedTurns.insert(number)
  }

  private mutating func number(of key: FeedTurnKey) -> Int {
    if let known = numbers[key] { return known }
    let number = free.popLast() ?? turns.count
    if number == turns.count {
      turns.append(Turn(keys: [key]))
    } else {
      turns[number] = Turn(keys: [key])
    }
    numbers[key] = number
    return number
  }

  private mutating func remove(_ row: RowID, from turn: Int) {
    guard turn >= 0 else { return }
    turns[turn].rows.removeAll { $0 == row }
    changedTurns.insert(turn)
  }

  /// Two messages that are answered together are one turn.
  private mutating func join(_ other: FeedTurnKey, with key: FeedTurnKey) {
    let target = number(of: key)
    guard let known = numbers[other] else {
      numbers[other] = target
      turns[target].keys.append(other)
      return
    }
    guard known != target else { return }
    for row in turns[known].rows where entries[row] != nil { entries[row]?.turn = Int32(target) }
    movedRows.formUnion(turns[known].rows)
    turns[target].rows += turns[known].rows
    for key in turns[known].keys { numbers[key] = target }
    turns[target].keys += turns[known].keys
    turns[known] = Turn(keys: [])
    free.append(known)
    changedTurns.remove(known)
    changedTurns.insert(target)
  }

  private static func mayFollow(_ kind: String) -> Bool {
    !kind.hasPrefix("code_agent_") && kind != "llm_call" && !kind.hasPrefix("memory_reflection")
  }

  private mutating func linkByTime(_ row: ActionRowView, at place: Place) {
    var traces = places[place] ?? Traces()
    let index = traces.loose.firstIndex { $0.timeMs > row.timeMs } ?? traces.loose.count
    traces.loose.insert((row.timeMs, row.id), at: index)
    if traces.loose.count > Self.maxTraces { traces.loose.removeFirst() }
    places[place] = traces
    settle(row.id, atMs: row.timeMs, traces)
  }

  private mutating func settle(_ row: RowID, atMs timeMs: Int64, _ traces: Traces) {
    guard let anchor = traces.anchors.last(where: { $0.timeMs <= timeMs }),
      timeMs - anchor.timeMs <= Self.reachMs, numbers[anchor.key] != nil
    else { return }
    link(row, to: anchor.key, isInferred: true)
  }

  private mutating func addAnchor(_ key: FeedTurnKey, _ row: ActionRowView, _ place: Place) {
    var traces = places[place] ?? Traces()
    let timeMs = row.timeMs
    let index =
      traces.anchors.firstIndex { ($0.timeMs, $0.row) > (timeMs, row.id) }
      ?? traces.anchors.count
    traces.anchors.insert((timeMs, row.id, key), at: index)
    if traces.anchors.count > Self.maxTraces { traces.anchors.removeFirst() }
    places[place] = traces
    for loose in traces.loose where loose.timeMs >= timeMs {
      settle(loose.row, atMs: loose.timeMs, traces)
    }
  }

  // MARK: Voice

  /// Whether a voice session has changed since its turns were taken over.
  func isBehind(_ voice: VoiceStore) -> Bool {
    voice.log.records.contains { seen[$0.key]?.revision != $0.value.revision }
  }

  /// Takes over the turns of voice sessions that changed.
  mutating func follow(_ voice: VoiceStore) {
    for (id, record) in voice.log.records {
      let before = seen[id]
      guard before?.revision != record.revision else { continue }
      record.process()
      let known = before?.restarts == record.restarts ? before?.count ?? 0 : 0
      // The turns of the last events are not settled.
      let start = max(0, known - record.dropped - 4 * VoiceSessionRecord.tail)
      seen[id] = Seen(
        revision: record.revision, restarts: record.restarts,
        count: record.dropped + record.events.count)
      for index in min(start, record.events.count)..<record.events.count {
        guard let row = record.events[index].rowID, row >= first,
          let turn = record.answeredTurnID(at: index)
        else { continue }
        let key = FeedTurnKey.voice(session: id, turn: turn)
        if entries[row] == nil { early[row] = key } else { link(row, to: key) }
      }
    }
    if seen.count > 4 * VoiceEventLog.maxSessions {
      seen = seen.filter { voice.log.records[$0.key] != nil }
    }
  }

  // MARK: Forgetting

  /// Forgets rows that were evicted.
  ///
  /// - Returns: whether lines showed some of them.
  mutating func evict(before row: RowID) -> Bool {
    guard row > first else { return false }
    var hasShown = false
    var touched: Set<Int> = []
    entries.removeAll(before: row) { old, entry in
      hasShown = hasShown || entry.isShown
      if entry.turn >= 0 { touched.insert(Int(entry.turn)) }
    }
    if !changedRows.isEmpty { changedRows = changedRows.filter { $0 >= row } }
    if !movedRows.isEmpty { movedRows = movedRows.filter { $0 >= row } }
    for turn in touched {
      turns[turn].rows.removeAll { $0 < row }
      changedTurns.insert(turn)
      guard turns[turn].rows.isEmpty else { continue }
      for key in turns[turn].keys { numbers[key] = nil }
      turns[turn] = Turn(keys: [])
      free.append(turn)
      changedTurns.remove(turn)
    }
    first = row
    if !early.isEmpty { early = early.filter { $0.key >= row } }
    if places.count > 4096 { places = [:] }
    return hasShown
  }

  mutating func restart() { self = FeedTurns() }

  // MARK: Reading

  func number(_ key: FeedTurnKey) -> Int? { numbers[key] }

  mutating func setShown(_ row: RowID, _ isShown: Bool) {
    if entries[row] != nil { entries[row]?.isShown = isShown }
  }

  mutating func noteChange(turn: Int) { changedTurns.insert(turn) }
  mutating func noteChange(row: RowID) { changedRows.insert(row) }
  mutating func noteMove(row: RowID) { movedRows.insert(row) }

  /// What changed since the last call: turns, rows without a turn, and rows at which runs may begin or end.
  mutating func takeChanges() -> (turns: Set<Int>, rows: Set<RowID>, moved: Set<RowID>) {
    defer { (changedTurns, changedRows, movedRows) = ([], [], []) }
    return (changedTurns, changedRows, movedRows)
  }
}
