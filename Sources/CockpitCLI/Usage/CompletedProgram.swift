import ArgumentParser
import CockpitSession

/// The program as a shell completes it: the options of the cockpit are typed without its verb, and the
/// parser has them there only.
struct CompletedProgram: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clanky-cockpit", abstract: ClankyCockpit.configuration.abstract,
    version: programVersion, subcommands: ClankyCockpit.configuration.subcommands,
    defaultSubcommand: OpenCommand.self)

  @OptionGroup var open: OpenCommand

  /// The script that the arguments ask for; nil if they ask for something else, which the parser
  /// answers.
  static func script(_ arguments: [String]) -> String? {
    guard arguments.count == 2, arguments[0] == "--generate-completion-script" else { return nil }
    return CompletionShell(rawValue: arguments[1]).map(completionScript)
  }
}
