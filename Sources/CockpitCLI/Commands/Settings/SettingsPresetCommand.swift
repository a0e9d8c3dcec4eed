import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import Foundation
import TerminalCore

/// The option that stands for typing the word on a terminal.
struct SettingsWholeOptions: ParsableArguments {
  @OptionGroup var shared: SharedOptions

  @Option(
    help: ArgumentHelp("The word that would be typed; sends without asking.", valueName: "WORD"))
  var confirm: String?

  @Flag(help: "Print the outcome as one JSON object, ASCII only.")
  var json = false

  @Flag(help: "Refuse whatever changes something on the backend.")
  var readOnly = false

  /// Takes all defaults of a preset after its name, or `reset`, was typed.
  @MainActor func run(
    _ verb: SettingsEdit.Verb, preset: String?, word: String, in environment: Environment
  ) async throws {
    let settings = try Settings(shared, in: environment)
    try SettingsSession.permitWriting(settings, isReadOnly: readOnly)
    guard confirm != nil || environment.isAttended else {
      throw Failure(.usage, "nobody can type \(word) without a terminal; add --confirm \(word)")
    }
    guard confirm == nil || confirm == word else {
      throw Failure(.usage, "--confirm wants the word \(word)")
    }
    let session = try await SettingsSession(settings)
    let base = try await session.load()
    let preview = try await session.preview(preset)
    if let preset, preview.preset != preset {
      throw Failure(.usage, "the bot knows no preset \(preset)")
    }
    let edit = SettingsEdit(base, verb: verb, into: preview.intent)
    environment.output.complain(
      "What is permitted in which channels stays; everything else below goes to the defaults.")
    try session.confirm(edit, of: base, isAnswered: confirm != nil, word: word)
    try await session.save(edit, json: json)
  }
}

/// `settings preset`: takes the defaults of a family of models.
struct SettingsPresetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "preset",
    abstract: "Take all defaults of a preset.",
    usage: "clanky-cockpit settings preset NAME [--confirm NAME] [OPTIONS]",
    discussion: """
      Name, persona, prompts, limits and prices go to their defaults too; what is permitted in which \
      channels stays. Everything that changes is shown, and the name of the preset has to be typed. \
      To change the models alone: settings set agentStack.preset NAME.

      Known names: claude_oauth, claude_api, openai_native_realtime, openai_api, openai_oauth, \
      grok_native_agent.
      """)

  @OptionGroup var options: SettingsWholeOptions

  @Argument(help: ArgumentHelp("The preset.", valueName: "NAME"))
  var name: String

  @MainActor func run(in environment: Environment) async throws {
    try await options.run(.preset(name), preset: name, word: name, in: environment)
  }
}

/// `settings reset`: takes all defaults.
struct SettingsResetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "reset",
    abstract: "Take all defaults of the first preset.",
    usage: "clanky-cockpit settings reset [--confirm reset] [OPTIONS]",
    discussion: """
      What is permitted in which channels stays. Everything that changes is shown, and the word reset \
      has to be typed. 'settings undo' writes back what stood there.
      """)

  @OptionGroup var options: SettingsWholeOptions

  @MainActor func run(in environment: Environment) async throws {
    try await options.run(.reset, preset: nil, word: "reset", in: environment)
  }
}
