package import ClankyWire
import Observation

/// The settings of the bot and what is done about them. Written only by `SettingsService`.
@MainActor
@Observable
package final class SettingsStore {
  package internal(set) var document = Fetched<BotSettings>.none
  /// The defaults of a preset, as asked for last; never stored by asking.
  package internal(set) var preview = Fetched<BotSettings>.none
  /// How many were asked for and answered.
  package internal(set) var previewCount = 0
  /// The save that is under way, or the outcome of the last one until it is dismissed.
  package internal(set) var change: SettingsChange?
  /// The last request to apply the settings to live sessions: how many there were.
  package internal(set) var refresh = Progress<Int?>.none
  /// The saves from this machine, oldest first; nil until they were read.
  package internal(set) var journal: [SettingsJournalEntry]?
  /// What was typed and not saved, by setting.
  package internal(set) var drafts: [SettingPath: SettingsDraft] = [:]
  /// What is wrong with the journal, as one sentence.
  package internal(set) var diskProblem: String?

  package init() {}
}

/// Something about the settings that is wanted; `SettingsService` carries it out.
package enum SettingsRequest: Hashable, Sendable {
  // Reading
  case load
  /// The defaults of a preset; nil: of the first one, as `reset` has them.
  case preview(preset: String?)
  case loadJournal
  // Drafts
  case keepDraft(SettingPath, text: String)
  case dropDraft(SettingPath)
  // Changing
  case save(SettingsEdit)
  /// The user has read the outcome.
  case dismiss
  /// Apply the stored settings to live voice sessions.
  case refresh
}
