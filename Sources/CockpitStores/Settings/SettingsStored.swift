package import LenientJSON
package import ClankyWire

/// What the backend made of a save: it clamps, cuts and drops without a word, so what it stored
/// stands beside what was sent.
package struct SettingsStored: Hashable, Sendable {
  /// One setting of the change.
  package struct Row: Hashable, Sendable {
    package var path: SettingPath
    /// nil took the default.
    package var sent: JSONValue?
    /// In effect before and now; nil if the backend does not have it.
    package var before: JSONValue?
    package var stored: JSONValue?

    /// Whether the backend made something else of what was sent. A default that was taken is what
    /// was meant, whatever it is.
    package var isOther: Bool {
      guard let sent else { return false }
      guard let stored else { return true }
      return !Self.fits(sent, in: stored)
    }

    /// An object may be completed, as a policy is.
    private static func fits(_ sent: JSONValue, in stored: JSONValue) -> Bool {
      guard case .object(let asked) = sent, case .object(let given) = stored else {
        return sent.meansSame(as: stored)
      }
      return asked.members.allSatisfy { member in
        given[member.key].map { fits(member.value, in: $0) } ?? false
      }
    }
  }

  package var rows: [Row]
  /// Other settings whose effect changed with it: they follow a preset, or depend on one of these.
  package var others: [SettingDifference]
  package var settings: BotSettings

  init(_ edit: SettingsEdit, before: BotSettings, after: BotSettings) {
    settings = after
    rows = edit.steps.map { step in
      Row(
        path: step.path, sent: step.after, before: before.effective.value(at: step.path),
        stored: after.effective.value(at: step.path))
    }
    others = SettingDifference.between(before.effective, after.effective).filter { difference in
      !edit.steps.contains { $0.path.touches(difference.path) }
    }
  }

  /// Whether the backend stored what was sent, and nothing else changed its effect.
  package var isExact: Bool { !rows.contains(where: \.isOther) }
  /// Whether the live sessions were told.
  package var isApplied: Bool { settings.isApplied != false }
}
