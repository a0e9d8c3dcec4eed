import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
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
      HistoryPinCommand.self, HistoryUnpinCommand.self,
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

extension Failure {
  init(_ error: HistoryError) {
    self.init(error.reason == .refused ? .usage : .failed, error.description)
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

/// A time as an option: `2026-11-24T22:00`, with seconds or a zone, or how long ago, such as `2h`.
struct HistoryTime: Sendable, Hashable {
  var ms: Int64

  init?(_ text: String, nowMs: Int64) {
    if let duration = HistoryDuration(text) {
      ms = nowMs - duration.milliseconds
      return
    }
    for form in [
      "yyyy-MM-dd'T'HH:mm:ssZZZZZ", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd",
    ] {
      let format = DateFormatter()
      format.locale = Locale(identifier: "en_US_POSIX")
      format.timeZone = .current
      format.dateFormat = form
      guard let date = format.date(from: text) else { continue }
      ms = Int64(date.timeIntervalSince1970 * 1000)
      return
    }
    return nil
  }

  static func option(_ text: String) throws -> HistoryTime {
    guard let time = HistoryTime(text, nowMs: Int64(Date().timeIntervalSince1970 * 1000)) else {
      throw ValidationError(
        "a time is such as 2026-11-24T22:00, 2026-11-24T21:00:00Z, or 2h for two hours ago")
    }
    return time
  }
}
