import CockpitAnswers
import CockpitHistory
import CockpitSession
import CockpitText
import CockpitDomain
import Networking
import CockpitPanes
import CockpitShell
import CockpitStores
import Dispatch
import Foundation
import MainLoop
import TerminalCore

/// The cockpit for screen readers and dumb terminals: one sentence per event, in a stable order,
/// and typed commands. It writes plain text only.
@MainActor
package final class LinearApp {
  private let model: CockpitModel
  private let output: LinearOutput
  private let runner: VerbRunner
  private let verbs: ProgramVerbs
  private let loop: any EventLoop
  private let hasTerminalInput: Bool
  private var input: LinearInput?
  private var pace: LinearPace
  private var query = Query.everything
  private var isPaused = false
  /// Whether the first rows are waiting for the names of channels and users.
  private var isWaitingForNames = false
  /// Whether the first rows have been printed; from then on every new row is.
  private var hasBegun = false
  private var cursor = LogCursor(.end)
  /// The newest time printed, in ms since 1970.
  private var newestPrintedMs: Int64 = 0
  private var connectionSaid: PlainText?
  /// Troubles of the bot that were reported and not yet reported as over.
  private var troubleSaid: [TriageTrouble.ID] = []
  private var isFlushPlanned = false
  private var ticker: (any DispatchSourceTimer)?
  private var end: CheckedContinuation<Int32, Never>?
  private var endCode: Int32?

  /// How long rows are collected to be printed in time order, in ms.
  private static let collecting = 400
  /// A row older than the newest printed one by more than this is marked late, in ms.
  private static let lateness: Int64 = 2000
  /// How many recent rows are printed at the start, and on request.
  private static let recent = 5
  private static let keys = KeyTable.standard

  package init(
    model: CockpitModel, loop: any EventLoop, output: Output, isASCII: Bool, hasTerminalInput: Bool,
    verbs: ProgramVerbs
  ) {
    self.loop = loop
    self.verbs = verbs
    runner = VerbRunner(loop: loop, verbs.run)
    self.model = model
    self.hasTerminalInput = hasTerminalInput
    pace = LinearPace(nowMs: Int64(model.nowNs / 1_000_000))
    self.output = LinearOutput(output, isASCII: isASCII)
  }

  /// Runs until the user quits or a signal ends it; gives the exit code.
  package func run() async -> Int32 {
    if hasTerminalInput {
      output.say("clanky-cockpit, linear mode. Type h and Enter for help, q and Enter to quit.")
    }
    let input = LinearInput(loop: loop) { [weak self] event in self?.take(event) }
    input.start()
    self.input = input
    Task { [weak self] in
      let number = await EndSignal.first()
      self?.finish(128 + number)
    }
    follow()
    return await withCheckedContinuation { continuation in
      // The task may have been suspended before this.
      if let endCode { continuation.resume(returning: endCode) } else { end = continuation }
    }
  }

  /// Starts the source and reports what comes from it, until `finish`.
  func follow() {
    model.bot.sink.onChange = { [weak self] in self?.changed() }
    let ticker = DispatchSource.makeTimerSource(queue: .main)
    ticker.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(200))
    ticker.setEventHandler { [weak self] in
      MainActor.assumeIsolated { self?.tick() }
    }
    ticker.activate()
    self.ticker = ticker
    model.bot.start()
    sayConnection()
    startRecording()
  }

  /// Begins to write what is heard to the disk, and says so the first time.
  private func startRecording() {
    guard let recorder = model.recorder else { return }
    recorder.start()
    guard model.isFirstRecording else { return }
    output.say(
      PlainText(
        "Recording to the disk, the last \(model.recordingKeep) at least; --no-history turns it off.",
        limit: 200))
  }

  /// Ends the run with this exit code.
  func finish(_ code: Int32) {
    guard endCode == nil else { return }
    endCode = code
    input?.stop()
    ticker?.cancel()
    runner.abandon()
    output.drain()
    end?.resume(returning: code)
    end = nil
  }

  private var words: LinearText { LinearText(model.facts) }

  private func say(_ lines: [PlainText]) {
    for line in lines { output.say(line) }
  }

  // MARK: Events

  private func changed() {
    sayConnection()
    sayBot()
    guard !isFlushPlanned else { return }
    isFlushPlanned = true
    DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(Self.collecting)) {
      [weak self] in
      MainActor.assumeIsolated {
        self?.isFlushPlanned = false
        self?.flush()
      }
    }
  }

  private func tick() {
    model.bot.source.tick()
    model.judge()
    sayConnection()
    sayBot()
    guard let rest = pace.turn(nowMs: Int64(model.nowNs / 1_000_000)) else { return }
    output.say(LinearText.rest(rest))
  }

  /// Says when the connection changes, and not with each new attempt that fails the same way.
  private func sayConnection() {
    guard endCode == nil else { return }
    let sentence = words.connection()
    guard sentence != connectionSaid else { return }
    let isAttempt = model.facts.status.overall == .connecting
    // Between two failures it connects for a moment; that is no news.
    if isAttempt, connectionSaid != nil { return }
    connectionSaid = sentence
    output.say(sentence)
  }

  /// Reports when the set of the bot's troubles changes.
  private func sayBot() {
    guard endCode == nil, let troubles = words.troubles(), troubles != troubleSaid else { return }
    troubleSaid = troubles
    output.say(words.bot())
  }

  /// Prints the new rows, oldest first.
  private func flush() {
    guard endCode == nil else { return }
    model.bot.catchUpBehind(ShownData(scope: model.scope))
    let log = model.bot.activity.log
    guard hasBegun else {
      guard model.bot.connection.hasRows, !isWaitingForNames else { return }
      isWaitingForNames = true
      // A second at most: a sentence with ids is better than none.
      Task { @MainActor [weak self] in
        await self?.model.bot.waitForNames()
        self?.begin()
      }
      return
    }
    let newer = cursor.changes(in: log).newer
    guard !isPaused else { return }
    let facts = model.facts
    let words = LinearText(facts)
    var rows: [ActionRowView] = []
    for id in newer {
      guard let row = log.row(id), LinearText.isReported(row), passes(row, facts.nowMs) else {
        continue
      }
      rows.append(row)
    }
    rows.sort(by: isBefore)
    for row in rows where pace.admits(isError: row.isFailure) {
      let isLate = row.timeMs < newestPrintedMs - Self.lateness
      guard let line = words.row(row, isLate: isLate) else { continue }
      newestPrintedMs = max(newestPrintedMs, row.timeMs)
      output.say(line)
    }
  }

  /// Prints the initial state.
  private func begin() {
    guard endCode == nil, !hasBegun else { return }
    if let problem = model.findGuild() {
      output.say(PlainText(problem, limit: 400) + " All guilds are told of.")
    }
    model.bot.catchUpFully(ShownData(scope: model.scope))
    model.judgeFully()
    let log = model.bot.activity.log
    hasBegun = true
    _ = cursor.changes(in: log)
    let known = model.facts.scopeName.map { " of " + $0 } ?? ""
    output.say(
      Figures.count(log.count(in: model.scope)) + " actions" + known + " are known. The newest:")
    tellRecent()
  }

  private func isBefore(_ left: ActionRowView, _ right: ActionRowView) -> Bool {
    (left.timeMs, left.actionID ?? .max, left.id)
      < (right.timeMs, right.actionID ?? .max, right.id)
  }

  /// - Parameter nowMs: on the backend's clock.
  private func passes(_ row: ActionRowView, _ nowMs: Int64) -> Bool {
    guard row.isIn(model.scope) else { return false }
    return row.isGap || query.isEmpty
      || query.matches(row, names: model.bot.connection.names, nowMs: nowMs)
  }

  private func tellRecent() {
    let nowMs = model.facts.nowMs
    tell(limit: Self.recent) { LinearText.isReported($0) && !$0.isGap && passes($0, nowMs) }
  }

  /// Prints the newest matching rows, oldest first.
  private func tell(limit: Int, where isWanted: (ActionRowView) -> Bool) {
    let log = model.bot.activity.log
    var rows: [ActionRowView] = []
    for index in 0..<log.count where rows.count < limit {
      let row = log.row(at: index)
      if isWanted(row) { rows.append(row) }
    }
    guard !rows.isEmpty else { return output.say("No action is known that fits.") }
    let words = words
    for row in rows.sorted(by: isBefore) {
      guard let line = words.row(row) else { continue }
      newestPrintedMs = max(newestPrintedMs, row.timeMs)
      output.say(line)
    }
  }

  // MARK: Typed lines

  private func take(_ event: LinearInput.Event) {
    switch event {
    case .line(let line): read(line)
    case .end:
      // A closed terminal has no listener; a closed pipe never had commands.
      if hasTerminalInput { finish(0) }
    }
  }

  private func read(_ line: String) {
    var line = line.trimmingCharacters(in: .whitespaces)
    if line.hasPrefix(":") { line = String(line.dropFirst()) }
    switch line {
    case "": return
    case "s", "status":
      model.judgeFully()
      return say(words.status())
    case "w", "why":
      model.bot.catchUp(ShownData(scope: model.scope, hasVoice: true))
      return say(words.why())
    case "h", "help", "?": return say(LinearText.help)
    case "f", "filter":
      query = .everything
      return output.say("Everything is told.")
    default: break
    }
    let reader = LineReader(
      verbs: verbs.table(), keys: Self.keys, facts: model.facts, hasScreen: false)
    do throws(LineProblem) {
      guard let action = try reader.read(line) else { return }
      carryOut(action, line)
    } catch {
      output.say(PlainText(error.sentence, limit: 600))
    }
  }

  private func carryOut(_ action: LineAction, _ line: String) {
    switch action {
    case .command(let command): perform(command, line)
    case .filter(let text, _):
      let query: Query
      do throws(QueryError) {
        query = try Query.parse(
          piped: text, in: model.facts.clock.queryZone, views: model.facts.setup.views)
      } catch {
        return output.say(PlainText(error.description, limit: 300))
      }
      guard query.pipeline == nil else {
        return output.say(
          "A table needs the screen or the verb: actions --filter '" + PlainText(text, limit: 300)
            + "'")
      }
      self.query = query
      output.say("Only what matches is told: " + PlainText(text, limit: 300))
    case .guild(let guild):
      model.scope = GuildScope(guild)
      let name = model.facts.scopeName
      output.say(
        name.map { "Only " + $0 + " is told of; guild off tells of all." }
          ?? "All guilds are told of.")
    case .find(let text):
      guard let find = LogFind(text: text, names: model.bot.connection.names) else { return }
      tell(limit: 2 * Self.recent) { !$0.isGap && $0.isIn(model.scope) && find.matches($0) }
    case .tab(let tab): perform(tab == .voice ? .voice : .pulse, line)
    case .verb(let words): run(words)
    case .facts, .fact, .sessions, .session, .theme, .profile, .slash, .saveView, .why, .goTo,
      .goToMark, .goToRow, .searchHistory, .level, .digest, .bundle, .alarm, .keep, .source:
      needsScreen(line)
    }
  }

  private func perform(_ command: KeyAction, _ line: String) {
    switch command {
    case .quit, .interrupt: finish(0)
    case .pulse: tellRecent()
    case .voice: say(words.voice())
    case .pause:
      isPaused = true
      output.say("Nothing is told until follow.")
    case .follow:
      isPaused = false
      output.say("What happens is told again.")
    case .refresh:
      output.say("Trying the connection now.")
      connectionSaid = nil
      model.bot.source.retryNow()
    case .why: say(words.why())
    case .digest: run(["digest"])
    case .help: say(LinearText.help)
    default: needsScreen(line)
    }
  }

  private func needsScreen(_ line: String) {
    output.say(
      PlainText(line, limit: 60) + " needs the screen; h says what works here.")
  }

  private func run(_ words: [String]) {
    let invocation = model.invocation
    runner.run(
      invocation.arguments(words, verbs.table(), scope: model.scope), of: invocation, on: .linear
    ) { [weak self] output, end in
      guard let self else { return }
      say(PlainText.lines(String(decoding: output, as: UTF8.self)))
      if let sentence = end.sentence { self.output.say(sentence) }
    }
  }
}
