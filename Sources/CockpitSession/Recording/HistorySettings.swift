import CockpitFiles
import CockpitHistory
import Networking

/// What the cockpit records of a bot, and where.
package struct HistorySettings: Sendable, Equatable {
  /// The folder of the bot; nil if there is neither a configured folder nor a state folder.
  package var folder: String?
  package var recorder: RecorderSettings
  package var recordsOwnerPrivate: Bool

  /// The defaults of `history.keep` and `history.max`.
  package static let standardKeepMs: Int64 = 86_400_000
  package static let standardMaxBytes = 1 << 30
}

extension Settings {
  /// What the cockpit records of a bot; nil if nothing.
  ///
  /// - Parameter bot: the address of the bot, without user and password.
  package func recording(of bot: String) -> HistorySettings? {
    let history = configuration.history
    // A configuration that cannot be read may turn recording off.
    guard !options.noHistory, options.source == nil, setAside == nil, history.record ?? true,
      history.keepMs != 0
    else { return nil }
    var recorder = RecorderSettings(
      keepMs: history.keepMs ?? HistorySettings.standardKeepMs,
      maxBytes: history.maxBytes ?? HistorySettings.standardMaxBytes, what: "cockpit",
      version: "", bot: bot)
    recorder.omitsWords = history.redact == "words"
    return HistorySettings(
      folder: historyFolder(of: bot), recorder: recorder,
      recordsOwnerPrivate: history.ownerPrivate ?? false)
  }

  /// The folder with the histories of all bots; nil if there is neither a configured folder nor a state folder.
  package var historiesFolder: String? {
    guard let named = configuration.history.folder else {
      return paths.state.map { $0 + "/history" }
    }
    if named.hasPrefix("~/") { return environment["HOME"].map { $0 + named.dropFirst() } }
    return named.hasPrefix("/") ? named : nil
  }

  /// The folder of one bot: its profile or address, and eight digits of a hash, so that similar names do not share one.
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
