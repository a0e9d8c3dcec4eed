import CockpitDomain
import CockpitHistory
import CockpitPanes
import CockpitRules
import CockpitStores
import CockpitText
import HistorySource
import Networking
import TerminalCore

/// The past on the screen: a playhead over recorded histories, one for each bot on the screen, and the bots as they
/// were there.
///
/// Each place to which the playhead is set has stores of its own, filled from the histories; playing on adds to them.
/// The live bots go on beside it.
@MainActor
package final class Replay {
  /// The bot at the playhead: of several the one that the tabs show.
  package var model: CockpitModel { moments[focused].model }
  /// All bots at the playhead, in the order of the parts.
  package var models: [CockpitModel] { moments.map(\.model) }
  /// Changes when `model` is another one: cursors in its rows mean nothing any more.
  package private(set) var place = 0
  package private(set) var isPlaying = false
  package private(set) var speed = 1
  package private(set) var skipsQuiet = true

  private let bots: [Part]
  /// What is read of a history that another machine has, where there is one bot; nil where every answer is at hand.
  var stretch: PastStretch?
  /// The place that is being read, and how often one was.
  var awaitedMs: Int64?
  var reads = 0
  var isReadingOn = false
  /// Called when the playhead has moved after something was read.
  package var onArrival: (() -> Void)?
  private var moments: [PastMoment] = []
  private var focused: Int
  private var lengthIndex = 2
  private var liveRowsAtStart: Int
  private var liveFailuresAtStart: Int
  /// What stands on the screen instead of the live bot: the name of a file and what is redacted in it.
  private let file: PlainText?
  private let command: String
  var problem: HistoryError?
  /// The time line as of a window, so that it is not read again for every frame.
  private var known: Known?
  var line: (window: ClosedRange<Int64>, parts: [ReplayState.Part], incidents: [Incident])?

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
  package nonisolated static let partCount = 120
  /// A stretch without rows that is passed quickly is longer than this, and takes this share of a second.
  private static let quietMs: Int64 = 2_000

  /// Opens the past at a time.
  ///
  /// - Parameters:
  ///   - bots: at least one.
  ///   - focused: the one that the tabs show.
  ///   - file: what there is instead of a live bot.
  ///   - command: a command line that shows this history, without a time.
  ///   - stretch: what was read of the only history at that time, if another machine has it.
  /// - Throws: if a history cannot be read or all are empty.
  package init(
    _ bots: [Part], focused: Int = 0, atMs: Int64, file: PlainText? = nil, command: String = "",
    stretch: PastStretch? = nil
  ) throws(HistoryError) {
    self.stretch = stretch
    guard try Self.timeLine(bots, stretch).span() != nil else {
      throw HistoryError(
        .missing, "nothing is recorded of \(bots.count == 1 ? "this bot" : "these bots") yet")
    }
    self.bots = bots
    self.focused = focused
    self.file = file
    self.command = command
    (liveRowsAtStart, liveFailuresAtStart) = (0, 0)
    (liveRowsAtStart, liveFailuresAtStart) = liveCounts
    enter(atMs)
  }

  private static func timeLine(_ bots: [Part], _ stretch: PastStretch?) -> ReplayTimeLine {
    ReplayTimeLine(
      tracks: bots.map {
        ReplayTimeLine.Track(
          name: $0.name, history: stretch ?? $0.history, rules: $0.opened.settings.rules)
      })
  }

  /// What a frame may query: nothing slower than the local disk.
  private var timeLine: ReplayTimeLine { Self.timeLine(bots, stretch) }
  /// The same over everything on record; for queries off the main thread.
  var wholeTimeLine: ReplayTimeLine { Self.timeLine(bots, nil) }
  /// The history of the bot that the tabs show; for queries off the main thread.
  var history: any HistoryReading { bots[focused].history }

  /// The settings of the bot that the tabs show.
  private var settings: Settings { bots[focused].opened.settings }
  private var live: CockpitModel { bots[focused].live }
  /// Now, on the backend's clock.
  var liveMs: Int64 { live.bot.serverNowMs }

  /// The time of the playhead, in ms since 1970 on the backend's clock.
  package var atMs: Int64 { moments[focused].clock.wallMs }

  /// Another bot is the one that the tabs show.
  package func focus(_ index: Int) {
    guard index != focused, bots.indices.contains(index) else { return }
    focused = index
    place += 1
  }

  /// Makes new stores at a time.
  private func enter(_ ms: Int64) {
    // Reading rows takes time, and the screen is shared.
    let rows = max(1000, HistorySource.rowCount / bots.count)
    moments = bots.map { bot in
      let moment = PastMoment(
        stretch ?? bot.history, atMs: ms, name: bot.opened.name, settings: bot.opened.settings,
        real: bot.live.bot.clock, rows: rows)
      moment.model.compare(with: bot.live.past)
      moment.model.bot.start()
      return moment
    }
    note()
  }

  // MARK: Moving

  /// Goes to a time: the newest that there can be is now.
  package func seek(toMs: Int64) {
    let ms = max(0, min(toMs, liveMs))
    if let stretch {
      guard stretch.holds(ms) else { return read(ms) }
      awaitedMs = nil
    }
    // A short way ahead is played, so that cursors stay.
    if ms >= atMs, ms - atMs <= 60_000 { return advance(toMs: ms) }
    show(ms)
  }

  /// Makes the bots as they were at a time anew.
  func show(_ ms: Int64) {
    stop()
    let scopes = models.map(\.scope)
    enter(ms)
    for (model, scope) in zip(models, scopes) { model.scope = scope }
    place += 1
  }

  /// The past is not shown any more.
  package func stop() {
    for moment in moments { moment.source.stop() }
  }

  private func advance(toMs ms: Int64) {
    for moment in moments { moment.source.play(toMs: ms) }
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
    let nowMs = liveMs
    var toMs = atMs + Int64(clamping: ns / 1_000_000) * Int64(speed)
    if skipsQuiet, let next = nextRowMs, next - toMs > Self.quietMs * Int64(speed) {
      // Half a second before it.
      toMs = next - 500 * Int64(speed)
    }
    if let stretch { toMs = readOn(stretch, toMs: toMs) }
    advance(toMs: min(toMs, nowMs))
    guard atMs >= nowMs else { return false }
    isPlaying = false
    return true
  }

  /// The time of the next row of the next hour.
  private var nextRowMs: Int64? {
    reading { () throws(HistoryError) in
      try timeLine.row(after: atMs, through: atMs + 3_600_000)
    }
  }

  /// Carries out a wish.
  ///
  /// - Returns: what there is to say about it; nil if the screen says it.
  package func perform(_ request: ReplayRequest) -> String? {
    switch request {
    case .open, .live: return nil
    case .seek(let ms): seek(toMs: ms)
    case .seekRow(let id) where stretch != nil:
      find("no row #\(id) is on record") { history throws(HistoryError) in
        try history.row(actionID: id)?.atMs
      }
    case .seekRow(let id):
      let row = reading { () throws(HistoryError) in
        try bots[focused].history.row(actionID: id)
      }
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
    let ms = reading { () throws(HistoryError) in
      isOlder ? try timeLine.row(before: atMs) : try timeLine.row(after: atMs, through: liveMs)
    }
    if ms == nil, stretch != nil, !isOlder {
      let (fromMs, nowMs) = (atMs, liveMs)
      find("nothing newer is on record") { history throws(HistoryError) in
        try history.rows(after: fromMs, through: nowMs, limit: 1).first?.atMs
      }
      return nil
    }
    guard let ms else {
      return problem?.description
        ?? (isOlder ? "nothing older is on record" : "nothing newer is on record")
    }
    isPlaying = false
    seek(toMs: ms)
    return nil
  }

  private func jump(_ what: HistoryMark, isOlder: Bool) -> String? {
    if stretch != nil, what != .mark {
      let fromMs = atMs
      find("no \(isOlder ? "older" : "newer") \(what.rawValue) is on record") {
        history throws(HistoryError) in
        try history.next(what, from: fromMs, isOlder: isOlder)
      }
      return nil
    }
    let ms = reading { () throws(HistoryError) in
      try timeLine.next(what, from: atMs, isOlder: isOlder)
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

  private var window: ClosedRange<Int64> { window(at: atMs) }

  func window(at atMs: Int64) -> ClosedRange<Int64> {
    Self.window(at: atMs, length: Self.lengths[lengthIndex], nowMs: liveMs)
  }

  /// What the time line shows when the past is opened at a time.
  static func firstWindow(at atMs: Int64, nowMs: Int64) -> ClosedRange<Int64> {
    window(at: atMs, length: lengths[2], nowMs: nowMs)
  }

  private static func window(at atMs: Int64, length: Int64, nowMs: Int64) -> ClosedRange<Int64> {
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
      atMs: atMs, recorded: known.recorded, window: window, liveMs: liveMs)
    state.isPlaying = isPlaying
    state.speed = speed
    state.skipsQuiet = skipsQuiet
    state.parts = parts(of: window)
    state.incidents = line?.incidents ?? []
    state.missing = known.missing
    state.mark = known.mark
    state.problem = problem?.description ?? bots.lazy.compactMap(\.history.trouble).first
    state.origin = stretch?.origin(atMs: atMs)
    state.isReading = awaitedMs != nil
    state.file = file
    state.command = command
    let status = live.bot.source.status
    if status.overall != .live {
      state.liveWord = PlainText(status.overall.rawValue.uppercased())
    }
    let seen = liveCounts
    state.liveRows = max(0, seen.rows - liveRowsAtStart)
    state.liveFailures = max(0, seen.failures - liveFailuresAtStart)
    return state
  }

  /// The rows of all live bots, and the failures among them.
  private var liveCounts: (rows: Int, failures: Int) {
    bots.reduce((0, 0)) { sum, bot in
      let seen = bot.live.bot.activity.log.totals.seen
      return (sum.0 + seen.actions, sum.1 + seen.failures)
    }
  }

  /// What the history says about the place of the playhead, read once for each.
  private var knownOfPlace: Known {
    if let known, known.atMs == atMs { return known }
    let recorded = reading { () throws(HistoryError) in try timeLine.span() } ?? atMs...atMs
    let mark = reading { () throws(HistoryError) in try timeLine.mark(at: atMs) }
    let missing = reading { () throws(HistoryError) in
      try timeLine.missingWords(at: atMs, settings.clock)
    }
    let new = Known(atMs: atMs, recorded: recorded, missing: missing, mark: mark)
    known = new
    return new
  }

  private func parts(of window: ClosedRange<Int64>) -> [ReplayState.Part] {
    if let line, line.window == window { return line.parts }
    if let stretch, !stretch.hasDensity(window) {
      count(stretch, window)
      return line?.parts ?? []
    }
    let parts = reading { () throws(HistoryError) in
      try timeLine.parts(of: window, count: Self.partCount)
    }
    let incidents = reading { () throws(HistoryError) in
      try timeLine.knownIncidents(
        fromMs: window.lowerBound, toMs: min(window.upperBound, liveMs))
    }
    line = (window, parts ?? [], incidents ?? [])
    return parts ?? []
  }

  private func note() {
    problem = moments.lazy.compactMap(\.source.problem).first ?? problem
  }

  func reading<Value>(_ body: () throws(HistoryError) -> Value?) -> Value? {
    do { return try body() } catch {
      problem = error
      return nil
    }
  }
}
