import ArgumentParser
import CockpitFiles
import CockpitHistory
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import Networking

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
    let bot = try settings.sourceName()
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

extension HistoryOptions {
  /// What rows call the bot of a folder, unless a profile names it: the address at which a recorder has heard it.
  func botAddress(_ settings: Settings, _ folder: String) throws(Failure) -> String {
    guard self.folder != nil else { return try settings.sourceName() }
    return HistoryBot.read(folder)?.addresses.last ?? folder
  }
}

extension Settings {
  /// Parses the time of an option, such as `14:31`, `-10m` or `2026-11-24T22:00`.
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
