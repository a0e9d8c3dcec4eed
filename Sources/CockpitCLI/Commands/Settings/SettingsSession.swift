import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import CockpitText
import Foundation
import LenientJSON
import Networking
import TerminalCore

/// One run of a `settings` verb: the service of CMD on a backend, without a screen.
@MainActor
struct SettingsSession {
  let settings: Settings
  let store = SettingsStore()
  let service: SettingsService
  private let session: RestSession

  init(_ settings: Settings) async throws {
    self.settings = settings
    session = try await RestSession(settings)
    let clock = session.clock
    service = SettingsService(
      store: store, requester: session.link, clock: clock,
      storage: StateStorage(settings.paths) { clock.wallMs },
      backend: session.address, isReadOnly: false)
  }

  var output: Output { settings.output }

  /// - Throws: exit code 2 where nothing may be changed.
  static func permitWriting(_ settings: Settings, isReadOnly: Bool) throws(Failure) {
    if isReadOnly {
      throw Failure(.usage, "--read-only refuses whatever changes something; leave it out")
    }
    if let reason = settings.readOnlyReason { throw Failure(.usage, reason) }
  }

  // MARK: Reading

  func load() async throws(Failure) -> BotSettings {
    service.perform(.load)
    try await waitUnlessInterrupted { [store] in !store.document.isLoading }
    return try value(of: store.document)
  }

  /// The defaults of a preset; nil: of the first one, as a reset has them.
  func preview(_ preset: String?) async throws(Failure) -> BotSettings {
    service.perform(.preview(preset: preset))
    try await waitUnlessInterrupted { [store] in !store.preview.isLoading }
    return try value(of: store.preview)
  }

  private func value(of fetched: Fetched<BotSettings>) throws(Failure) -> BotSettings {
    switch fetched {
    case .loaded(let settings, _): return settings
    case .failed(let failure, _): throw Failure(failure)
    case .notServed: throw Failure(.failed, "This backend has no settings to read.")
    case .none, .loading: throw Failure(.failed, "The settings were not read; try again.")
    }
  }

  // MARK: Asking

  /// Prints the change, and asks whether to send it.
  ///
  /// - Parameter word: to be typed in place of a yes.
  func confirm(
    _ edit: SettingsEdit, of base: BotSettings, isAnswered: Bool, word: String? = nil
  ) throws(Failure) {
    if let problem = edit.problem { throw Failure(.usage, problem) }
    for line in SettingWords.review(edit, of: base) {
      output.remark(line.path + ":")
      output.remark("- " + line.before)
      output.remark("+ " + line.after)
      if !line.note.isEmpty { output.remark("  " + line.note) }
    }
    guard !edit.isEmpty, !isAnswered else { return }
    output.complain(SettingsChange.liveSessions)
    let question = SettingWords.question(edit)
    if let word {
      output.prompt(PlainText("\(question) Type \(word) to do it: "))
      guard answer() == word else { throw Failure(.failed, "Nothing was sent.") }
    } else {
      output.prompt(PlainText(question + " [y/N] "))
      guard ["y", "yes"].contains(answer()?.lowercased()) else {
        throw Failure(.failed, "Nothing was sent.")
      }
    }
  }

  private func answer() -> String? {
    settings.process.readLine()?.trimmingCharacters(in: .whitespaces)
  }

  // MARK: Sending

  /// Saves, and reports.
  ///
  /// - Throws: unless the bot stored exactly what was sent.
  func save(_ edit: SettingsEdit, json: Bool) async throws(Failure) {
    sayInterruption()
    service.perform(.save(edit))
    if store.change?.state == .waiting { output.complain(store.change?.sentence ?? "") }
    try await waitUnlessInterrupted { [store] in store.change?.isUnderWay != true }
    if let problem = store.diskProblem { output.complain(problem) }
    guard let change = store.change else { throw Failure(.failed, "Nothing was sent.") }
    if json { output.line(Self.record(change)) }
    switch change.state {
    case .unchanged: output.complain(change.sentence)
    case .stored(let stored):
      for line in SettingWords.outcome(stored) { output.remark(line) }
      guard stored.isExact, stored.isApplied else { throw Failure(.failed, change.sentence) }
      output.complain(change.sentence)
    case .conflict(let paths):
      if let latest = change.latest {
        for path in paths where !path.keys.isEmpty {
          let theirs = SettingWords.value(latest.effective.value(at: path), at: path)
          output.remark(PlainText(path.description) + ": theirs is " + theirs)
        }
      }
      throw Failure(.failed, change.sentence + " Run the command again to send yours.")
    case .failed:
      throw Failure(Failure.Code(change.failure, wasSent: change.wasSent), change.sentence)
    case .unknown, .waiting, .checking, .sending, .verifying:
      throw Failure(.failed, change.sentence)
    }
  }

  /// Says how things stand when the command is interrupted, and ends it.
  private func sayInterruption() {
    Task { @MainActor [process = settings.process, store] in
      guard let number = await process.interruption() else { return }
      let wasSent = store.change.map { $0.wasSent && $0.isUnderWay } ?? false
      process.output.complain(
        wasSent
          ? "Interrupted while a save was under way: its outcome is unknown. What was sent is in 'clanky-cockpit settings journal'."
          : "Interrupted; nothing was sent.")
      process.end(.exit(128 + number))
    }
  }

  /// The outcome as one object.
  private static func record(_ change: SettingsChange) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "settings_save")
    line.string("verb", change.edit.verb.word)
    line.string("sentence", change.sentence)
    var stored: SettingsStored?
    if case .stored(let outcome) = change.state { stored = outcome }
    line.bool("stored", stored != nil)
    line.bool("exact", stored?.isExact)
    line.bool("applied", stored?.isApplied)
    line.string("version", change.latest?.version)
    line.value("changes", .array(change.edit.steps.map { json($0, in: stored) }))
    line.value(
      "others",
      .array(
        (stored?.others ?? []).map { other in
          .body([
            ("path", .string(other.path.description)),
            ("before", other.before.map { SettingSecrecy.masked($0, at: other.path) }),
            ("stored", other.after.map { SettingSecrecy.masked($0, at: other.path) }),
          ])
        }))
    return line.finish()
  }

  private static func json(_ step: SettingsEdit.Step, in stored: SettingsStored?) -> JSONValue {
    let row = stored?.rows.first { $0.path == step.path }
    func shown(_ value: JSONValue?) -> JSONValue? {
      value.map { SettingSecrecy.masked($0, at: step.path) }
    }
    return .body([
      ("path", .string(step.path.description)), ("before", shown(step.effective)),
      ("sent", shown(step.after)), ("stored", shown(row?.stored)),
      ("changedByBot", row.map { .bool($0.isOther) }),
    ])
  }
}
