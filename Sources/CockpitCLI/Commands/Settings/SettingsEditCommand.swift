import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// `settings edit`: one setting in the user's editor.
struct SettingsEditCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Change one setting in $VISUAL or $EDITOR.",
    usage: "clanky-cockpit settings edit PATH [OPTIONS]",
    discussion: """
      A text opens as it is, everything else as JSON. You are asked before it is sent; then it goes \
      the way of 'settings set'. A setting that holds a secret is not opened, since the file would \
      hold it too.
      """)

  @OptionGroup var options: SettingsWritingOptions

  @Argument(help: ArgumentHelp("The setting.", valueName: "PATH"))
  var path: SettingPathArgument

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try SettingsSession.permitWriting(settings, isReadOnly: options.readOnly)
    guard environment.isAttended else {
      throw Failure(.usage, "an editor can only be opened on a terminal; use 'settings set'")
    }
    let session = try await SettingsSession(settings)
    let base = try await session.load()
    let item = SettingItem(base, path.path)
    if let value = item.asked ?? item.value,
      SettingSecrecy.holdsMask(SettingSecrecy.masked(value, at: path.path))
    {
      throw Failure(.usage, "\(path.path) holds a secret; set it with 'settings set'")
    }
    var text = item.editableText
    while true {
      guard let edited = try await EditorRun(settings).edited(text + "\n", keep: { _ in false })
      else { throw Failure(.failed, "Nothing was changed, so nothing was sent.") }
      text = edited.hasSuffix("\n") ? String(edited.dropLast()) : edited
      let value: JSONValue
      do throws(SettingValueProblem) {
        value = try item.value(typed: text)
      } catch {
        environment.output.complain("\(path.path): \(error.description)")
        environment.output.prompt("Open it again? [y/N] ")
        let answer = settings.process.readLine()?.lowercased().trimmingCharacters(in: .whitespaces)
        guard answer == "y" || answer == "yes" else { throw Failure(.usage, "Nothing was sent.") }
        continue
      }
      let edit = SettingsEdit(base, changes: [(path.path, value)])
      try session.confirm(edit, of: base, isAnswered: options.yes)
      return try await session.save(edit, json: options.json)
    }
  }
}
