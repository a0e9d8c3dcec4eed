import CockpitFiles
import CockpitStores
import Foundation

/// Drafts and journals of MEMORY and of the bot's settings, in the state directory.
/// Nothing is created there before the first write.
@MainActor
package final class StateStorage: MemoryStorage, SettingsStorage {
  private let shelf: DraftStore
  private let settingsShelf: DraftStore
  private let file: JournalFile
  private let settingsFile: JournalFile
  private let locks: ChangeLocks
  private let wallMs: () -> Int64
  /// Drafts that are there and could not be read the last time they were listed.
  package private(set) var problems: [FileError] = []

  /// nil if there is no state directory: neither XDG_STATE_HOME nor HOME is an absolute path.
  ///
  /// - Parameter wallMs: ms since 1970.
  package init?(_ paths: Paths, wallMs: @escaping () -> Int64) {
    guard let state = paths.state else { return nil }
    shelf = DraftStore(state: state)
    settingsShelf = DraftStore(state: state, folder: "settings-drafts")
    file = JournalFile(folder: state)
    settingsFile = Self.settingsJournal(state)
    locks = ChangeLocks(folder: state)
    self.wallMs = wallMs
  }

  package func saveDraft(_ bytes: [UInt8], name: String) throws {
    try shelf.save(bytes, name: name)
  }

  package func removeDraft(name: String) throws { try shelf.remove(name) }

  package func drafts() throws -> [(name: String, bytes: [UInt8])] {
    let listing = try shelf.list(nowSeconds: Int(wallMs() / 1000))
    problems = listing.problems
    return listing.drafts.map { ($0.name, $0.bytes) }
  }

  package func draft(name: String) throws -> [UInt8]? { try shelf.draft(name) }

  package func setDraftAside(name: String) throws { try shelf.setAside(name) }

  package func appendToJournal(_ line: [UInt8]) throws { try file.append(line) }

  package func journal(last count: Int) throws -> [[UInt8]] { try file.last(count) }

  package func appendToSettingsJournal(_ line: [UInt8]) throws { try settingsFile.append(line) }

  package func settingsJournal(last count: Int) throws -> [[UInt8]] {
    try settingsFile.last(count)
  }

  package func saveSettingsDraft(_ bytes: [UInt8], name: String) throws {
    try settingsShelf.save(bytes, name: name)
  }

  package func removeSettingsDraft(name: String) throws { try settingsShelf.remove(name) }

  package func settingsDrafts() throws -> [[UInt8]] {
    try settingsShelf.list(nowSeconds: Int(wallMs() / 1000)).drafts.map(\.bytes)
  }

  /// The file of the saves of the bot's settings in a state directory.
  package nonisolated static func settingsJournal(_ state: String) -> JournalFile {
    JournalFile(folder: state, stem: "settings")
  }

  package func takeTurn(_ name: String) throws -> Bool { try locks.take(name) }

  package func endTurn(_ name: String) { locks.giveBack(name) }
}
