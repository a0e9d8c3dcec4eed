import ClankyWire
import CockpitDomain
import CockpitStores
import LenientJSON
import TerminalCore

/// What a save or a refresh does to live voice sessions, said before it is sent.
@MainActor
struct SettingsLiveText {
  private let facts: ViewContext
  /// nil: the stored settings are applied again.
  private let edit: SettingsEdit?

  init(_ facts: ViewContext, edit: SettingsEdit?) {
    self.facts = facts
    self.edit = edit
  }

  private var act: String { edit == nil ? "This" : "A save" }

  var words: (PlainText, Role) {
    // Without a current voice state the number of sessions is unknown.
    guard !facts.isUnheard, facts.dataEndMs(.voice) == nil else {
      return (
        PlainText(
          "\(act) restarts the time limits of all live voice sessions, and ends those that the settings do not "
            + "permit; how many are live is not known now."), .warning
      )
    }
    let count = facts.voice.sessions.count
    guard count > 0 else {
      return (
        "No voice session is live now, so there is none whose time limits would restart.", .muted
      )
    }
    let sessions = count == 1 ? "1 live voice session" : "\(count) live voice sessions"
    if let ending { return (PlainText("\(act) acts at once: \(ending)"), .negative) }
    return (
      PlainText(
        "\(act) restarts the time limits of \(sessions), whatever was changed, and ends those that the settings "
          + "do not permit."), .warning
    )
  }

  /// What an edit ends for certain, or may end.
  private var ending: String? {
    guard let edit else { return nil }
    let count = facts.voice.sessions.count
    let all = count == 1 ? "the live voice session" : "all \(count) live voice sessions"
    for step in edit.steps {
      if step.path.keys == ["voice", "enabled"], step.after == .bool(false) {
        return "it ends \(all)."
      }
      if step.path.keys.starts(with: ["voice", "channelPolicy"]) {
        return
          "it ends each live voice session whose channel these lists do not permit, and restarts the time limits "
          + "of the others (\(count) live now)."
      }
    }
    return nil
  }
}
