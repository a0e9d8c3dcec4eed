import ClankyWire
import LenientJSON
import Testing

@testable import CockpitStores

@Suite("What can be taken back")
struct SettingsJournalTests {
  private static let here = "http://here"
  private static let path = SettingPath(["memory", "enabled"])

  private static func entry(
    _ write: String, _ outcome: SettingsJournalEntry.Outcome, at backend: String = here,
    verb: String = "set", undoes: String? = nil, before: JSONValue? = nil,
    after: JSONValue? = .bool(false)
  ) -> SettingsJournalEntry {
    SettingsJournalEntry(
      write: write, atMs: 0, backend: backend, verb: verb, undoes: undoes, outcome: outcome,
      version: "1", changes: [.init(path: path, before: before, after: after)])
  }

  private static func settings(_ value: JSONValue?) -> BotSettings {
    guard let value else { return BotSettings(version: "2") }
    return BotSettings(
      intent: JSONObject(members: [.init(key: "memory", value: .body([("enabled", value)]))]),
      version: "2")
  }

  @Test("a save without an outcome counts where the settings do not read as before")
  func killed() {
    let lines = [
      Self.entry("a", .sending), Self.entry("a", .stored), Self.entry("b", .sending),
    ]
    #expect(lines.lastToUndo(at: Self.here, in: nil)?.write == "a")
    #expect(lines.lastToUndo(at: Self.here, in: Self.settings(nil))?.write == "a")
    #expect(lines.lastToUndo(at: Self.here, in: Self.settings(.bool(false)))?.write == "b")
    #expect(lines.doubtful(at: Self.here)?.write == "b")
    #expect(lines.doubtful(at: "http://elsewhere") == nil)
    #expect(lines.last?.undoProblem == nil)
  }

  @Test("what was taken back, refused or made elsewhere is not taken back")
  func over() {
    let taken = [
      Self.entry("a", .sending), Self.entry("a", .stored),
      Self.entry("b", .sending, verb: "undo", undoes: "a"),
    ]
    // The undo has no outcome yet: it may not have been stored.
    #expect(taken.lastToUndo(at: Self.here, in: nil)?.write == "a")
    let stored = taken + [Self.entry("b", .stored, verb: "undo", undoes: "a")]
    #expect(stored.lastToUndo(at: Self.here, in: nil) == nil)
    #expect(stored.doubtful(at: Self.here) == nil)
    for outcome in [SettingsJournalEntry.Outcome.conflict, .failed, .unchanged] {
      let lines = [Self.entry("a", .sending), Self.entry("a", outcome)]
      #expect(lines.lastToUndo(at: Self.here, in: Self.settings(.bool(false))) == nil)
      #expect(lines.last?.undoProblem != nil)
    }
    #expect(
      [Self.entry("a", .stored, at: "http://elsewhere")].lastToUndo(at: Self.here, in: nil) == nil)
  }
}
