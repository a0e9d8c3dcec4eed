import ClankyWire
import CockpitStores
import Networking
import TerminalCore
import TerminalTestKit
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct SettingsGoldenTests {
  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 40, height: 10),
  ]

  private func expect(_ name: String, _ fixture: inout SettingsFixture) throws {
    let size = fixture.shell.size
    try expectGolden(
      fixture.draw().canvas, "settings-\(name)-\(size.width)x\(size.height)")
  }

  @Test("a section is open, and the cursor on one of its settings", arguments: sizes)
  func list(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.type("S Enter j j j")
    try expect("list", &fixture)
  }

  @Test("only what differs", arguments: sizes.prefix(3))
  func differing(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.type("S f")
    try expect("differing", &fixture)
  }

  @Test("what runs now", arguments: sizes)
  func runtime(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.type("g e j j")
    try expect("runtime", &fixture)
  }

  @Test("the forms", arguments: sizes.prefix(3))
  func forms(size: Size) throws {
    for (name, words) in [
      ("text", "flavor"), ("entries", "hardLimits"), ("number", "maxSessionMinutes"),
      ("choice", "agentstack.preset"), ("switch", "memory.enabled"), ("json", "voice.generation"),
    ] {
      var fixture = SettingsFixture(size: size)
      fixture.find(words)
      fixture.type("e")
      try expect("form-\(name)", &fixture)
    }
  }

  @Test("the review of a text of several lines", arguments: sizes.prefix(3))
  func review(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.find("flavor")
    fixture.type("e")
    fixture.write(", and a plan")
    fixture.type("C-s")
    try expect("review", &fixture)
  }

  @Test("stored otherwise than it was sent, live sessions not told", arguments: sizes.prefix(3))
  func stored(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.find("maxMessagesPerHour")
    fixture.type("e C-u")
    fixture.write("400")
    fixture.type("C-s y")
    let edit = try #require(fixture.saves.first)
    var after = SettingsFixture.document(
      [("permissions.replies.maxMessagesPerHour", "300"), ("memory.enabled", "false")],
      version: "2")
    after.isApplied = false
    after.applyError = "voice session is not ready"
    fixture.store.change = SettingsChange(
      edit, state: .stored(SettingsStored(edit, before: SettingsFixture.document(), after: after)))
    try expect("stored", &fixture)
  }

  @Test("somebody else saved this setting meanwhile", arguments: sizes.prefix(3))
  func conflict(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.find("maxMessagesPerHour")
    fixture.type("e C-u")
    fixture.write("45")
    fixture.type("C-s y")
    fixture.store.change = SettingsFixture.conflict(
      try #require(fixture.saves.first), with: ("permissions.replies.maxMessagesPerHour", "33"))
    try expect("conflict", &fixture)
  }

  @Test("the outcome is not known, and the settings were read again", arguments: sizes.prefix(2))
  func unknown(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.find("maxMessagesPerHour")
    fixture.type("e C-u")
    fixture.write("45")
    fixture.type("C-s y")
    fixture.store.change = SettingsChange(
      try #require(fixture.saves.first),
      state: .unknown(
        "The connection broke. Whether the save was stored is unknown: the settings could not be read again."
      ))
    fixture.type("r")
    try expect("unknown", &fixture)
  }

  @Test("read-only: a text of several lines, to be read", arguments: sizes.prefix(1))
  func locked(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.command.isReadOnly = true
    fixture.shell.keys = KeyTable.standard.withoutMutations
    fixture.find("flavor")
    fixture.type("Enter")
    try expect("locked", &fixture)
  }

  @Test("the backend fails, or is of another kind", arguments: sizes.prefix(2))
  func failures(size: Size) throws {
    var fixture = SettingsFixture(size: size)
    fixture.store.document = .failed(
      .other("The backend answered 500: database is locked."), SettingsFixture.document())
    fixture.type("S")
    try expect("failed", &fixture)
    fixture.store.document = .notServed
    try expect("unserved", &fixture)
  }
}
