internal import CockpitHistory

/// What a sink sends in addition to rows: ids that became known after their rows were delivered, and what rules found. It is read
/// with the rows, sent when these are delivered, and its place is kept with that of the sink.
struct SideDelivery {
  private var places: HistoryNotes.SidePlaces
  private let wantsIDs: Bool
  private let wantsIncidents: Bool
  private var ids: [SinkRow] = []
  private var incidents: [SinkIncident] = []
  /// Where what waits ends; nil if nothing was read.
  private var next: HistoryNotes.SidePlaces?
  private var isSent = false

  init(_ places: HistoryNotes.SidePlaces, for target: any SinkTarget) {
    self.places = places
    wantsIDs = target.wantsIDs
    wantsIncidents = target.wantsIncidents
  }

  /// Whether there is something to send, or to keep.
  var isDue: Bool { next != nil }

  /// What is to be kept with the place of the sink; nil if nothing was sent since the last time.
  var news: HistoryNotes.SidePlaces? { isSent ? next : nil }

  mutating func kept() {
    guard let news else { return }
    places = news
    next = nil
    (ids, incidents) = ([], [])
    isSent = false
  }

  /// - Parameter seq: the number of the last row that was read.
  mutating func read(
    _ source: SinkSource, through seq: Int64, nowMs: Int64
  ) throws(HistoryError) {
    guard next == nil else { return }
    var found = places
    if wantsIDs {
      let learned = try source.learned(after: found, through: seq, nowMs: nowMs)
      ids = learned.rows.filter { $0.problem == nil && $0.actionID != nil }
      found = learned.places
    }
    if wantsIncidents {
      (incidents, found) = try source.incidents(after: found, nowMs: nowMs)
    }
    if found != places { next = found }
  }

  /// - Returns: nil if there is nothing to send.
  mutating func send(to target: any SinkTarget, nowMs: Int64) -> SinkAnswer? {
    guard next != nil else { return nil }
    // A row that is refused now was refused before, and is parked.
    var answer = Self.send(ids[...]) { target.learn($0) }
    guard case .accepted = answer else { return answer }
    answer = Self.send(incidents[...]) { target.report($0, nowMs: nowMs) }
    if case .accepted = answer { isSent = true }
    return answer
  }

  /// Sends a list, in halves where it is refused; what is refused alone is left out.
  private static func send<Element>(
    _ list: ArraySlice<Element>, _ send: (ArraySlice<Element>) -> SinkAnswer
  ) -> SinkAnswer {
    guard !list.isEmpty else { return .accepted() }
    let answer = send(list)
    guard case .refused(let reason) = answer else { return answer }
    guard list.count > 1 else { return .accepted(rejected: 1, words: reason) }
    let middle = list.startIndex + list.count / 2
    var (left, words): (Int, String?) = (0, nil)
    for half in [list[..<middle], list[middle...]] {
      let answer = Self.send(half, send)
      guard case .accepted(let rejected, let reason) = answer else { return answer }
      left += rejected
      words = words ?? reason
    }
    return .accepted(rejected: left, words: words)
  }
}
