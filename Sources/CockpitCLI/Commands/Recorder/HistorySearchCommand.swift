import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON

/// `history search`: words in everything that was recorded.
struct HistorySearchCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find rows by their words and the query language.",
    usage: "clanky-cockpit history search QUERY... [OPTIONS]",
    discussion: """
      Words are looked for in what was said and written, names, tools and their input, errors; prompts are not \
      searched. All must be in a row: "a phrase" in quotes, pre* for the beginning of a word, -not for what \
      must not be there; case and accents do not matter. Everything else is as in the filter of PULSE; \
      user:NAME finds people by any name they ever had. Stages make a table of the rows.

      Examples:
        clanky-cockpit history search why '"not heard"' since:7d
        clanky-cockpit history search 'timeo* kind:voice_error' --json
        clanky-cockpit history search 'user:mira pizza | count by day'

      The newest row comes first; lines are those of 'tail'. Exits with 1 when nothing is found, as \
      grep does.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions
  @OptionGroup var team: SharedPastOptions

  @Argument(
    help: ArgumentHelp("What to find.", valueName: "QUERY"))
  var words: [String]

  @Option(name: .customShort("n"), help: ArgumentHelp("At most N rows.", valueName: "N"))
  var count: Int = 50

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(count) else { throw ValidationError("-n is from 1 to 100000") }
    guard !words.isEmpty else { throw ValidationError("say what to find") }
    if team.history != nil, history.folder != nil {
      throw ValidationError("choose one of --history and --folder")
    }
  }

  @MainActor func run(in environment: Environment) async throws {
    var settings = try Settings(shared, in: environment)
    settings.options.sharedPast = try team.past(in: environment)
    let (past, place) = try open(settings)
    let text = words.joined(separator: " ")
    let find: HistoryFind
    let query: Query
    do throws(QueryError) {
      find = try HistoryFind(
        text, in: settings.clock.queryZone, views: QueryViews(settings.configuration.views))
      query = try Query.parse(
        piped: text, in: settings.clock.queryZone, views: QueryViews(settings.configuration.views))
    } catch { throw Failure(.usage, "\(error). 'clanky-cockpit help actions' tells of filters.") }
    let (limit, nowMs) = (count, Int64(Date().timeIntervalSince1970 * 1000))
    let result = await OwnThread.run { () -> Result<Found, HistoryError> in
      Result { () throws(HistoryError) in
        try Self.search(find, in: past, limit: limit, nowMs: nowMs)
      }
    }
    let found = try reading { () throws(HistoryError) in try result.get() }
    for (file, reason) in found.damage.files.sorted(by: { $0.key < $1.key }) {
      environment.output.complain("\(file): \(reason)")
    }
    if let trouble = past.trouble {
      environment.output.complain("\(trouble); only what is recorded here was searched.")
    }
    let nothing = Failure(.failed, "Nothing was found in \(place).")
    if find.makesTable {
      if found.isCut {
        environment.output.complain(
          "The table is of the newest \(HistoryFind.tableRows) rows that match.")
      }
      var table = ActionTable(query: query, clock: settings.clock, environment: environment)
      let bounds = query.timeBounds(nowMs: nowMs)
      table.fromMs = found.sinceMs.map { max($0, bounds.lowerBound) }
      table.toMs = min(nowMs, bounds.upperBound)
      guard let made = found.table, made.rows > 0 else { throw nothing }
      table.write(made, json: json)
      return
    }
    write(
      found.rows.sorted { $0.place > $1.place }, settings.clock, to: environment.output)
    if found.isCut { environment.output.complain("There are more; -n gives more of them.") }
    if found.rows.isEmpty { throw nothing }
  }

  /// What is searched, and what it is called.
  @MainActor private func open(
    _ settings: Settings
  ) throws(Failure) -> (any HistoryReading, String) {
    if let shared = settings.options.sharedPast {
      let past = try reading { () throws(HistoryError) in
        try PastOfBot.open(try PastOfBot.name(settings), settings)
      }
      return (past, shared.name)
    }
    let folder = try history.path(settings)
    return (try reading { () throws(HistoryError) in try HistoryFolder(folder) }, folder)
  }

  private struct Found: Sendable {
    var rows: [RecordedRow] = []
    var table: QueryTable?
    /// Whether there are more rows.
    var isCut = false
    /// The time of the oldest row on record.
    var sinceMs: Int64?
    var damage = HistoryDamage()
  }

  private static func search(
    _ find: HistoryFind, in history: any HistoryReading, limit: Int, nowMs: Int64
  ) throws(HistoryError) -> Found {
    let names = try find.names(in: history, base: NameTable())
    var found = Found()
    found.sinceMs = try history.span()?.lowerBound
    if find.makesTable {
      let made = try find.table(in: history, names: names, nowMs: nowMs)
      (found.table, found.isCut) = (made?.table, made?.isCut ?? false)
    } else {
      let page = try find.page(
        in: history, names: names, nowMs: nowMs, limit: limit, budget: .max)
      (found.rows, found.isCut) = (page.rows, page.next != nil)
    }
    found.damage = history.damage
    return found
  }

  @MainActor private func write(_ rows: [RecordedRow], _ clock: ClockFormat, to output: Output) {
    // A log of its own reads the rows as all verbs do.
    let lines = ActionLines(names: NameTable(), clock: clock)
    for row in rows {
      let log = ActionLog(memory: 0)
      // A row that cannot be read has no line; 'history verify' counts it.
      let found = row.json.withUnsafeBytes {
        try? log.restore(
          $0, actionID: row.actionID, origins: row.channels, nowMs: row.receivedMs)
      }
      guard found != nil, let line = lines.line(log.row(at: 0), json: json) else { continue }
      output.line(line)
    }
  }
}
