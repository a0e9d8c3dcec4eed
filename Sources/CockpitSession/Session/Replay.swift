import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import HistorySource
import Networking
import TerminalCore

/// The past on the screen: a playhead over a recorded history, and the bot as it was there.
///
/// Each place to which the playhead is set has stores of its own, filled from the history; playing on adds to them.
/// The live bot goes on beside it.
@MainActor
package final class Replay {
  /// The bot at the playhead.
  package var model: CockpitModel { moment.model }
  /// Changes when `model` is another one: cursors in its rows mean nothing any more.
  package private(set) var place = 0
  package private(set) var isPlaying = false
  package private(set) var speed = 1
  package private(set) var skipsQuiet = true

  let history: any HistoryReading
  let settings: Settings
  private let name: String
  let live: CockpitModel
  private var moment: PastMoment
  private var lengthIndex = 2
  private let liveRowsAtStart: Int
  private let liveFailuresAtStart: Int
  /// What stands on the screen instead of the live bot: the name of a file and what is redacted in it.
  private let file: PlainText?
  private let command: String
  private var problem: HistoryError?
  /// The time line as of a window, so that it is not read again for every frame.
  private var known: Known?
  private var line: (window: ClosedRange<Int64>, parts: [ReplayState.Part], incidents: [Incident])?

  /// What the history says about a place of the playhead.
  private struct Known {
    var atMs: Int64
    var recorded: ClosedRange<Int64>
    var missing: String?
    /// The note of a mark there.
    var mark: String?
  }

  private static let speeds = [1, 2, 4, 8, 16, 32, 64]
  /// Stretches of time that the time line shows, in ms.
  private static let lengths: [Int64] = [
    300_000, 900_000, 3_600_000, 21_600_000, 86_400_000, 604_800_000, 2_592_000_000,
  ]
  /// Parts of the time line.
  package static let partCount = 120
  /// A stretch without rows that is passed quickly is longer than this, and takes this share of a second.
  private static let quietMs: Int64 = 2_000

  /// Opens the past at a time.
  ///
  /// - Parameters:
  ///   - live: the bot as it is now; its settings and its name are those of the past too.
  ///   - file: what there is instead of a live bot.
  ///   - command: a command line that shows this history, without a time.
  /// - Throws: if the history cannot be read or is empty.
  package init(
    _ history: any HistoryReading, atMs: Int64, opened: OpenedSource, live: CockpitModel,
    file: PlainText? = nil, command: String = ""
  ) throws(HistoryError) {
    guard try history.span() != nil else {
      throw HistoryError(.missing, "nothing is recorded of this bot yet")
    }
    self.history = history
    settings = opened.settings
    name = opened.name
    self.live = live
    self.file = file
    self.command = command
    let seen = live.bot.activity.log.totals.seen
    (liveRowsAtStart, liveFailuresAtStart) = (seen.actions, seen.failures)
    moment = PastMoment(
      history, atMs: atMs, name: name, settings: settings, real: live.bot.clock)
    moment.model.compare(with: live.past)
    moment.model.bot.start()
    note()
  }

  /// The time of the playhead, in ms since 1970 on the backend's clock.
  package var atMs: Int64 { moment.clock.wallMs }

  // MARK: Moving

  /// Goes to a time: the newest that there can be is now.
  package func seek(toMs: Int64) {
    let ms = max(0, min(toMs, live.bot.serverNowMs))
    // A short way ahead is played, so that cursors stay.
    if ms >= atMs, ms - atMs <= 60_000 {
      moment.source.play(toMs: ms)
      return note()
    }
    model.bot.source.stop()
    let scope = model.scope
    moment = PastMoment(
      history, atMs: ms, name: name, settings: settings, real: live.bot.clock)
    model.scope = scope
    model.compare(with: live.past)
    place += 1
    model.bot.start()
    note()
  }

  /// Begins to play, with the nearest speed that there is.
  package func play(speed: Int) {
    self.speed = Self.speeds.last { $0 <= speed } ?? 1
    isPlaying = true
  }

  /// Plays on by an amount of real time.
  ///
  /// - Returns: whether now was reached.
  package func play(byNs ns: UInt64) -> Bool {
    guard isPlaying else { return false }
    let nowMs = live.bot.serverNowMs
    var toMs = atMs + Int64(clamping: ns / 1_000_000) * Int64(speed)
    if skipsQuiet, let next = nextRowMs, next - toMs > Self.quietMs * Int64(speed) {
      // Half a second before it.
      toMs = next - 500 * Int64(speed)
    }
    moment.source.play(toMs: min(toMs, nowMs))
    note()
    guard atMs >= nowMs else { return false }
    isPlaying = false
    return true
  }

  /// The time of the next row of the next hour.
  private var nextRowMs: Int64? {
    reading { () throws(HistoryError) in
      try history.rows(after: atMs, through: atMs + 3_600_000, limit: 1).first?.atMs
    }
  }

  /// Carries out a wish.
  ///
  /// - Returns: what there is to say about it; nil if the screen says it.
  package func perform(_ request: ReplayRequest) -> String? {
    switch request {
    case .open, .live: return nil
    case .seek(let ms): seek(toMs: ms)
    case .seekRow(let id):
      let row = reading { () throws(HistoryError) in try history.row(actionID: id) }
      guard let row else { return problem?.description ?? "no row #\(id) is on record" }
      seek(toMs: row.atMs)
    case .seekHit(let row): seek(toMs: row.atMs)
    case .move(let ms): seek(toMs: atMs + ms)
    case .step(let isOlder): return step(isOlder: isOlder)
    case .playOrPause: isPlaying.toggle()
    case .skipQuiet: skipsQuiet.toggle()
    case .speed(let isFaster):
      let index = Self.speeds.firstIndex(of: speed) ?? 0
      speed = Self.speeds[min(max(0, index + (isFaster ? 1 : -1)), Self.speeds.count - 1)]
    case .zoom(let isIn):
      lengthIndex = min(max(0, lengthIndex + (isIn ? -1 : 1)), Self.lengths.count - 1)
    case .tenth(let tenth):
      let window = window
      let length = window.upperBound - window.lowerBound
      seek(toMs: window.lowerBound + length * Int64(min(max(0, tenth), 9)) / 10)
    case .jump(let what, let isOlder): return jump(what, isOlder: isOlder)
    case .jumpIncident: return nil  // It takes time: `jumpIncident(isOlder:)`.
    }
    return nil
  }

  /// Goes to a time and stays there.
  func stopAndSeek(toMs: Int64) {
    isPlaying = false
    seek(toMs: toMs)
  }

  private func step(isOlder: Bool) -> String? {
    let row = reading { () throws(HistoryError) in
      isOlder
        ? try history.rows(notAfterMs: atMs - 1, limit: 1, skipping: 0).first
        : try history.rows(after: atMs, through: live.bot.serverNowMs, limit: 1).first
    }
    guard let row else {
      return problem?.description
        ?? (isOlder ? "nothing older is on record" : "nothing newer is on record")
    }
    isPlaying = false
    seek(toMs: row.atMs)
    return nil
  }

  private func jump(_ what: HistoryMark, isOlder: Bool) -> String? {
    let ms = reading { () throws(HistoryError) in
      try history.next(what, from: atMs, isOlder: isOlder)
    }
    guard let ms else {
      return problem?.description
        ?? "no \(isOlder ? "older" : "newer") \(what.rawValue) is on record"
    }
    isPlaying = false
    seek(toMs: ms)
    return nil
  }

  /// Call it when marks or pins have changed: the time line is read again.
  package func notesChanged() { (known, line) = (nil, nil) }

  // MARK: What is so

  private var window: ClosedRange<Int64> {
    let length = Self.lengths[lengthIndex]
    let nowMs = live.bot.serverNowMs
    // The window moves in steps of a tenth, so that it stands still while the playhead moves.
    let step = length / 10
    let end = min((atMs / step + 5) * step, (nowMs / step + 1) * step)
    return end - length...end
  }

  /// For a frame.
  package var state: ReplayState {
    let window = window
    let known = knownOfPlace
    var state = ReplayState(
      atMs: atMs, recorded: known.recorded, window: window, liveMs: live.bot.serverNowMs)
    state.isPlaying = isPlaying
    state.speed = speed
    state.skipsQuiet = skipsQuiet
    state.parts = parts(of: window)
    state.incidents = line?.incidents ?? []
    state.missing = known.missing
    state.mark = known.mark
    state.problem = problem?.description
    state.file = file
    state.command = command
    let status = live.bot.source.status
    if status.overall != .live {
      state.liveWord = PlainText(status.overall.rawValue.uppercased())
    }
    let seen = live.bot.activity.log.totals.seen
    state.liveRows = max(0, seen.actions - liveRowsAtStart)
    state.liveFailures = max(0, seen.failures - liveFailuresAtStart)
    return state
  }

  /// What the history says about the place of the playhead, read once for each.
  private var knownOfPlace: Known {
    if let known, known.atMs == atMs { return known }
    let recorded = reading { () throws(HistoryError) in try history.span() } ?? atMs...atMs
    let mark = reading { () throws(HistoryError) in try history.marks() }?
      .last { $0.atMs == atMs }?.note
    let new = Known(atMs: atMs, recorded: recorded, missing: missing, mark: mark)
    known = new
    return new
  }

  private func parts(of window: ClosedRange<Int64>) -> [ReplayState.Part] {
    if let line, line.window == window { return line.parts }
    let parts: [ReplayState.Part] =
      reading { () throws(HistoryError) -> [ReplayState.Part]? in
        var parts = try history.density(
          after: window.lowerBound, through: window.upperBound, buckets: Self.partCount
        ).map { ReplayState.Part(rows: $0.rows, failures: $0.failures) }
        let length = window.upperBound - window.lowerBound
        for outage in try history.outages(after: window.lowerBound, through: window.upperBound) {
          let first = (outage.fromMs - window.lowerBound) * Int64(parts.count) / length
          let last = (outage.toMs - window.lowerBound) * Int64(parts.count) / length
          for index in max(0, first)...max(0, max(first, min(last, Int64(parts.count) - 1)))
          where index < parts.count { parts[Int(index)].isMissing = true }
        }
        for mark in try history.marks() where window.contains(mark.atMs) {
          let index = (mark.atMs - window.lowerBound) * Int64(parts.count) / length
          parts[Int(min(index, Int64(parts.count) - 1))].hasMark = true
        }
        for pin in try history.pins()
        where pin.toMs >= window.lowerBound && pin.fromMs <= window.upperBound {
          let first = (pin.fromMs - window.lowerBound) * Int64(parts.count) / length
          let last = (pin.toMs - window.lowerBound) * Int64(parts.count) / length
          for index in max(0, first)...max(0, max(first, last)) where index < parts.count {
            parts[Int(index)].isPinned = true
          }
        }
        return parts
      } ?? []
    let incidents = reading { () throws(HistoryError) in
      try IncidentScan(settings.rules).knownIncidents(
        history, fromMs: window.lowerBound, toMs: min(window.upperBound, live.bot.serverNowMs))
    }
    line = (window, parts, incidents ?? [])
    return parts
  }

  /// `not recorded 14:02:00-14:31:10 (recorder stopped)`
  private var missing: String? {
    let outage = reading { () throws(HistoryError) in
      try history.outages(after: atMs - 1, through: atMs).last
    }
    guard let outage, outage.toMs > atMs else { return nil }
    let clock = settings.clock
    return "not recorded \(clock.time(ms: outage.fromMs).description)"
      + "-\(clock.time(ms: outage.toMs).description) "
      + "(\(outage.reason.rawValue))"
  }

  private func note() { problem = moment.source.problem ?? problem }

  private func reading<Value>(_ body: () throws(HistoryError) -> Value?) -> Value? {
    do { return try body() } catch {
      problem = error
      return nil
    }
  }
}
