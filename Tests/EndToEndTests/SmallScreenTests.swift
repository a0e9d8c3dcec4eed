import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Below 40x10 the screen says so and nothing else: keys act on nothing that nobody sees.
  @Suite("MEMORY: a screen that is too small (promise P8)") struct SmallScreenTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    private static let mine = "Mira prefers answers in rhyme."

    private func shrink(_ screen: FactScreen) throws {
      screen.cockpit.pty.resize(rows: 9, columns: 60)
      try screen.see("that it is too small") { $0.contains("need 40x10") }
    }

    private func grow(_ screen: FactScreen) { screen.cockpit.pty.resize(rows: 45, columns: 98) }

    /// The program has taken all keys so far: it writes every cell anew for this one.
    private func settle(_ screen: FactScreen) {
      let before = screen.cockpit.pty.output.count
      screen.type("\u{C}")
      screen.wait("it is drawn anew") { screen.cockpit.pty.output.count > before }
    }

    @Test("no key deletes, sends or types anything")
    func unseen() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try shrink(screen)
      for key in ["D", "y", "\r", "v", "e", "\r", ":", "?", "1"] {
        screen.type(key)
        settle(screen)
      }
      grow(screen)
      try screen.see("the list") { $0.contains("Tobias learns") && !$0.contains("/400") }
      screen.type("U")
      try screen.see("that nothing is held", /no deletion is held/)

      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      try shrink(screen)
      screen.type("typed")
      screen.paste("pasted")
      settle(screen)
      screen.type("\u{13}")
      settle(screen)
      screen.type("\u{7}")
      settle(screen)
      grow(screen)
      try screen.seeForm()
      #expect(screen.plain.contains(Self.mine))
      #expect(!screen.plain.contains("typed") && !screen.plain.contains("pasted"))
      #expect(server.writes.isEmpty)
      // What nobody sees is left by the same key as ever; the draft is on the disk.
      try shrink(screen)
      screen.type("q")
      #expect(screen.cockpit.pty.wait() == .exited(0))
      #expect(screen.state.draftText.contains(Self.mine))
    }

    @Test("q asks before it loses a draft that is on no disk, and quits when it is pressed again")
    func unsavedDraft() throws {
      let state = FactState(home)
      try FileManager.default.createDirectory(
        atPath: state.folder, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(state.folder)/drafts"))
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      try shrink(screen)
      screen.type("q")
      try screen.see("the question") { $0.contains("q again loses 1 draft") }
      grow(screen)
      try screen.see("the whole question", /Quitting loses the text.*QUIT, LOSE THE TEXT/)
      screen.type("\r")
      try screen.seeForm()
      #expect(screen.plain.contains(Self.mine))
      try shrink(screen)
      screen.type("q")
      try screen.see("the question") { $0.contains("q again loses 1 draft") }
      screen.type("q")
      #expect(screen.cockpit.pty.wait() == .exited(0))
      #expect(server.writes.isEmpty)
    }

    @Test("a held deletion goes on, and quitting says that it will not be sent")
    func held() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      try shrink(screen)
      screen.type("q")
      try screen.see("the question") { $0.contains("q again: 1 deletion not sent") }
      screen.type("q")
      #expect(screen.cockpit.pty.wait() == .exited(0))
      #expect(server.writes.isEmpty && server.fact(41) != nil)
    }
  }
}
