import CockpitAnswers
import CockpitStores
import CockpitText

/// Makes a comparison of two windows: finds their times, loads their units, compares.
@MainActor
package final class CompareRun {
  package typealias Opening = @MainActor (CompareWindow.Span) async throws -> CompareLoader

  /// Opens the bot (`.all`), a file, or another bot.
  private let open: Opening
  /// How far windows without a time of their own reach back, in ms; nil for what fits them.
  private let sinceMs: Int64?
  private var here: CompareLoader?

  package init(sinceMs: Int64? = nil, open: @escaping Opening) {
    self.open = open
    self.sinceMs = sinceMs
  }

  private static let dayMs: Int64 = 86_400_000
  /// Where sessions and epochs are looked for without --since.
  private static let searchMs: Int64 = 7 * dayMs

  package func compare(
    _ a: CompareWindow, _ b: CompareWindow
  ) async throws -> ComparedSides {
    let placeB = try await loader(b.span)
    if a.span == .sameHoursBefore { return try await compareWithBaseline(a, b, placeB) }
    let placeA = try await loader(a.span)
    let look = try (look(a, placeA), look(b, placeB))
    guard placeA === placeB else {
      let left = try await side(a, placeA, of: placeA.units([look.0]))
      let right = try await side(b, placeB, of: placeB.units([look.1]))
      return ComparedSides(left, right)
    }
    let units = try await placeA.units([look.0, look.1])
    let (left, right) = try (side(a, placeA, of: units), side(b, placeB, of: units))
    return ComparedSides(left, right, changes: Self.between(left, right, units))
  }

  private func compareWithBaseline(
    _ a: CompareWindow, _ b: CompareWindow, _ place: CompareLoader
  ) async throws -> ComparedSides {
    var range = try look(b, place)
    if b.isSearched {
      let found = try await side(b, place, of: place.units([range]))
      range = found.fromMs..<found.toMs
    }
    let units = try await place.units([range] + CompareBaseline.candidates(for: range))
    let right = try side(b, place, of: units, range: range)
    let guild = try guildID(a.guild ?? b.guild, place)
    let (left, slots) = CompareBaseline.side(for: range, of: units, guild: guild)
    return ComparedSides(
      left, right, slots: slots, changes: Self.between(left, right, units))
  }

  /// The ledger from the beginning of the earlier side to the end of the later one.
  private static func between(
    _ a: CompareSide, _ b: CompareSide, _ units: CompareUnits
  ) -> [LedgerChange] {
    let range = min(a.fromMs, b.fromMs)...max(a.toMs, b.toMs)
    return units.changes.filter { range.contains($0.timeMs) }
  }

  // MARK: Places

  private func loader(_ span: CompareWindow.Span) async throws -> CompareLoader {
    switch span {
    case .file, .bot: return try await open(span)
    default:
      if let here { return here }
      let loader = try await open(.all)
      here = loader
      return loader
    }
  }

  /// The time of which rows are needed, in ms since 1970.
  private func look(
    _ window: CompareWindow, _ place: CompareLoader
  ) throws(Failure) -> Range<Int64> {
    let nowMs = place.nowMs
    let range: Range<Int64>
    switch window.span {
    case .last(let ms): range = nowMs - ms..<nowMs
    case .range(let given): range = given
    case .today: range = midnight(place)..<nowMs
    case .yesterday: range = midnight(place) - Self.dayMs..<midnight(place)
    case .session, .epoch: range = nowMs - (sinceMs ?? Self.searchMs)..<nowMs
    case .all, .bot, .sameHoursBefore: range = nowMs - (sinceMs ?? Self.dayMs)..<nowMs
    case .file(let path):
      guard let span = place.span else { throw Failure(.failed, "nothing is recorded in \(path)") }
      range = span
    }
    guard range.lowerBound < nowMs else {
      throw Failure(.usage, "a window begins before now")
    }
    return range
  }

  private func midnight(_ place: CompareLoader) -> Int64 {
    let day = "\(place.clock.day(ms: place.nowMs))"
    return QueryMoment.start(of: day, nowMs: place.nowMs, in: place.clock.queryZone)
      ?? place.nowMs - Self.dayMs
  }

  // MARK: Sides

  private func guildID(_ name: String?, _ place: CompareLoader) throws(Failure) -> String? {
    guard let name else { return nil }
    return try GuildNames.id(of: name, in: place.names.guilds)
  }

  /// - Parameter given: its time where that was found already.
  private func side(
    _ window: CompareWindow, _ place: CompareLoader, of units: CompareUnits,
    range given: Range<Int64>? = nil
  ) throws(Failure) -> CompareSide {
    let guild = try guildID(window.guild, place)
    var parts: [String] = []
    let looked = try look(window, place)
    var range = given ?? looked
    var session: String?
    switch window.span {
    case .session(let id):
      let turns = units.turns.filter { $0.sessionID?.hasPrefix(id) ?? false }
      guard let first = turns.first, let last = turns.last else {
        throw Failure(.failed, "no turn of session \(id) is on record; 'sessions' lists them")
      }
      session = first.sessionID
      if given == nil { range = first.timeMs..<last.timeMs + 1 }
      parts.append("session \(id.prefix(12))")
    case .epoch(let number):
      let epochs = Epoch.all(
        units.changes, fromMs: max(range.lowerBound, units.fromMs), toMs: place.nowMs)
      let index = epochs.count - 1 + number
      guard epochs.indices.contains(index) else {
        let count = epochs.count == 1 ? "is one epoch" : "are \(epochs.count) epochs"
        throw Failure(
          .failed, "there \(count) in this time; --since 14d looks further back, 'changes' lists")
      }
      if given == nil { range = epochs[index].range }
      let cause = epochs[index].beganWith.first.map { ", since " + $0.words } ?? ""
      parts.append("epoch \(number)\(cause)")
    default:
      if let name = Self.name(window.span, place.clock) { parts.append(name) }
    }
    if let name = window.guild { parts.append("guild \(name)") }
    if let model = window.model { parts.append("model \(model)") }
    if parts.isEmpty { parts.append("all") }
    return CompareSide(
      parts.joined(separator: ", "), [range], of: units, guild: guild, model: window.model,
      session: session)
  }

  private static func name(_ span: CompareWindow.Span, _ clock: ClockFormat) -> String? {
    switch span {
    case .last(let ms): "the last \(HistoryDuration.words(ms))"
    case .range(let range):
      "\(Figures.duration(ms: Double(range.upperBound - range.lowerBound))) from \(clock.monthDay(ms: range.lowerBound)) \(clock.time(ms: range.lowerBound))"
    case .today: "today"
    case .yesterday: "yesterday"
    case .file(let path): path.split(separator: "/").last.map(String.init)
    case .bot(let name): "bot \(name)"
    case .session, .epoch, .sameHoursBefore, .all: nil
    }
  }
}

extension CompareWindow {
  /// Whether its time is found in rows.
  fileprivate var isSearched: Bool {
    switch span {
    case .session, .epoch: true
    default: false
    }
  }
}

extension HistoryDuration {
  /// `2h`, `90m`, `3d`
  static func words(_ ms: Int64) -> String {
    for (unit, length) in [("d", 86_400_000), ("h", 3_600_000), ("m", 60_000)] as [(String, Int64)]
    where ms >= length && ms % length == 0 { return "\(ms / length)\(unit)" }
    return "\((ms + 500) / 1000)s"
  }
}
