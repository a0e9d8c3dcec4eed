import ArgumentParser
import ClankyWire
import CockpitSession
import CockpitStores
import Foundation
import LenientJSON
import TerminalCore

/// `settings undo`: writes back what stood there before the last save from this machine.
struct SettingsUndoCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo",
    abstract: "Take back the last save from this machine.",
    usage: "clanky-cockpit settings undo [--yes] [OPTIONS]",
    discussion: """
      What was asked for before is in the journal, and is written back by the same way as every \
      other change. Repeated, it takes back the save before. A value that held a secret is not in the \
      journal and cannot be written back.
      """)

  @OptionGroup var options: SettingsWritingOptions

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try SettingsSession.permitWriting(settings, isReadOnly: options.readOnly)
    guard options.yes || environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes to send it")
    }
    let session = try await SettingsSession(settings)
    session.service.perform(.loadJournal)
    if let problem = session.store.diskProblem { throw Failure(.failed, problem) }
    let base = try await session.load()
    guard let entry = session.service.lastToUndo else {
      throw Failure(.failed, "The journal has no save of this bot that could be taken back.")
    }
    if let problem = entry.undoProblem { throw Failure(.failed, problem) }
    let edit = SettingsEdit(
      base, verb: .undo(write: entry.write), changes: entry.changes.map { ($0.path, $0.before) })
    try session.confirm(edit, of: base, isAnswered: options.yes)
    try await session.save(edit, json: options.json)
  }
}

/// `settings refresh`: applies the stored settings to live voice sessions.
struct SettingsRefreshCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "refresh",
    abstract: "Apply the stored settings to live voice sessions.",
    usage: "clanky-cockpit settings refresh [--yes] [OPTIONS]",
    discussion: """
      Every save does this by itself; it is needed when a save was stored and not applied. It \
      restarts the time limits of all live voice sessions, and ends those that the settings do not \
      permit.
      """)

  @OptionGroup var options: SettingsWritingOptions

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(options.shared, in: environment)
    try SettingsSession.permitWriting(settings, isReadOnly: options.readOnly)
    guard options.yes || environment.isAttended else {
      throw Failure(.usage, "nobody can be asked without a terminal; add --yes to send it")
    }
    let session = try await SettingsSession(settings)
    if !options.yes {
      environment.output.prompt(
        "This restarts the time limits of all live voice sessions. Apply the settings? [y/N] ")
      let answer = settings.process.readLine()?.lowercased().trimmingCharacters(in: .whitespaces)
      guard answer == "y" || answer == "yes" else { throw Failure(.failed, "Nothing was sent.") }
    }
    session.service.perform(.refresh)
    let store = session.store
    try await waitUnlessInterrupted { !store.refresh.isUnderWay }
    switch store.refresh {
    case .ended(let count, _):
      if options.json {
        environment.output.line(Self.line(count))
      } else {
        let live =
          count.map { $0 == 1 ? "1 is live" : "\($0) are live" } ?? "how many are live is not said"
        environment.output.complain("The settings are applied to the voice sessions: \(live) now.")
      }
    case .failed(let failure, _): throw Failure(failure)
    case .none, .underWay: throw Failure(.failed, "Nothing was sent; try again.")
    }
  }

  private static func line(_ count: Int?) -> [UInt8] {
    var line = JSONObjectWriter()
    line.string("type", "settings_refresh")
    line.int("liveSessions", count)
    return line.finish()
  }
}
