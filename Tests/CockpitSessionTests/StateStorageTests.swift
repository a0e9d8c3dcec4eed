import CockpitFiles
import CockpitStores
import Foundation
import Testing

@testable import CockpitSession

@MainActor @Suite struct StateStorageTests {
  @Test("what the desk keeps is there for the next process, and nothing is made before")
  func roundTrip() throws {
    let home = FileManager.default.temporaryDirectory
      .appending(path: "clanky-storage-\(UUID().uuidString)").path()
    defer { try? FileManager.default.removeItem(atPath: home) }
    let paths = Paths(environment: ["XDG_STATE_HOME": home], executable: nil)
    let storage: any MemoryStorage = try #require(StateStorage(paths) { 0 })
    #expect(try storage.drafts().isEmpty)
    #expect(try storage.journal(last: 10).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: home))

    try storage.saveDraft([1, 2], name: "one")
    try storage.saveDraft([3], name: "two")
    try storage.appendToJournal(Array("{}".utf8))
    let next: any MemoryStorage = try #require(StateStorage(paths) { 0 })
    #expect(try next.drafts().map(\.name) == ["one", "two"])
    #expect(try next.journal(last: 10) == [Array("{}".utf8)])
    #expect(try next.draft(name: "one") == [1, 2])
    #expect(try next.draft(name: "three") == nil)
    try next.setDraftAside(name: "one")
    try next.removeDraft(name: "two")
    #expect(try storage.drafts().isEmpty)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: "\(home)/clanky-cockpit/drafts")
        == ["one.json.unreadable-1"])
  }

  @Test("without HOME there is no storage")
  func noHome() {
    let storage = StateStorage(Paths(environment: [:], executable: nil)) { 0 }
    #expect(storage.map { _ in true } == nil)
  }
}
