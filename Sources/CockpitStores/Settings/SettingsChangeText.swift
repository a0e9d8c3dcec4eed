internal import ClankyWire

/// Messages about a save. They may contain untrusted text of the backend, so they are sanitised
/// when drawn.
extension SettingsChange {
  static let nothingSent = "Nothing was sent."
  static let nothingStored = "Nothing was stored."
  static let notArrived =
    "The save did not arrive: the settings have the same version as before. It may yet arrive late; read "
    + "them again before you send it again."
  static let unread =
    "Whether the save was stored is unknown: the settings could not be read again; read them and compare."
  static let readsDifferently =
    "Whether the save was stored is unknown: somebody else saved meanwhile; compare and decide."

  /// Said before anything is sent.
  package static let liveSessions =
    "A save acts on live voice sessions at once: it restarts the time limits of all of them, and ends "
    + "those that the new settings do not permit."

  /// What happened and what to do, one sentence or two.
  package var sentence: String {
    switch state {
    case .waiting:
      "Another clanky-cockpit is changing the settings; this change waits until it has ended."
    case .checking: "The settings are being read again before anything is sent."
    case .sending: "The settings are being saved."
    case .verifying: doubtful
    case .conflict(let paths):
      "Somebody saved the settings meanwhile\(Self.named(paths)), nothing was stored; compare and decide."
    case .unchanged: "The settings read like this already; nothing had to be sent."
    case .failed(let sentence), .unknown(let sentence): sentence
    case .stored(let stored): Self.sentence(of: stored)
    }
  }

  private var doubtful: String {
    "Whether the save was stored is not known yet; the settings are being read to find out."
  }

  private static func named(_ paths: [SettingPath]) -> String {
    let names = paths.filter { !$0.keys.isEmpty }.prefix(3).map(\.description)
    guard !names.isEmpty else { return "" }
    let more = paths.count - names.count
    return " (\(names.joined(separator: ", "))\(more > 0 ? " and \(more) more" : ""))"
  }

  private static func sentence(of stored: SettingsStored) -> String {
    let other = stored.rows.filter(\.isOther)
    var sentence =
      other.isEmpty
      ? "Saved."
      : "Saved, but the bot made something else of \(other.count) of what was sent; compare."
    if !stored.others.isEmpty {
      sentence +=
        stored.others.count == 1
        ? " 1 other setting changed with it."
        : " \(stored.others.count) other settings changed with it."
    }
    if !stored.isApplied {
      let why = stored.settings.applyError.map { " (\($0))" } ?? ""
      sentence += " Live voice sessions were not told\(why); refresh applies the settings to them."
    }
    return sentence
  }

  /// The outcome for the journal; nil while it is under way.
  var outcome: SettingsJournalEntry.Outcome? {
    switch state {
    case .waiting, .checking, .sending, .verifying: nil
    case .conflict: .conflict
    case .unchanged: .unchanged
    case .failed: .failed
    case .unknown: .unknown
    case .stored: .stored
    }
  }
}
