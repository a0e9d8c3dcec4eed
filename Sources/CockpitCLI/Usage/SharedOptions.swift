import CockpitSession
import ArgumentParser
import CockpitDemo
import CockpitFiles
import Foundation

/// The options that every command understands (command-line contract, "Everywhere").
struct SharedOptions: ParsableArguments {
  @Option(
    name: .customLong("url"),
    help: ArgumentHelp(
      "The backend (default: profile, $CLANKY_URL, http://127.0.0.1:8787).", valueName: "URL"))
  var url: String?

  @Option(
    help: ArgumentHelp(
      "A file with the token: regular, yours, mode 0600 or stricter.", valueName: "F"),
    completion: .file())
  var tokenFile: String?

  @Option(
    help: ArgumentHelp("A [profiles.NAME] table of the config file.", valueName: "NAME"),
    completion: Completions.profiles)
  var profile: String?

  @Option(
    help: ArgumentHelp("An extra trust anchor for TLS, PEM.", valueName: "F"), completion: .file())
  var caFile: String?

  @Option(
    help: ArgumentHelp(
      "Only what belongs to this guild, by its id or name: rows, counts, costs, sessions, facts; off means all. Figures that the backend has for all guilds alone say so.",
      valueName: "GUILD"))
  var guild: String?

  @Option(help: ArgumentHelp("The configuration file.", valueName: "F"), completion: .file())
  var config: String?

  @Flag(help: "Plain http to a host that is not this machine: the token is readable on the way.")
  var allowPlainHttp = false

  @Flag(help: "The same as --color never.")
  var noColor = false

  @Option(help: "When to use colours.")
  var color: ColorChoice?

  @Option(
    help: ArgumentHelp("Colours; auto chooses a light or a dark theme.", valueName: "NAME"),
    completion: Completions.themes)
  var theme: String?

  @Option(help: "Which glyphs to draw with.")
  var glyphs: GlyphChoice?

  @Flag(help: "Show times in UTC instead of local time.")
  var utc = false

  @Option(
    help: ArgumentHelp(
      "Raw actions that are kept (default 64MiB; 32MiB for several).", valueName: "SIZE"),
    transform: { text in
      guard let count = ByteCount(text) else {
        throw ValidationError("--memory is a size from 4MiB to 4GiB, such as 64MiB")
      }
      return count.value
    })
  var memory: Int?

  @Option(
    help: ArgumentHelp(
      "Use the embedded demo backend: no network, no token. openclaw, elevenlabs and companion are the demos of a gateway, of an ElevenLabs agent and of a companion gateway, for the screen and for chat; several is a bot and a gateway on one screen.",
      valueName: "SCENARIO"))
  var demo: DemoChoice?

  /// The same for the parts that know no parser.
  var given: GivenOptions {
    var given = GivenOptions()
    given.url = url
    given.tokenFile = tokenFile
    given.profile = profile
    given.caFile = caFile
    given.guild = guild
    given.config = config
    given.allowPlainHttp = allowPlainHttp
    given.noColor = noColor
    given.color = color
    given.theme = theme
    given.glyphs = glyphs
    given.utc = utc
    given.memory = memory
    given.source = demo?.source
    return given
  }
}

extension Settings {
  /// - Throws: `Failure` with exit code 2 if the configuration cannot be used.
  init(
    _ options: SharedOptions, in environment: Environment, complains: Bool = true
  ) throws(Failure) {
    try self.init(options.given, in: environment, complains: complains)
  }
}

extension ColorChoice: ExpressibleByArgument {}
extension GlyphChoice: ExpressibleByArgument {}
extension DemoScenario: ExpressibleByArgument {}
extension DemoDialect: ExpressibleByArgument {}
extension DemoKind: ExpressibleByArgument {}

/// What `--demo` takes: a scenario of the demo bot, the demo of a gateway, or both.
struct DemoChoice: ExpressibleByArgument, Sendable {
  let source: GivenSource
  /// As it is typed.
  let word: String

  private static let gateway = "openclaw"
  private static let elevenLabs = "elevenlabs"
  private static let companion = "companion"
  private static let several = "several"

  static var allValueStrings: [String] {
    DemoScenario.allCases.map(\.rawValue) + [gateway, elevenLabs, companion, several]
  }

  init?(argument: String) {
    word = argument
    if argument == Self.gateway {
      source = .gatewayDemo
    } else if argument == Self.elevenLabs {
      source = .elevenLabsDemo
    } else if argument == Self.companion {
      source = .companionDemo
    } else if argument == Self.several {
      source = .severalDemo
    } else if let scenario = DemoScenario(rawValue: argument) {
      source = .demo(scenario)
    } else {
      return nil
    }
  }
}
