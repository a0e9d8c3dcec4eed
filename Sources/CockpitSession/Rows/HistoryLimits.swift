import ClankyWire
import CockpitText
import CockpitDomain
import CockpitStores

/// Which rows may not have come, because the backend gives 1,000 in one answer and nothing tells it to
/// go further back (contract 3.2). A full answer says only that there may be more.
package struct HistoryLimits {
  /// Rows that an answer may have left out.
  struct Cut {
    var part: FillPart
    /// Those before this time; nil if none came.
    var beforeMs: Int64?
    /// The answer had too many bytes rather than too many rows.
    var isTooLarge: Bool
    /// Only rows of guilds that were not requested one by one.
    var isRest: Bool
  }

  /// The newest row of the first answer.
  struct Newest {
    var id: Int
    var timeMs: Int64
  }

  private var cuts: [Cut] = []
  /// Rows before this time are there only of the kinds that could be named; nil if all are.
  var unknownKindsBeforeMs: Int64?
  /// The first answer, if it was for all rows.
  var newest: Newest?

  /// A row may be stored a moment after the ones that came later.
  private static let slackMs: Int64 = 5000

  mutating func cut(
    _ part: FillPart, beforeMs: Int64? = nil, isTooLarge: Bool, isRest: Bool = false
  ) {
    cuts.append(Cut(part: part, beforeMs: beforeMs, isTooLarge: isTooLarge, isRest: isRest))
  }

  /// Whether rows from this time on may be missing. The backend counts its rows, so none is when no id is.
  func matters(sinceMs: Int64, among rows: () -> [ActionRowView]) -> Bool {
    guard !cuts.isEmpty || unknownKindsBeforeMs != nil else { return false }
    guard let newest else { return true }
    var times: [Int: Int64] = [:]
    for row in rows() { row.actionID.map { times[$0] = row.timeMs } }
    // Ids that do not grow with time tell nothing about time.
    guard var time = times[newest.id], time >= newest.timeMs - Self.slackMs else { return true }
    var id = newest.id
    while let before = times[id - 1] {
      id -= 1
      time = before
    }
    return id > 1 && time >= sinceMs - Self.slackMs
  }

  /// From when on no row of a kind that can be named is missing; both in ms since 1970.
  func wholeSinceMs(_ sinceMs: Int64) -> Int64 {
    cuts.reduce(sinceMs) { max($0, $1.beforeMs ?? .max) }
  }

  /// What may be missing from this time on, a sentence for each cause; see `PastActions.missing`.
  func sentences(
    _ clock: ClockFormat, sinceMs: Int64, isWanted: (String?) -> Bool
  ) -> [String] {
    let cuts = cuts.compactMap { cut -> Cut? in
      var cut = cut
      cut.part.kinds.removeAll { !isWanted($0) }
      return cut.part.kinds.isEmpty || cut.beforeMs ?? .max <= sinceMs ? nil : cut
    }
    var sentences: [String] = []
    let tooLong = cuts.filter { $0.isTooLarge && !$0.isRest }
    if !tooLong.isEmpty {
      sentences.append(
        "Not all actions: these are longer than is read of one answer: \(list(tooLong, clock)). A shorter --since may get them."
      )
    }
    let tooMany = cuts.filter { !$0.isTooLarge || $0.isRest }
    if !tooMany.isEmpty {
      sentences.append(
        "Actions may be missing: the backend gives at most \(Figures.count(ActionsRoute.rowLimit)) of a kind and guild in one answer, and these may be more: \(list(tooMany, clock)). A shorter --since gets all."
      )
    }
    if let beforeMs = unknownKindsBeforeMs, beforeMs > sinceMs, isWanted(nil) {
      let time = beforeMs < .max ? " before " + Self.moment(beforeMs, clock) : ""
      sentences.append(
        "Actions of kinds that this program does not know may be missing\(time): they can only be asked for by name, with --kinds. A shorter --since gets all."
      )
    }
    return sentences
  }

  private func list(_ cuts: [Cut], _ clock: ClockFormat) -> String {
    cuts.map { cut in
      var words = cut.part.kinds.joined(separator: ", ")
      if let guild = cut.part.guild { words += " of guild \(guild)" }
      if cut.isRest { words += " of no or another guild" }
      return cut.beforeMs.map { words + " before " + Self.moment($0, clock) } ?? words
    }.joined(separator: ", ")
  }

  /// A time, with its day where that is not today's.
  package static func moment(_ ms: Int64, _ clock: ClockFormat, nowMs: Int64) -> String {
    clock.day(ms: ms) == clock.day(ms: nowMs) ? "\(clock.time(ms: ms))" : moment(ms, clock)
  }

  private static func moment(_ ms: Int64, _ clock: ClockFormat) -> String {
    "\(clock.day(ms: ms)) \(clock.time(ms: ms))"
  }
}
