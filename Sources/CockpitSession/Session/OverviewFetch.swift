import CockpitAnswers
import CockpitDomain
import ClankySource
import CockpitText
import CurlTransport
import Networking
import ClankyWire
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// One round of requests for an overview: three in parallel, and at most two more to fill in the
/// rest. It opens no stream.
@MainActor
package final class OverviewFetch {
  /// The most rows that the backend lists (contract 3.2).
  private static let actionLimit = 1000

  /// The newest rows that an overview lists.
  package enum Rows: Sendable {
    case none
    case ofHour
    /// So many, also when the last hour has fewer.
    case atLeast(Int)
  }

  private let requests: any RequestChannel
  /// How far the backend's clock is ahead, in ms, as far as answers told.
  private let skew: @MainActor () -> Int?
  private let stop: @MainActor () -> Void
  /// A demo ends with it; nil in the past.
  private let backend: Backend?
  private let settings: Settings
  private let clock: any LinkClock
  /// The id of the guild that is meant; nil for all, and until its name was looked up.
  private var guild: String?
  /// Why the guild that was named is none.
  private var guildProblem: Failure?
  private let rows: Rows

  private var overview: BotOverview
  /// Names of channels from before, and of people from the live sessions.
  private var names: NameTable
  /// Answers that are read when all names are there.
  /// Rows of the last hour, if they were asked for.
  package private(set) var hourOfActions: AnsweredRows?
  private var runtime: Runtime?
  private var voice: VoiceState?
  private var newestActions: AnsweredRows?
  /// The rows behind the promises, by what is promised.
  private var promised: [PromisedRows] = []
  private var open = 0
  /// At least one answer could only come from a Clanky backend.
  private var isUnderstood = false
  /// Answers that no Clanky backend would send.
  private var foreignAnswers = 0
  private var failures: [LinkFailure] = []
  /// The backend's reasons for rejecting requests.
  private var refusals: [LinkFailure] = []
  private var missing: [String] = []
  private var done: (@MainActor (BotOverview) -> Void)?

  /// - Parameter channels: names that are known already, by id.
  package init(_ backend: Backend, rows: Rows, channels: [String: String] = [:]) {
    let link = backend.link(streams: [])
    self.backend = backend
    requests = link
    skew = { link.status.skewMs }
    stop = { link.stop() }
    (settings, clock, self.rows) = (backend.settings, backend.clock, rows)
    names = NameTable(channels: channels)
    overview = BotOverview(
      health: .healthy, backend: backend.url.description, takenAtMs: backend.clock.wallMs)
  }

  /// The overview of a moment that was recorded.
  package init(_ past: RecordedPast, _ answers: RecordedAnswers, rows: Rows) {
    requests = answers
    backend = nil
    skew = { 0 }
    stop = { answers.stop() }
    (settings, clock, self.rows) = (past.settings, answers.clock, rows)
    names = NameTable(channels: [:])
    overview = BotOverview(health: .healthy, backend: past.name, takenAtMs: past.nowMs)
  }

  /// Sends the requests and returns what is known after at most `milliseconds`.
  ///
  /// - Throws: if the task was cancelled.
  package func run(withinMs milliseconds: Int) async throws(Failure) -> BotOverview {
    let end = clock.nowNs + UInt64(max(1, milliseconds)) * 1_000_000
    let result = await awaitCallback(ifCancelled: overview) { done in
      self.done = done
      guard let text = settings.guild else { return askAll(until: end) }
      let isID = GuildScope.isID(text)
      if isID {
        guild = text
        overview.guildID = text
      }
      // An id alone can do without its name.
      ask(isID ? nil : "The guilds", GuildNames.target, until: end) { [self] body in
        guard let guilds = GuildNames.read(body) else { return false }
        do throws(Failure) {
          let id = try GuildNames.id(of: text, in: guilds)
          guild = id
          (overview.guildID, overview.guild) = (id, guilds[id])
          if !isID { askAll(until: end) }
        } catch { guildProblem = error }
        return true
      }
      if isID { askAll(until: end) }
    }
    if let guildProblem { throw guildProblem }
    if Task.isCancelled { throw .interrupted }
    return result
  }

  private func askAll(until end: UInt64) {
    ask("The state of health", RequestTarget(["api", "health"]), until: end) { body in
      (try? JSONValue.parse(body))?["ok"]?.bool == true
    }
    ask("The statistics", .stats(guild: guild), until: end) { [self] body in
      guard let envelope = (try? JSONValue.parse(body)).flatMap(StatsEnvelope.init),
        envelope.stats != nil || envelope.runtime != nil
      else { return false }
      overview.read(envelope, nowMs: clock.wallMs)
      runtime = envelope.runtime
      if let voice = envelope.runtime?.voice {
        read(voice, until: end)
      } else {
        askForVoice(until: end)
      }
      return true
    }
    askForPromises(until: end)
    ask("The actions", actions(limit: Self.actionLimit, hours: 1), until: end) { [self] body in
      guard let rows = AnsweredRows(body, nowMs: clock.wallMs) else { return false }
      hourOfActions = rows
      if case .atLeast(let count) = self.rows, rows.elements < count {
        ask(nil, actions(limit: count, hours: nil), until: end) { [self] body in
          newestActions = AnsweredRows(body, nowMs: clock.wallMs)
          return newestActions != nil
        }
      }
      return true
    }
  }

  /// What is promised, and the rows that tell whether it is kept.
  private struct PromisedRows {
    var settings: PromiseSettings
    var rows: AnsweredRows
    /// The most rows that were asked for.
    var limit: Int
  }

  /// Asks for the rows behind the promises, each group by its kinds: a list has 1,000 rows at most, and those of
  /// voice are many.
  private func askForPromises(until end: UInt64) {
    let all = settings.promises
    var text = PromiseSettings()
    (text.windowMs, text.textMs, text.skip) = (all.windowMs, all.textMs, all.skip)
    var voice = PromiseSettings()
    (voice.windowMs, voice.voiceMs) = (all.windowMs, all.voiceMs)
    var calls = PromiseSettings()
    (calls.windowMs, calls.unanswered) = (all.windowMs, all.unanswered)
    // Replies hold prompts.
    let groups = [
      (text, ["sent_reply", "reply_skipped"], 400), (voice, ["voice_runtime"], Self.actionLimit),
      (
        calls, ["text_runtime", "sent_reply", "sent_message", "reply_skipped", "reacted"],
        Self.actionLimit
      ),
    ]
    for (settings, kinds, limit) in groups where !settings.isEmpty {
      let target = RequestTarget.actions(
        limit: limit, sinceHours: Double(all.windowMs) / 3_600_000, kinds: kinds, guild: guild)
      ask("The rows behind the promises", target, until: end) { [self] body in
        guard let rows = AnsweredRows(body, nowMs: clock.wallMs) else { return false }
        promised.append(PromisedRows(settings: settings, rows: rows, limit: limit))
        return true
      }
    }
  }

  /// Judges the promises, in the order of the screen.
  private func promises(nowMs: Int64) -> PromiseReport {
    let all = settings.promises
    var cost = PromiseSettings()
    (cost.windowMs, cost.costPerDayUSD) = (all.windowMs, all.costPerDayUSD)
    var found: [Promise] = []
    func judge(_ settings: PromiseSettings, _ log: ActionLog, coveredFromMs: Int64?) {
      guard !settings.isEmpty else { return }
      var board = PromiseBoard(settings)
      while !board.read(log, nowMs: nowMs) {}
      // The promise is about the bot: the cost of one guild is not to be measured by it.
      found +=
        board.report(
          nowMs: nowMs, coveredFromMs: coveredFromMs,
          costTodayUSD: guild == nil ? overview.costToday : nil, log: log
        ).promises
    }
    for group in promised {
      let log = group.rows.log
      let isWhole = group.rows.elements < group.limit
      let oldestMs = log.count > 0 ? log.row(at: log.count - 1).timeMs : nil
      judge(
        group.settings, log,
        coveredFromMs: isWhole ? nowMs - group.settings.windowMs : oldestMs)
    }
    judge(
      cost, hourOfActions?.log ?? ActionLog(),
      coveredFromMs: overview.activity?.isCapped == false ? nowMs - 3_600_000 : nil)
    return PromiseReport(
      promises: Promise.Kind.allCases.compactMap { kind in found.first { $0.kind == kind } })
  }

  private func askForVoice(until end: UInt64) {
    ask("The voice state", .voiceState, until: end) { [self] body in
      guard let voice = (try? JSONValue.parse(body)).flatMap(VoiceState.init) else { return false }
      read(voice, until: end)
      return true
    }
  }

  private func read(_ voice: VoiceState, until end: UInt64) {
    self.voice = voice
    let people = ConnectionStore(address: "")
    people.learn(voice)
    names.users = people.names.users
    overview.read(voice, guild: guild, names: names)
    // The channel of the first session is the one that is shown; without an answer its id is.
    guard let first = overview.sessions?.first, first.channel == nil, let guild = first.guildID,
      let id = first.channelID
    else { return }
    ask(nil, RequestTarget(["api", "guilds", guild, "channels"]), until: end) { [self] body in
      let list = (try? JSONValue.parse(body, sparesRows: true))?.array ?? []
      names.channels[id] = list.first { $0["id"]?.string == id }.flatMap { $0["name"]?.string }
      overview.sessions?[0].channel = names.channels[id]
      return true
    }
  }

  private func actions(limit: Int, hours: Double?) -> RequestTarget {
    var target = RequestTarget.actions(limit: limit, sinceHours: hours)
    if let guild { target.query.append(.init("guildId", guild)) }
    return target
  }

  /// - Parameters:
  ///   - what: the name of what is missing without this answer; nil if nothing is.
  ///   - take: false if the body is not the expected one.
  private func ask(
    _ what: String?, _ target: RequestTarget, until end: UInt64,
    _ take: @escaping @MainActor ([UInt8]) -> Bool
  ) {
    let now = clock.nowNs
    let leftMs = end > now ? Int((end - now) / 1_000_000) : 1
    open += 1
    requests.request(RestRequest(.get, target, totalMs: max(1, leftMs))) { [self] result in
      switch result {
      case .success(let answer):
        if overview.latencyMs == nil { overview.latencyMs = answer.latencyMs }
        overview.skewMs = skew()
        if !answer.isSuccess {
          refusals.append(refusal(answer))
          miss(what, "The backend answered with status \(answer.status).")
        } else if take(answer.body) {
          isUnderstood = true
        } else {
          foreignAnswers += 1
          miss(what, "The answer could not be read.")
        }
      case .failure(let failure):
        failures.append(failure.failure)
        miss(what, failure.failure.sentence)
      }
      open -= 1
      if open == 0 { finish() }
    }
  }

  private func refusal(_ answer: RestAnswer) -> LinkFailure {
    let words = ErrorBody(body: answer.body).message ?? ""
    return answer.status >= 500
      ? .serverError(status: answer.status, message: words)
      : .requestRejected(status: answer.status, message: words)
  }

  private func miss(_ what: String?, _ why: String) {
    if let what { missing.append("\(what) could not be had: \(why)") }
  }

  private func finish() {
    let nowMs = clock.wallMs
    if let hourOfActions {
      overview.read(hour: hourOfActions, limit: Self.actionLimit)
    }
    judge(nowMs: overview.backendMs(nowMs))
    overview.figures = figures(nowMs: overview.backendMs(nowMs))
    readRows()
    // The health answer `{"ok":true}` could come from any program. If none of the other answers is
    // readable, it is not a Clanky backend.
    if foreignAnswers > 1 { failures.append(.notClanky(.otherJSON)) }
    failures += refusals
    if !isUnderstood || foreignAnswers > 1, let failure = failures.first {
      let denial = failures.first { $0.exitCode == Failure.Code.authentication.rawValue }
      overview.health = denial == nil ? .unreachable : .unauthorized
      overview.detail = (denial ?? failure).words(
        namesAddress: settings.process.namesAddress)
    } else if !missing.isEmpty {
      overview.degrade(missing.joined(separator: " "))
    }
    stop()
    done?(overview)
    done = nil
  }

  /// The last minutes as far as the rows of the hour reach back.
  private func figures(nowMs: Int64) -> FleetFigures {
    guard let hourOfActions else { return FleetFigures(skewMs: overview.skewMs) }
    let log = hourOfActions.log
    // A full list may be incomplete beyond its oldest row.
    let isWhole = overview.activity?.isCapped == false
    let beginMs =
      isWhole ? nowMs - 3_600_000 : log.count > 0 ? log.row(at: log.count - 1).timeMs : nil
    return FleetFigures(
      rates: log.rate, beginMs: beginMs, newestMs: overview.newestRowMs,
      cost: CostAccumulator().recentRate(of: log, coveredFromMs: beginMs, nowMs: nowMs),
      skewMs: overview.skewMs, endMs: nowMs, nowMs: nowMs)
  }

  private func readRows() {
    if case .none = rows { return }
    guard let answer = newestActions ?? hourOfActions else { return }
    overview.read(newestOf: answer.log, names: names)
  }

  /// Judges the bot by what was answered, with the rules and words of the screen. What must last to be a
  /// trouble is known only where rows tell of it: this is one look.
  private func judge(nowMs: Int64) {
    var input = TriageInput(nowMs: nowMs)
    input.runtime = runtime.map { .init($0, atMs: nowMs) }
    if var voice {
      voice.sessions.removeAll { guild != nil && $0.guildID != guild }
      input.voice = .init(voice, atMs: nowMs)
    }
    // The budget is that of the bot, and the cost of one guild is not to be measured by it.
    input.isScoped = guild != nil
    input.costTodayUSD = guild == nil ? overview.costToday : nil
    input.budgetUSD = settings.triage.budgetUSD
    input.names = names
    let promises = settings.promises.isEmpty ? nil : promises(nowMs: nowMs)
    input.promises = promises
    overview.promises = (promises?.promises ?? []).map { promise in
      BotOverview.PromiseLine(
        name: promise.kind.rawValue, verdict: promise.verdict.rawValue,
        sentence: PromiseText(promise).sentence, json: promise.json)
    }
    let log = hourOfActions?.log ?? ActionLog()
    let rates = log.rate.perMinute(nowMs: nowMs)
    input.failuresPerHour = rates.reduce(0) { $0 + $1.failures }
    input.actionsPerHour = rates.reduce(0) { $0 + $1.actions }
    input.isHourComplete = overview.activity?.isCapped == false
    var board = TriageBoard(settings: settings.triage)
    while !board.judge(input, rows: log) {}
    let text = TriageText(board.report, clock: settings.clock)
    overview.botWord = text.botWord.description
    overview.worst = board.report.ofBot.first.map { text.sentence($0).description }
    overview.triage = board.report.ofBot.map { trouble in
      BotOverview.Trouble(
        rule: trouble.rule, level: trouble.level.rawValue, sentence: trouble.answer.sentence,
        sinceMs: trouble.sinceMs, count: trouble.count, next: trouble.answer.next?.sentence,
        rows: trouble.answer.evidence.compactMap(\.actionID))
    }
    for trouble in board.report.ofBot where trouble.level > .info {
      let sentence = text.sentence(trouble).description
      // A bot that breaks a promise is healthy; the exit code tells.
      if trouble.rule == TriageRule.sloName {
        overview.detail = [overview.detail, sentence].compactMap(\.self).joined(separator: " ")
      } else {
        overview.degrade(sentence)
      }
    }
  }
}
