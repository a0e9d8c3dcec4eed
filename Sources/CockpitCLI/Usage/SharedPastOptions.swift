import ArgumentParser
import CockpitSession

/// Whether the history of a team is read, and whose.
struct SharedPastOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Where this machine has recorded nothing, from the database of a team: a sink of the configuration, postgres:DSN or clickhouse:URL.",
      valueName: "SOURCE"))
  var history: String?

  @Option(
    help: ArgumentHelp(
      "With --history: which bot, as its rows call it (default: that of the profile).",
      valueName: "NAME"))
  var bot: String?

  func validate() throws {
    if bot != nil, history == nil { throw ValidationError("--bot goes with --history") }
    if history == "" {
      throw ValidationError("--history names a sink, postgres:DSN or clickhouse:URL")
    }
  }

  /// What is meant; nil without the option.
  @MainActor func past(in environment: Environment) throws(Failure) -> SharedPast? {
    guard let history else { return nil }
    // A verb waits for the database, and the screen would wait with it.
    if environment.scope != nil {
      throw Failure(
        .usage, "--history is for the shell; in the cockpit start with it, and T opens the past")
    }
    return SharedPast(place: history, bot: bot)
  }
}
