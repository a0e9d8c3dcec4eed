import ArgumentParser
import ClankyWire
import CockpitFiles
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `settings diff`: what differs from the defaults, or from an exported document.
struct SettingsDiffCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what differs from the defaults, or from an exported file.",
    usage: "clanky-cockpit settings diff [FILE] [OPTIONS]",
    discussion: """
      Without FILE: each setting that was asked for, with its default where that is known here. With \
      FILE, which 'settings export' wrote: what was asked for then (-) and now (+). Masked secrets \
      are compared as masks. Exits with 0 either way.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("An exported document.", valueName: "FILE"), completion: .file())
  var file: String?

  @Flag(help: "JSON lines, ASCII only, one for each difference.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let old = try file.map(Self.document)
    let session = try await SettingsSession(Settings(shared, in: environment))
    let settings = try await session.load()
    if let flaw = settings.flaw { environment.output.complain(flaw) }
    let differences =
      old.map { SettingDifference.between($0, SettingSecrecy.masked(settings.intent)) }
      ?? settings.intent.settings.map { leaf in
        SettingDifference(
          path: leaf.path, before: SettingItem(settings, leaf.path).defaultValue,
          after: settings.effective.value(at: leaf.path) ?? leaf.value)
      }
    if differences.isEmpty { environment.output.complain("Nothing differs.") }
    for difference in differences { show(difference, environment.output) }
  }

  private func show(_ difference: SettingDifference, _ output: Output) {
    func masked(_ value: JSONValue?) -> JSONValue {
      value.map { SettingSecrecy.masked($0, at: difference.path) } ?? .null
    }
    if json {
      var line = JSONObjectWriter()
      line.string("path", difference.path.description)
      line.value("before", masked(difference.before))
      line.value("after", masked(difference.after))
      return output.line(line.finish())
    }
    output.line(PlainText(difference.path.description))
    let before: PlainText =
      difference.before == nil
      ? (file == nil ? "default not known here" : "not asked for")
      : SettingWords.value(difference.before, at: difference.path)
    output.line("- " + before)
    output.line(
      "+ "
        + (difference.after == nil
          ? "not asked for" : SettingWords.value(difference.after, at: difference.path)))
  }

  private static func document(_ path: String) throws(Failure) -> JSONObject {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw Failure(.usage, "'\(path)' cannot be read")
    }
    guard let json = try? JSONValue.parse(Array(data)), let object = json.object else {
      throw Failure(.usage, "'\(path)' is no settings document; 'settings export' writes one")
    }
    return object["intent"]?.object ?? object
  }
}
