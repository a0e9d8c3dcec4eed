import ClankyWire
import CockpitStores
import LenientJSON
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct SettingsDialogTests {
  private static let minutes = SettingPath(["voice", "sessionLimits", "maxSessionMinutes"])

  /// A fixture with the review of one change on screen.
  private func reviewing(_ text: String = "45") -> SettingsFixture {
    var fixture = SettingsFixture()
    fixture.find("maxSessionMinutes")
    fixture.type("e C-u")
    fixture.write(text)
    fixture.type("C-s")
    return fixture
  }

  @Test("form, review, y: one save of this one setting, and the question says what it does")
  func save() throws {
    var fixture = reviewing()
    let text = fixture.text()
    #expect(text.contains("- 30") && text.contains("+ 45"))
    #expect(text.contains("1 live voice session"))
    #expect(fixture.saves.isEmpty)
    fixture.type("y")
    let edit = try #require(fixture.saves.first)
    #expect(fixture.saves.count == 1 && edit.steps.map(\.path) == [Self.minutes])
    #expect(edit.steps[0].after?.int == 45 && edit.version == "2026-03-01T14:00:00.000Z")
    // The same key again sends nothing while it is under way.
    fixture.store.change = SettingsChange(edit, state: .sending)
    fixture.type("y Enter y")
    #expect(fixture.saves.count == 1)
  }

  @Test("Enter alone sends nothing: the harmless button has the focus")
  func enter() {
    var fixture = reviewing()
    fixture.type("Enter")
    #expect(fixture.dialog == nil && fixture.saves.isEmpty)
    fixture = reviewing()
    fixture.type("Esc")
    guard case .form? = fixture.dialog else { Issue.record("no form"); return }
    #expect(fixture.text().contains("> 45"))
    fixture.type("Esc")
    #expect(fixture.text().contains("Esc again drops"))
    fixture.type("Esc")
    #expect(fixture.dialog == nil && fixture.saves.isEmpty)
  }

  @Test("what is out of range is refused once, and reviewed when asked for again")
  func range() {
    var fixture = reviewing("9999")
    #expect(fixture.text().contains("will probably store 240"))
    guard case .form? = fixture.dialog else { Issue.record("no form"); return }
    fixture.type("Enter")
    guard case .review? = fixture.dialog else { Issue.record("no review"); return }
    fixture = reviewing("lots")
    #expect(fixture.text().contains("It takes a whole number from 1 to 240."))
    fixture.type("C-s Enter Enter")
    guard case .form? = fixture.dialog else { Issue.record("no form"); return }
    #expect(fixture.saves.isEmpty)
  }

  @Test("nothing changed, nothing reviewed")
  func unchanged() {
    var fixture = reviewing("30")
    #expect(fixture.text().contains("Nothing is changed"))
    fixture.type("Esc")
    #expect(fixture.dialog == nil)
  }

  @Test("pastes never press a button")
  func pastes() {
    var fixture = SettingsFixture()
    fixture.find("flavor")
    fixture.type("e")
    fixture.paste("y\r\nSEND\r\n\u{13}")
    #expect(fixture.text().contains("SEND"))
    guard case .form? = fixture.dialog else { Issue.record("no form"); return }
    fixture.type("C-s")
    fixture.paste("y\r\n")
    #expect(fixture.saves.isEmpty)
  }

  @Test("what the bot stored stands beside what was sent, and can be taken back")
  func stored() throws {
    var fixture = reviewing("100")
    fixture.type("y")
    let edit = try #require(fixture.saves.first)
    let after = SettingsFixture.document(
      SettingsFixture.asked + [(Self.minutes.description, "60")], version: "2")
    fixture.store.document = .loaded(after, atMs: Fixture.nowMs)
    fixture.store.change = SettingsChange(
      edit, state: .stored(SettingsStored(edit, before: SettingsFixture.document(), after: after)))
    fixture.store.journal = [
      SettingsJournalEntry(
        write: "w", atMs: 0, backend: "http://127.0.0.1:8787", verb: "set", outcome: .stored,
        version: "1", changes: [.init(path: Self.minutes, before: nil, after: edit.steps[0].after)])
    ]
    let text = fixture.text()
    #expect(text.contains("sent     100") && text.contains("stored   60"))
    fixture.type("Right Enter")
    #expect(fixture.text().contains("write back what stood there".uppercased()))
    fixture.store.change = nil
    fixture.type("y")
    let undo = try #require(fixture.saves.last)
    #expect(undo.verb == .undo(write: "w") && undo.steps[0].after == nil)
  }

  @Test("stored and not applied: live sessions can be told from there")
  func notApplied() throws {
    var fixture = reviewing()
    fixture.type("y")
    let edit = try #require(fixture.saves.first)
    var after = SettingsFixture.document(
      SettingsFixture.asked + [(Self.minutes.description, "45")], version: "2")
    after.isApplied = false
    fixture.store.change = SettingsChange(
      edit, state: .stored(SettingsStored(edit, before: SettingsFixture.document(), after: after)))
    #expect(fixture.text().contains("were not told"))
    fixture.type("Right Enter")
    fixture.store.change = nil
    #expect(fixture.text().contains("restarts the time limits"))
    fixture.type("y")
    #expect(fixture.effects.last == .settings(.refresh))
  }

  @Test("a conflict shows theirs beside mine; editing on keeps what was typed, on theirs")
  func conflict() throws {
    var fixture = reviewing()
    fixture.type("y")
    func meet(_ edit: SettingsEdit) -> SettingsChange {
      SettingsFixture.conflict(edit, with: (Self.minutes.description, "90"))
    }
    fixture.store.change = meet(try #require(fixture.saves.first))
    #expect(fixture.text().contains("theirs") && fixture.text().contains("90"))
    fixture.type("Enter")
    guard case .form(let form)? = fixture.dialog else { Issue.record("no form"); return }
    #expect(form.base.version == "2" && fixture.text().contains("> 45"))
    fixture.store.change = nil
    fixture.type("C-s")
    #expect(fixture.text().contains("- 90"))
    fixture.type("y")
    fixture.store.change = meet(try #require(fixture.saves.last))
    #expect(fixture.saves.last?.version == "2")
    // Theirs is what was seen now, so there is no conflict any more.
    #expect(fixture.store.change?.state == .sending)
    #expect(fixture.saves.count == 2)
  }

  @Test("D goes to the default, with the difference")
  func standard() throws {
    var fixture = SettingsFixture()
    fixture.find("maxMessagesPerHour")
    fixture.type("D")
    #expect(fixture.text().contains("- 60") && fixture.text().contains("+ 20 (the default)"))
    fixture.type("y")
    let step = try #require(fixture.saves.first?.steps.first)
    #expect(step.after == nil && step.before?.int == 60)
    fixture = SettingsFixture()
    fixture.find("maxSessionMinutes")
    fixture.type("D")
    #expect(fixture.text().contains("at its default") && fixture.dialog == nil)
  }

  @Test("a preset wants its name typed, a reset the word; a paste does not count")
  func typed() throws {
    for (isReset, word) in [(false, "claude_api"), (true, "reset")] {
      var fixture = SettingsFixture()
      fixture.type("S : ")
      fixture.write(isReset ? "settings-reset" : "settings-preset")
      fixture.type(isReset ? "Enter" : "Enter j Enter")
      #expect(
        fixture.effects.contains(.settings(.preview(preset: isReset ? nil : "claude_api"))))
      // An older preview is none.
      fixture.store.preview = .loaded(SettingsFixture.document([]), atMs: 0)
      #expect(fixture.text().contains("asked for the defaults"))
      let preset = [("agentStack.preset", "\"claude_api\"")]
      fixture.store.preview = .loaded(
        SettingsFixture.document(isReset ? [] : preset, version: ""), atMs: 0)
      fixture.store.previewCount += 1
      #expect(fixture.text().contains("Type \(word) to do it"))
      fixture.paste(word)
      fixture.type("y Enter")
      #expect(fixture.saves.isEmpty)
      fixture.type("C-h")
      fixture.type("Backspace")
      fixture.write(word)
      fixture.type("Enter")
      let edit = try #require(fixture.saves.first)
      #expect(edit.isWhole && fixture.saves.count == 1)
    }
  }

  @Test("apply asks first and says how it went")
  func apply() {
    var fixture = SettingsFixture()
    fixture.type("S :")
    fixture.write("settings-apply")
    fixture.type("Enter")
    #expect(fixture.text().contains("restarts the time limits"))
    #expect(!fixture.effects.contains(.settings(.refresh)))
    fixture.type("y")
    #expect(fixture.effects.filter { $0 == .settings(.refresh) }.count == 1)
    fixture.store.refresh = .ended(1, atMs: 0)
    #expect(fixture.text().contains("1 is live now"))
  }

  @Test("the text of the editor comes back into the form")
  func editor() throws {
    var fixture = SettingsFixture()
    fixture.find("flavor")
    fixture.type("E")
    guard case .edit(let text)? = fixture.effects.last else { Issue.record("no editor"); return }
    #expect(text == "toaster with opinions\nand a second line\n")
    _ = fixture.shell.edited(text, on: fixture.facts())
    #expect(fixture.text().contains("left the text as it was"))
    _ = fixture.shell.edited("kettle\nwith a plan\n", on: fixture.facts())
    fixture.type("C-s y")
    #expect(fixture.saves.first?.steps.first?.after == .string("kettle\nwith a plan"))
  }

  @Test("quitting during a save asks, and waits if told to")
  func quitting() throws {
    var fixture = reviewing()
    fixture.type("y")
    fixture.store.change = SettingsChange(try #require(fixture.saves.first), state: .sending)
    fixture.type("Esc")
    #expect(fixture.text().contains("only here"))
    fixture.type("Esc")
    fixture.forget()
    fixture.type("q q q q")
    #expect(!fixture.effects.contains(.quit))
    #expect(fixture.text().contains("1 change is on the way"))
    fixture.type("Right Enter")
    #expect(fixture.effects.contains(.finishAndQuit))
  }
}
