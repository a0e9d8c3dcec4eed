internal import CockpitHistory

/// The ids that became known after a sink had delivered their rows: read beside the rows, sent when these are
/// delivered, and kept with the place of the sink.
struct LearnedIDs {
  private var places: HistoryNotes.LearnedPlaces
  private let isWanted: Bool
  private var waiting: [SinkRow] = []
  /// Where `waiting` ends; nil if nothing was read.
  private var next: HistoryNotes.LearnedPlaces?
  private var isSent = false

  init(_ places: HistoryNotes.LearnedPlaces, isWanted: Bool) {
    self.places = places
    self.isWanted = isWanted
  }

  /// Whether there is something to send, or to keep.
  var isDue: Bool { next != nil }

  /// What is to be kept with the place of the sink; nil if nothing was sent since the last time.
  var news: HistoryNotes.LearnedPlaces? { isSent ? next : nil }

  mutating func kept() {
    guard let news else { return }
    places = news
    next = nil
    waiting = []
    isSent = false
  }

  /// - Parameter seq: the number of the last row that was read.
  mutating func read(
    _ source: SinkSource, through seq: Int64, nowMs: Int64
  ) throws(HistoryError) {
    guard isWanted, next == nil else { return }
    let found = try source.learned(after: places, through: seq, nowMs: nowMs)
    guard found.places != places else { return }
    waiting = found.rows.filter { $0.problem == nil && $0.actionID != nil }
    next = found.places
  }

  /// - Returns: nil if there is nothing to send.
  mutating func send(to target: any SinkTarget) -> SinkAnswer? {
    guard next != nil else { return nil }
    let answer = Self.send(waiting[...], to: target)
    if case .accepted = answer { isSent = true }
    return answer
  }

  /// A row that is refused now was refused before, and is parked: it is left out.
  private static func send(_ rows: ArraySlice<SinkRow>, to target: any SinkTarget) -> SinkAnswer {
    guard !rows.isEmpty else { return .accepted() }
    let answer = target.learn(rows)
    guard case .refused = answer else { return answer }
    guard rows.count > 1 else { return .accepted() }
    let middle = rows.startIndex + rows.count / 2
    for half in [rows[..<middle], rows[middle...]] {
      let answer = send(half, to: target)
      guard case .accepted = answer else { return answer }
    }
    return .accepted()
  }
}
