import ArgumentParser
import ClankyLink
import CockpitPanes
import CockpitStores
import Foundation

/// `actions`: what the backend has on record of past actions.
struct ActionsCommand: MainThreadCommand {
  static let configuration = CommandConfiguration(
    commandName: "actions",
    abstract: "Past actions, newest last.",
    usage: "clanky-cockpit actions [OPTIONS]",
    discussion: """
      Without --since the newest 1,000; the backend gives no more in one answer. For a longer time \
      it is asked kind by kind, and a kind guild by guild; what may be missing even so is said on \
      stderr. Lines are those of 'tail'.

      Examples:
        clanky-cockpit actions --since 2h --filter 'is:error'
        clanky-cockpit actions --since 1d --kinds llm_call --json | jq .usd_cost

      Exits with 1 when nothing matches, as grep does.
      """)

  @OptionGroup var shared: SharedOptions

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
      "Only actions that match, such as 'kind:llm_* cost>0.01'.", valueName: "QUERY"),
    transform: HistoryArguments.query)
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

  @MainActor func main() async throws {
    let settings = try Settings(shared)
    let session = try await RestSession(settings)
    let past = PastActions(session)
    let filter = filter.shown(in: settings.clock.queryZone)
    try await past.load(since: since, kinds: kindList, named: filter.namedKinds) {
      // Without --since the newest are meant, as many as one answer has.
      guard since != nil else { return (count ?? 0) <= PastActions.limit }
      return filter.isEmpty && count ?? .max <= past.rows.count
    }
    let nowMs = session.nowMs
    let oldestMs = since.map { nowMs - $0.milliseconds } ?? .min
    let names = json && filter.isEmpty ? NameTable() : await session.names(in: past.log)
    let rows = ActionLines.sorted(
      past.rows.filter { row in
        row.timeMs >= oldestMs
          && (filter.isEmpty || filter.matches(row, names: names, nowMs: nowMs))
      }
    ).suffix(count ?? .max)
    let clock = settings.clock
    // Where as many came as are wanted, older ones are not.
    let sinceMs = rows.count == count ? rows.first?.timeMs ?? oldestMs : oldestMs
    let missing = past.missing(clock, sinceMs: sinceMs) { filter.mayMatch(kind: $0) }
    for sentence in missing { Output.complain(sentence) }
    guard !rows.isEmpty else {
      throw Failure(
        .failed,
        missing.isEmpty
          ? "No action matches."
          : past.rows.isEmpty
            ? "No action could be read, so whether any matches is not known."
            : "None of the actions that came matches.")
    }
    let lines = ActionLines(names: names, clock: clock)
    for row in rows { lines.write(row, json: json) }
  }
}
