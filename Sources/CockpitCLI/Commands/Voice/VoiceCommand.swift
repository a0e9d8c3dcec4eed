import ArgumentParser

/// `voice`: the backend's voice operations.
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
