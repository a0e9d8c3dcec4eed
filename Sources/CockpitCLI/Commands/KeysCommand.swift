import CockpitSession
import ArgumentParser
import CockpitFiles
import CockpitPanes
import Foundation
import LenientJSON
import TerminalCore

/// `keys`: the keys of the cockpit, without opening it.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys", abstract: "The keys: list, lint.",
    usage: "clanky-cockpit keys <SUBCOMMAND> [OPTIONS]",
    subcommands: [KeysListCommand.self, KeysLintCommand.self])
}

extension KeyPreset: ExpressibleByArgument {}

/// Which keys: shared by both verbs.
struct KeysOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Option(help: "The keys of this preset instead of the configuration's; [keys] stay on top.")
  var preset: KeyPreset?

  @Flag(help: "JSON lines.")
  var json = false

  func keymap(in environment: Environment) throws -> Keymap {
    Keymap(try Settings(shared, in: environment).configuration, preset: preset)
  }

  /// Those of the keys that mean something on the profile in use.
  func table(_ keymap: Keymap, in environment: Environment) throws -> KeyTable {
    try Settings(shared, in: environment).isGateway ? keymap.table : keymap.table.forBot
  }
}

/// `keys list`: every command and its keys.
struct KeysListCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List every command, its keys and what it does.",
    usage: "clanky-cockpit keys list [--preset P] [--json]",
    discussion: "The names are those of [keys] in the configuration file and of the : line.")

  @OptionGroup var options: KeysOptions

  func run(in environment: Environment) throws {
    let keymap = try options.keymap(in: environment)
    if let first = keymap.problems.first { throw Failure(.usage, first.description) }
    for binding in try options.table(keymap, in: environment).bindings {
      let keys = binding.keys.map(\.description)
      if options.json {
        var line = JSONObjectWriter()
        line.string("command", binding.command.rawValue)
        line.value("keys", .array(keys.map(JSONValue.string)))
        line.string("group", binding.group.rawValue)
        line.string("help", binding.help.description)
        environment.output.line(line.finish())
      } else {
        let shown = keys.isEmpty ? "-" : keys.joined(separator: "  ")
        environment.output.line(
          PlainText(binding.command.rawValue).padded(to: 17) + PlainText(shown).padded(to: 17)
            + binding.help)
      }
    }
  }
}

/// `keys lint`: keys that will not arrive.
struct KeysLintCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "lint",
    abstract: "Say which keys will not arrive: conflicts, tmux, the terminal, missing keys.",
    usage: "clanky-cockpit keys lint [--preset P] [--json]",
    discussion: """
      A problem is a command that cannot be had by any key that is meant for it; a note is a key \
      that may not arrive while another one does. Exit code 1 when there is a problem.
      """)

  @OptionGroup var options: KeysOptions

  func run(in environment: Environment) throws {
    let keymap = try options.keymap(in: environment)
    let table = try options.table(keymap, in: environment)
    let findings =
      keymap.problems.map { KeyLint.Finding(isProblem: true, sentence: $0.description) }
      + KeyLint(table: table, tmuxPrefixes: TmuxPrefix.read(environment)).findings
    for finding in findings {
      if options.json {
        var line = JSONObjectWriter()
        line.string("level", finding.isProblem ? "problem" : "note")
        line.string("command", finding.command?.rawValue)
        line.string("key", finding.key?.description)
        line.string("text", finding.sentence)
        environment.output.line(line.finish())
      } else {
        environment.output.line(
          PlainText(finding.isProblem ? "problem  " : "note     ")
            + PlainText(finding.sentence, limit: 1000))
      }
    }
    let count = findings.count(where: \.isProblem)
    guard count > 0 else {
      environment.output.remark("No problem was found.")
      return
    }
    throw Failure(.failed, count == 1 ? "1 problem was found" : "\(count) problems were found")
  }
}
