import CockpitSession
import CockpitAnswers
import CockpitText
import ArgumentParser
import Networking
import CockpitStores
import Foundation

/// `actions`: past actions stored by the backend.
struct ActionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "actions",
    abstract: "Past actions, newest last.",
    usage: "clanky-cockpit actions [OPTIONS]",
    discussion: """
      Without --since, or since: in the filter, the newest 1,000; the backend gives no more in one \
      answer. Kinds and a guild that the filter names are asked for by name, so that the newest \
      1,000 are of these. For a longer time it is asked kind by kind, and a kind guild by guild; \
      what may be missing even so is said on stderr. Lines are those of 'tail'. Of the time that the \
      backend no longer has, rows come from what was recorded on this machine, and it is said. With \
      --from-history or --at the backend is not asked.

      A filter with stages prints a table with bars instead, and what it covers; with --json an \
      object for each line and one with "coverage" (docs/query.md).

      Examples:
        clanky-cockpit actions --since 2h --filter 'is:error'
        clanky-cockpit actions --filter 'kind:llm_call since:6h | p95 ms by model'
        clanky-cockpit actions --since 1d --kinds llm_call --json | jq .usd_cost
        clanky-cockpit actions --since 30d --from-history --filter '| sum cost by day'

      Exits with 1 when nothing matches, as grep does.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var past: PastOptions

  @Option(
    help: ArgumentHelp("Of the last DURATION, such as 15m, 2h, 1d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    help: ArgumentHelp(
      "Only these kinds, by their exact names, with commas between.", valueName: "KINDS"))
  var kinds: String?

  // A negated term begins with a dash.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only actions that match, such as 'kind:llm_* cost>0.01'; '| count by kind' makes a table.",
      valueName: "QUERY"),
    transform: HistoryArguments.pipedQuery)
  var filter: Query = .everything

  @Option(
    name: .customShort("n"), help: ArgumentHelp("The newest N that match.", valueName: "N"))
  var count: Int?

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  @Flag(help: "Plain lines for people (the default).")
  var plain = false

  /// The exact names of `--kinds`.
  var kindList: [String] {
    (kinds ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  func validate() throws {
    if json, plain { throw ValidationError("choose one of --json and --plain") }
    if let count, count < 1 { throw ValidationError("-n is 1 or more") }
    if kinds != nil, kindList.isEmpty {
      throw ValidationError("--kinds is a list of kinds, such as llm_call,sent_reply")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let query = try HistoryArguments.query(filter, settings)
    if let recorded = try past.open(settings) {
      try await write(await found(in: recorded, query), query, settings.clock, environment)
      return
    }
    do {
      try await ask(settings, query, in: environment)
    } catch let failure as Failure {
      guard let found = try await foundWithoutBot(failure, settings, query) else { throw failure }
      try await write(found, query, settings.clock, environment)
    }
  }

  /// The bot's rows, and those of the recording that it has no longer.
  @MainActor private func ask(
    _ settings: Settings, _ query: Query, in environment: Environment
  ) async throws {
    let session = try await RestSession(settings)
    let filter = query.rowsOnly
    // A filter names guilds by name, requests use ids.
    let early = filter.namesGuild && settings.guild == nil ? await session.names() : nil
    let scope = filter.scope(names: early ?? NameTable())
    let past = PastActions(session, guild: scope.guild)
    // A filter that begins somewhere needs no other word for it.
    let since = since ?? filter.since(nowMs: session.nowMs)
    let requested = kindList.isEmpty ? scope.exact : kindList
    try await past.load(
      since: since, kinds: requested, named: filter.namedKinds,
      isWanted: { filter.mayMatch(kind: $0) }
    ) {
      // Without --since the newest are meant, as many as one answer has.
      guard since != nil else { return (count ?? 0) <= PastActions.limit }
      return filter.isEmpty && count ?? .max <= past.rows.count
    }
    if since == nil, requested.isEmpty { try await past.loadNewest(scope.kinds ?? scope.likely) }
    let nowMs = session.nowMs
    let oldestMs = since.map { nowMs - $0.milliseconds } ?? .min
    var found = Found(nowMs: nowMs, oldestMs: oldestMs)
    if let early {
      found.names = early
    } else {
      let isRaw =
        json && environment.textBesideJSON == nil && filter.isEmpty && query.pipeline == nil
      found.names = isRaw ? NameTable() : await session.names(in: past.log)
    }
    try await found.take(past.rows, filter)
    let clock = settings.clock
    // Where as many came as are wanted, older ones are not.
    let isEnough = count.map { found.rows.count >= $0 } ?? false
    let sinceMs = isEnough ? found.oldestWanted(count) ?? oldestMs : oldestMs
    found.missing = past.missing(clock, sinceMs: sinceMs) { filter.mayMatch(kind: $0) }
    if since != nil, !isEnough {
      try await addRecorded(to: &found, besides: past, session.settings, filter)
    }
    found.hasNone = past.rows.isEmpty
    found.reach =
      filter.isEmpty && query.pipeline == nil || since != nil
      ? nil : past.newestReach(clock, requested: requested)
    found.fromMs = sinceMs == .min ? past.newestBeginMs : sinceMs
    try await write(found, query, clock, environment)
  }

  @MainActor private func write(
    _ found: Found, _ query: Query, _ clock: ClockFormat, _ environment: Environment
  ) async throws {
    let rows = await ActionLines.sortedAside(found.rows).suffix(count ?? .max)
    for sentence in found.missing + found.notes { environment.output.complain(sentence) }
    environment.takesCoverage?(
      Answer.Coverage(
        fromMs: found.fromMs, toMs: found.nowMs, isComplete: found.missing.isEmpty),
      found.missing.count)
    if query.pipeline != nil {
      let looked =
        rows.count == count
        ? nil : found.reach.map { "Looked only \($0); --since reaches further back." }
      if let looked { environment.output.complain(looked) }
      var table = ActionTable(query: query, clock: clock, environment: environment)
      table.missing = found.missing + found.notes + [looked].compactMap { $0 }
      table.fromMs = found.fromMs
      table.toMs = found.nowMs
      guard table.write(rows, names: found.names, json: json) else {
        throw Failure(.failed, sentence(found, query.rowsOnly))
      }
      return
    }
    guard !rows.isEmpty else { throw Failure(.failed, sentence(found, query.rowsOnly)) }
    if let reach = found.reach, rows.count != count {
      environment.output.complain("Looked \(reach); --since reaches further back.")
    }
    let lines = ActionLines(names: found.names, clock: clock)
    var breaths = Breaths()
    for row in rows {
      if let line = lines.line(row, json: json) { environment.output.line(line) }
      if json { environment.also([lines.plain(row)]) }
      try await breaths.take()
    }
  }

  /// The message if no row is shown.
  @MainActor private func sentence(
    _ found: Found, _ filter: Query
  ) -> String {
    if found.hasNone, !found.missing.isEmpty {
      return "No action could be read, so whether any matches is not known."
    }
    var sentence =
      !found.missing.isEmpty
      ? "None of the actions that came matches."
      : found.reach.map { "No action matches \($0); use --since to look further back." }
        ?? "No action matches."
    if filter.looksForWords {
      sentence +=
        " Words are looked for in contents, names and speech, not in prompts; meta.userPrompt:*WORD* looks there."
    }
    return sentence
  }
}

extension Query {
  /// How far back the filter reaches; nil if it has no bound.
  func since(nowMs: Int64) -> HistoryDuration? {
    lowerBound(nowMs: nowMs).map { HistoryDuration(milliseconds: max(1, nowMs - $0)) }
  }
}
