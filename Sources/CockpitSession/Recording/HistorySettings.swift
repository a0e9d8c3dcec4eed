import CockpitFiles
import CockpitHistory
import Networking

/// What is recorded, and where.
package struct HistorySettings: Sendable, Equatable {
  /// The folder of the bot; nil if there is no place for it.
  package var folder: String?
  package var recorder: RecorderSettings
  package var recordsOwnerPrivate: Bool

  /// What the cockpit keeps unless it is told otherwise.
  package static let standardKeepMs: Int64 = 86_400_000
  package static let standardMaxBytes = 1 << 30
}

extension Settings {
  /// What the cockpit records of a bot; nil if nothing.
  ///
  /// - Parameter bot: its address, as it is shown.
  package func recording(of bot: String) -> HistorySettings? {
    let history = configuration.history
    // A configuration that cannot be read may say that nothing is recorded.
    guard !options.noHistory, options.source == nil, setAside == nil, history.record ?? true,
      history.keepMs != 0
    else { return nil }
    return HistorySettings(
      folder: historyFolder(of: bot),
      recorder: RecorderSettings(
        keepMs: history.keepMs ?? HistorySettings.standardKeepMs,
        maxBytes: history.maxBytes ?? HistorySettings.standardMaxBytes, what: "cockpit",
        version: "", bot: bot),
      recordsOwnerPrivate: history.ownerPrivate ?? false)
  }

  /// The folder with the histories of all bots; nil if there is no place for it.
  package var historiesFolder: String? {
    guard let named = configuration.history.folder else {
      return paths.state.map { $0 + "/history" }
    }
    if named.hasPrefix("~/") { return environment["HOME"].map { $0 + named.dropFirst() } }
    return named.hasPrefix("/") ? named : nil
  }

  /// The folder of one bot: its profile, or its address, and a number that tells bots of similar names apart.
  package func historyFolder(of bot: String) -> String? {
    let name = profileName.isEmpty ? bot : profileName
    let digits = StableHash.digits(of: name)
    let number = String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    let readable = name.replacing(/^https?:\/\//, with: "").map { character in
      character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
        ? character : "-"
    }
    let short = String(readable.prefix(40)).trimmingPrefix { $0 == "." || $0 == "-" }
    return historiesFolder.map { "\($0)/\(short)-\(number.prefix(8))" }
  }
}
