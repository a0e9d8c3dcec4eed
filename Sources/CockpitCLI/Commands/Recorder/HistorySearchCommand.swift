import ArgumentParser
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON

/// `history search`: words in everything that was recorded.
struct HistorySearchCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find rows by their words, the last recorded first.",
    usage: "clanky-cockpit history search WORDS... [OPTIONS]",
    discussion: """
      All words must be in a row: in what was said and written, names, tools and their input, errors; \
      prompts are not searched. "a phrase" in quotes, pre* for the beginning of a word, -not for what must \
      not be there; case and accents do not matter.

      Examples:
        clanky-cockpit history search why '"not heard"' --since 7d
        clanky-cockpit history search 'timeo*' --kinds voice_error --json

      Exits with 1 when nothing is found, as grep does. Lines are those of 'tail'.
      """)

  @OptionGroup var shared: SharedOptions
  @OptionGroup var history: HistoryOptions

  @Argument(
    help: ArgumentHelp("What to find.", valueName: "WORDS"))
  var words: [String]

  @Option(
    help: ArgumentHelp("Of the last DURATION, such as 15m, 2h, 30d.", valueName: "DURATION"),
    transform: HistoryArguments.duration)
  var since: HistoryDuration?

  @Option(
    help: ArgumentHelp(
      "Only these kinds or events, by their exact names, with commas between.", valueName: "KINDS"))
  var kinds: String?

  @Option(
    help: ArgumentHelp(
      "Only rows of these people, by their ids, with commas between.", valueName: "IDS"))
  var people: String?

  @Option(name: .customShort("n"), help: ArgumentHelp("At most N rows.", valueName: "N"))
  var count: Int = 50

  @Flag(help: "JSON lines, ASCII only.")
  var json = false

  func validate() throws {
    guard (1...100_000).contains(count) else { throw ValidationError("-n is from 1 to 100000") }
    guard !words.isEmpty else { throw ValidationError("say what to find") }
  }

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    let folder = try history.path(settings)
    var query = HistorySearch(words.joined(separator: " "))
    query.labels = Self.list(kinds)
    query.people = Self.list(people)
    if let since {
      query.afterMs = Int64(Date().timeIntervalSince1970 * 1000) - since.milliseconds
    }
    let (meant, limit) = (query, count)
    let result = await OwnThread.run { () -> Result<(HistoryHits, HistoryDamage), HistoryError> in
      Result { () throws(HistoryError) in
        let history = try HistoryFolder(folder)
        let hits = try history.search(meant, limit: limit)
        return (hits, history.damage)
      }
    }
    let (hits, damage) = try reading { () throws(HistoryError) in try result.get() }
    write(hits.rows, settings.clock, to: environment.output)
    for (file, reason) in damage.files.sorted(by: { $0.key < $1.key }) {
      environment.output.complain("\(file): \(reason)")
    }
    if hits.next != nil {
      environment.output.complain("There are more; -n gives more of them.")
    }
    if hits.rows.isEmpty { throw Failure(.failed, "Nothing was found in \(folder).") }
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

  private static func list(_ text: String?) -> Set<String> {
    Set(
      (text ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty })
  }
}
