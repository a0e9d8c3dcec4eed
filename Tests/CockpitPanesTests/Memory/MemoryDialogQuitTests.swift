import TerminalUI
import ClankyWire
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell
@testable import CockpitStores

@MainActor
@Suite struct MemoryDialogQuitTests {
  private func shell(_ policy: HeldAtQuit = .ask) -> CockpitShell {
    var shell = CockpitShell(tab: .pulse, size: Size(width: 80, height: 24))
    shell.heldAtQuit = policy
    return shell
  }

  private func press(
    _ key: Key, _ modifiers: KeyModifiers = [], _ shell: inout CockpitShell,
    _ fixture: inout Fixture
  ) -> [Effect] { shell.send(.key(key, modifiers), &fixture) }

  private func held() -> Fixture {
    let fixture = Fixture()
    fixture.memory.deletions = [HeldDeletion(id: 1, facts: [DialogFixture.plain], dueNs: 0)]
    return fixture
  }

  @Test("q quits at once when nothing is unfinished, a draft or not")
  func free() {
    var fixture = Fixture()
    fixture.memory.drafts[1042] = FactDraft(
      edit: FactEdit(factID: 1042, target: .ownerPrivate, subject: "", fact: "", confidence: nil),
      confidenceText: "", base: DialogFixture.plain, changedAtMs: 0)
    var shell = shell()
    #expect(press(.char("q"), [], &shell, &fixture) == [.quit])
  }

  @Test("a draft that is not on the disk asks, whatever is done with held deletions (promise P8)")
  func unsaved() {
    for policy in HeldAtQuit.allCases {
      var fixture = Fixture()
      fixture.memory.unsavedDrafts = [1042]
      var shell = shell(policy)
      #expect(press(.char("q"), [], &shell, &fixture) == [])
      let text = shell.render(fixture.facts(), size: shell.size).canvas.text
      #expect(text.contains("1 draft is in memory only") && text.contains("[QUIT, LOSE THE TEXT]"))
      #expect(press(.enter, [], &shell, &fixture) == [] && shell.quitPrompt == nil)
      _ = press(.char("q"), [], &shell, &fixture)
      _ = press(.right, [], &shell, &fixture)
      #expect(press(.enter, [], &shell, &fixture) == [.quit])
    }
  }

  @Test("held deletions ask from any tab; staying is the first answer and sends nothing")
  func asks() {
    var fixture = held()
    var shell = shell()
    #expect(press(.char("q"), [], &shell, &fixture) == [])
    let text = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(text.contains("1 deletion is still held and not sent; once sent it cannot be undone."))
    #expect(shell.send(.paste("\n\n"), &fixture) == [])
    fixture.memory.deletions[0].facts.append(DialogFixture.hostile)
    let both = shell.render(fixture.facts(), size: shell.size).canvas.text
    #expect(
      both.contains("2 deletions are still held and not sent; once sent they cannot be undone"))
    for key in "yqUD" { #expect(press(.char(key), [], &shell, &fixture) == []) }
    #expect(press(.enter, [], &shell, &fixture) == [])
    #expect(shell.quitPrompt == nil)

    _ = press(.char("c"), .ctrl, &shell, &fixture)
    #expect(shell.quitPrompt != nil)
    #expect(press(.escape, [], &shell, &fixture) == [])
    #expect(shell.quitPrompt == nil)
  }

  @Test("the question and a form let C-l and C-z through, and stay")
  func through() {
    var fixture = held()
    var asking = shell()
    _ = press(.char("q"), [], &asking, &fixture)
    var writing = CockpitShell(tab: .memory, size: Size(width: 80, height: 24))
    writing.dialog = FactForm(DialogFixture.plain, on: fixture.facts()).map(
      MemoryDialog.form)
    #expect(writing.dialog != nil)
    for var shell in [asking, writing] {
      let before = shell.render(fixture.facts(), size: shell.size).canvas.text
      #expect(press(.char("l"), .ctrl, &shell, &fixture) == [.repaint])
      #expect(press(.char("z"), .ctrl, &shell, &fixture) == [.suspend])
      #expect(shell.render(fixture.facts(), size: shell.size).canvas.text == before)
    }
  }

  @Test("delete and quit waits; quitting without, and Ctrl-C twice, send nothing")
  func answers() {
    var fixture = held()
    var wait = shell()
    _ = press(.char("q"), [], &wait, &fixture)
    _ = press(.right, [], &wait, &fixture)
    #expect(press(.enter, [], &wait, &fixture) == [.finishAndQuit])
    #expect(press(.enter, [], &wait, &fixture) == [], "it waits already")
    #expect(press(.char("c"), .ctrl, &wait, &fixture) == [.quit])

    var leave = shell()
    _ = press(.char("q"), [], &leave, &fixture)
    _ = press(.left, [], &leave, &fixture)
    #expect(press(.enter, [], &leave, &fixture) == [.quit])

    var twice = shell()
    _ = press(.char("c"), .ctrl, &twice, &fixture)
    #expect(press(.char("c"), .ctrl, &twice, &fixture) == [.quit])
  }

  @Test("as configured: drop quits at once, send waits without asking")
  func policies() {
    var fixture = held()
    var drop = shell(.drop)
    #expect(press(.char("q"), [], &drop, &fixture) == [.quit])
    var send = shell(.send)
    #expect(press(.char("q"), [], &send, &fixture) == [.finishAndQuit])
    #expect(send.quitPrompt?.isWaiting == true)
    send.stayed("1 fact was not deleted")
    #expect(send.quitPrompt == nil)
  }

  @Test("an edit that is under way is asked about whatever is configured")
  func underWay() {
    var fixture = DialogFixture()
    fixture.open()
    fixture.write("!")
    fixture.answer(.sending)
    var inner = fixture.fixture
    var shell = shell(.drop)
    #expect(press(.char("q"), [], &shell, &inner) == [])
    let text = shell.render(inner.facts(), size: shell.size).canvas.text
    #expect(text.contains("1 change is on the way") && text.contains("[WAIT AND QUIT]"))
  }
}
