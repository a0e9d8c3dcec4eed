import CockpitSession
import ArgumentParser
import CockpitFiles
import Foundation
import LenientJSON
import TerminalCore

/// `config`: the configuration file, without opening the cockpit.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config", abstract: "The configuration: path, show, validate.",
    usage: "clanky-cockpit config <SUBCOMMAND> [OPTIONS]",
    subcommands: [ConfigPathCommand.self, ConfigShowCommand.self, ConfigValidateCommand.self])
}

/// `config path`: where files are.
struct ConfigPathCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print where the configuration file is, or would be.",
    usage: "clanky-cockpit config path [--all] [--json]")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "Log, drafts, journal and themes too, a line for each.")
  var all = false

  @Flag(help: "All of them as JSON lines.")
  var json = false

  func run(in environment: Environment) throws {
    let paths = Paths(
      environment: environment.variables, executable: ProgramFile.path)
    guard let file = shared.config ?? paths.configFile else {
      throw Failure(
        .failed, "there is no place for a configuration: \(paths.remedy("XDG_CONFIG_HOME"))"
      )
    }
    var places = [("config", file)]
    if let state = paths.state {
      places += [
        ("log", "\(state)/cockpit.log"), ("drafts", "\(state)/drafts"),
        ("journal", "\(state)/journal.jsonl"),
      ]
    }
    places += paths.themeFolders.map { ("themes", $0) }
    if json {
      for (what, path) in places {
        var line = JSONObjectWriter()
        line.string("what", what)
        line.string("path", path)
        line.bool("exists", SafeFile.exists(path))
        environment.output.line(line.finish())
      }
      return
    }
    guard all else {
      environment.output.line(PlainText(file, limit: 4096))
      if !SafeFile.exists(file) {
        environment.output.remark("This file does not exist yet; the defaults are in force.")
      }
      return
    }
    for (what, path) in places {
      let note = SafeFile.exists(path) ? "" : "  (does not exist)"
      environment.output.line(PlainText(what).padded(to: 9) + PlainText(path + note, limit: 4096))
    }
  }
}

/// `config show`: the effective settings, and their sources.
struct ConfigShowCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Print every setting that is in force and where it comes from.",
    usage: "clanky-cockpit config show [OPTIONS] [--json]",
    discussion: "The token and the command that prints it are never shown.")

  @OptionGroup var shared: SharedOptions

  @Flag(help: "JSON lines.")
  var json = false

  func run(in environment: Environment) throws {
    let values = EffectiveSettings(try Settings(shared, in: environment)).values
    let width = values.map { $0.key.count + $0.text.count }.max() ?? 0
    for value in values {
      if json {
        var line = JSONObjectWriter()
        line.string("key", value.key)
        line.value("value", value.json)
        line.string("source", value.source.name)
        line.string("file", value.source.place?.path)
        line.int("line", value.source.place?.line)
        environment.output.line(line.finish())
      } else {
        let text = PlainText("\(value.key) = \(value.text)", limit: 1000)
        environment.output.line(
          text.padded(to: min(width + 3, 48)) + "  # " + PlainText(value.source.text, limit: 1000))
      }
    }
  }
}

/// `config validate`: everything that is wrong with a file.
struct ConfigValidateCommand: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Print everything that is wrong with the configuration file.",
    usage: "clanky-cockpit config validate [FILE] [--json]",
    discussion: "Exit code 0 when nothing is, else 2.")

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("The file (default: the one that is used).", valueName: "FILE"))
  var file: String?

  @Flag(help: "JSON lines, one for each problem.")
  var json = false

  func run(in environment: Environment) throws {
    let paths = Paths(
      environment: environment.variables, executable: ProgramFile.path)
    guard let path = file ?? shared.config ?? paths.configFile else {
      throw Failure(
        .usage, "there is no place for a configuration: \(paths.remedy("XDG_CONFIG_HOME"))")
    }
    let isNamed = file != nil || shared.config != nil
    let problems = try ConfigurationCheck(paths, variables: environment.variables)
      .problems(path: path, isRequired: isNamed)
    for problem in problems {
      if json {
        var line = JSONObjectWriter()
        line.string("problem", problem.description)
        environment.output.line(line.finish())
      } else {
        environment.output.line(PlainText(problem.description, limit: 2000))
      }
    }
    guard let first = problems.first else {
      environment.output.remark(
        PlainText(
          SafeFile.exists(path)
            ? "\(path) is in order." : "\(path) does not exist; the defaults are in force.",
          limit: 4096))
      return
    }
    throw Failure(
      .usage,
      problems.count == 1
        ? first.description : "\(problems.count) problems; the first: \(first.description)")
  }
}
