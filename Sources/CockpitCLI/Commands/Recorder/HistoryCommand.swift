import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import Networking

/// `history`: what was recorded on the disk.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Look at what was recorded on the disk, search it, keep or remove parts of it.",
    discussion: """
      The cockpit and 'record' write it; these verbs need no backend. docs/history.md has the tables.

      Examples:
        clanky-cockpit history status
        clanky-cockpit history search 'why silent' -n 20
        clanky-cockpit history pin --from 2026-11-24T22:00 --to 2026-11-24T23:00 --note 'the silence'

      Exit codes: 0 done, 1 nothing found or damage found, 2 usage.
      """,
    subcommands: [
      HistoryStatusCommand.self, HistoryListCommand.self, HistorySearchCommand.self,
      HistoryVerifyCommand.self, HistoryRebuildCommand.self, HistoryPruneCommand.self,
      HistoryPinCommand.self, HistoryUnpinCommand.self, HistoryForgetCommand.self,
      HistoryRepairCommand.self, HistoryExportCommand.self, HistoryImportCommand.self,
    ])
}

/// Which history is meant.
struct HistoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "A folder of day files instead of the one of the profile or --url.", valueName: "DIR"),
    completion: .directory)
  var folder: String?

  /// The folder of the bot.
  func path(_ settings: Settings) throws(Failure) -> String {
    if let folder { return folder }
    let bot = try settings.backendURL().description
    guard let folder = settings.historyFolder(of: bot) else {
      throw Failure(
        .usage,
        "there is no place for a history: \(settings.paths.remedy("XDG_STATE_HOME")); or name a folder with --folder"
      )
    }
    return folder
  }
}

/// Work with a history, with its error as that of a verb.
func reading<Value>(_ work: () throws(HistoryError) -> Value) throws(Failure) -> Value {
  do throws(HistoryError) {
    return try work()
  } catch {
    throw Failure(error)
  }
}

extension Settings {
  /// A time as it is typed for an option: `14:31`, `-10m`, `2026-11-24T22:00`.
  ///
  /// - Parameter option: its name, for the message.
  func moment(_ text: String, of option: String) throws(Failure) -> Int64 {
    let nowMs = Int64(Date().timeIntervalSince1970 * 1000)
    guard let ms = QueryMoment.start(of: text, nowMs: nowMs, in: clock.queryZone) else {
      throw Failure(
        .usage, "'\(text)' is no time; \(option) 14:31, -10m or 2026-05-09T14:31 names one")
    }
    return ms
  }
}
