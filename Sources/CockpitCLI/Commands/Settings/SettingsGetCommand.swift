import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import TerminalCore

/// `settings get`: settings with their values, defaults and sentences.
struct SettingsGetCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print settings: what is in effect, and what differs from the default.",
    usage: "clanky-cockpit settings get [PATH] [--search WORDS] [OPTIONS]",
    discussion: """
      PATH is a setting or a section, such as voice or voice.sessionLimits. A setting that was asked \
      for, and so differs from its default, is marked with *. One setting alone is printed with its \
      type, its default, and what it does. Secrets are masked.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("A setting or a section.", valueName: "PATH"))
  var path: SettingPathArgument?

  @Option(
    help: ArgumentHelp("Only settings whose path or sentence has these words.", valueName: "WORDS"))
  var search: String?

  @Flag(help: "Only settings that differ from their default.")
  var differing = false

  @Flag(help: "JSON lines, ASCII only, one for each setting.")
  var json = false

  @MainActor func run(in environment: Environment) async throws {
    let session = try await SettingsSession(Settings(shared, in: environment))
    let settings = try await session.load()
    if let flaw = settings.flaw { environment.output.complain(flaw) }
    let items = selected(of: settings)
    guard !items.isEmpty else { throw Failure(.failed, "No setting matches.") }
    for item in items {
      if json {
        environment.output.line(Self.record(item))
      } else if items.count == 1, path != nil {
        for line in Self.details(item) { environment.output.line(line) }
      } else {
        environment.output.line(Self.line(item))
      }
    }
  }

  private func selected(of settings: BotSettings) -> [SettingItem] {
    let words = (search ?? "").split(separator: " ").map(String.init)
    var items = SettingItem.all(of: settings).filter { item in
      (path.map { item.path.isWithin($0.path) } ?? true) && item.matches(words)
        && (!differing || item.differs)
    }
    // A part of a setting, such as the mode of a policy.
    if items.isEmpty, let path = path?.path, words.isEmpty {
      let part = SettingItem(settings, path)
      if part.value != nil || part.asked != nil { items = [part] }
    }
    return items
  }

  private static func line(_ item: SettingItem) -> PlainText {
    let mark: PlainText = item.differs ? "* " : "  "
    return mark + PlainText(item.path.description) + " = "
      + SettingWords.value(item.value, at: item.path)
  }

  private static func details(_ item: SettingItem) -> [PlainText] {
    var lines: [PlainText] = [line(item)]
    if let asked = item.asked, !item.value.meansSame(as: asked) {
      lines.append("  asked for: " + SettingWords.value(asked, at: item.path))
    }
    if let standard = item.defaultValue {
      lines.append("  default: " + SettingWords.value(standard, at: item.path))
    } else {
      lines.append(
        item.field?.followsPreset == true ? "  default: the preset's" : "  default: not known here")
    }
    guard let field = item.field else {
      return lines + ["  Not known here; it takes JSON."]
    }
    if field.path == item.path { lines.append(PlainText("  takes: \(field.kind.words)")) }
    lines.append(PlainText("  felt: \(field.effect.words)"))
    lines.append(PlainText("  \(field.sentence)"))
    if !field.remark.isEmpty { lines.append(PlainText("  Note: \(field.remark)")) }
    return lines
  }

  static func record(_ item: SettingItem) -> [UInt8] {
    func shown(_ value: JSONValue?) -> JSONValue {
      value.map { SettingSecrecy.masked($0, at: item.path) } ?? .null
    }
    var line = JSONObjectWriter()
    line.string("path", item.path.description)
    line.value("value", shown(item.value))
    line.bool("differs", item.differs)
    line.value("asked", shown(item.asked))
    line.value("default", shown(item.defaultValue))
    line.string("takes", item.field.flatMap { $0.path == item.path ? $0.kind.words : nil })
    line.string("effect", item.field?.effect.rawValue)
    line.string("sentence", item.field?.sentence)
    return line.finish()
  }
}
