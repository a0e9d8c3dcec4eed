internal import CockpitStores

/// The outcomes of one thing, failures and successes by their times, and the runs of failures in them. Rows come
/// in any order: what follows is that of their times.
struct OutcomeHistory {
  struct Mark {
    var ms: Int64
    var row: RowID
    /// Nil for a success.
    var reason: String?
    /// Who asked for what failed, and in which channel, by id.
    var person: String?
    var channel: String?
  }

  /// Failures without a success between them.
  struct Run: Hashable {
    var count = 1
    var firstMs: Int64
    var lastMs: Int64
    var reason: String
    /// Rows of the first failures and of the last ones.
    var rows: [RowID]
    /// When it became a trouble; nil while it is none. A rule may also ask how long it lasts.
    var confirmedMs: Int64?
    /// When a success or the quiet time ended it.
    var endedMs: Int64?
    /// The last failures, for the rate.
    var recent: [Int64]
    /// The people and channels that they were for.
    var people: Set<String> = []
    var channels: Set<String> = []

    mutating func note(_ mark: Mark) {
      if let person = mark.person, people.count < maxNames { people.insert(person) }
      if let channel = mark.channel, channels.count < maxNames { channels.insert(channel) }
    }
  }

  /// Older outcomes are forgotten: a run counts all its failures while rows come in order.
  private static let maxMarks = 200
  private static let maxRows = 6
  private static let maxNames = 99
  private static let maxFinished = 4

  private var marks: [Mark] = []
  private(set) var run: Run?
  /// Runs that were troubles and have ended, oldest first.
  private(set) var finished: [Run] = []

  mutating func add(_ mark: Mark, _ rule: TriageRule.Rows) {
    let isLatest = marks.last.map { ($0.ms, $0.row) < (mark.ms, mark.row) } ?? true
    if isLatest {
      marks.append(mark)
      if marks.count > Self.maxMarks { marks.removeFirst(Self.maxMarks / 4) }
      step(mark, rule)
      return
    }
    let place = marks.firstIndex { ($0.ms, $0.row) > (mark.ms, mark.row) } ?? marks.count
    guard place > 0 || marks.count < Self.maxMarks else { return }
    marks.insert(mark, at: place)
    if marks.count > Self.maxMarks { marks.removeFirst() }
    run = nil
    finished = []
    for mark in marks { step(mark, rule) }
  }

  private mutating func step(_ mark: Mark, _ rule: TriageRule.Rows) {
    if let last = run?.lastMs, mark.ms - last > rule.quietMs {
      end(atMs: last + rule.quietMs, rule)
    }
    guard let reason = mark.reason else { return end(atMs: mark.ms, rule) }
    if var open = run {
      open.count += 1
      open.lastMs = mark.ms
      open.reason = reason
      open.rows.append(mark.row)
      if open.rows.count > Self.maxRows { open.rows.remove(at: Self.maxRows / 2) }
      open.recent.append(mark.ms)
      if open.recent.count > 32 { open.recent.removeFirst() }
      open.note(mark)
      run = open
    } else {
      var new = Run(
        firstMs: mark.ms, lastMs: mark.ms, reason: reason, rows: [mark.row], recent: [mark.ms])
      new.note(mark)
      run = new
    }
    guard let open = run, open.confirmedMs == nil else { return }
    if open.count >= rule.threshold, rule.lastsMs == 0, mark.ms - open.firstMs >= rule.spanMs {
      run?.confirmedMs = mark.ms
    }
    if let limit = rule.perMinute, open.recent.count >= limit,
      mark.ms - open.recent[open.recent.count - limit] <= 60_000
    {
      run?.confirmedMs = mark.ms
    }
  }

  private mutating func end(atMs ms: Int64, _ rule: TriageRule.Rows) {
    guard var open = run else { return }
    run = nil
    open.endedMs = ms
    guard open.isTrouble(rule, atMs: ms) else { return }
    finished.append(open)
    if finished.count > Self.maxFinished { finished.removeFirst() }
  }
}

extension OutcomeHistory.Run {
  /// Whether it is, or was, more than an accident.
  func isTrouble(_ rule: TriageRule.Rows, atMs nowMs: Int64) -> Bool {
    if confirmedMs != nil { return true }
    return rule.lastsMs > 0 && (endedMs ?? nowMs) - firstMs >= rule.lastsMs
  }
}
