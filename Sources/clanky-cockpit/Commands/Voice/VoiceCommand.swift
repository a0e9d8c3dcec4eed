import ArgumentParser

/// `voice`: what the backend can do about voice.
struct VoiceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "voice",
    abstract: "Let the bot join voice.",
    discussion: """
      Examples:
        clanky-cockpit voice join
        clanky-cockpit voice join --guild 'The Workshop' --text-channel general

      Exit codes: 0 done, 1 not done, 2 refused before anything was sent, 3 no connection, 4 \
      authentication.
      """,
    subcommands: [VoiceJoinCommand.self, VoiceLeaveCommand.self])
}

/// What the verbs of `voice` have in common.
struct VoiceOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON, one line, ASCII only.")
  var json = false

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false

  /// - Throws: exit code 2 where nothing may be changed.
  func permitChanging(_ settings: Settings) throws(Failure) {
    if readOnly {
      throw Failure(.usage, "--read-only refuses whatever changes something; leave it out")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
  }
}
