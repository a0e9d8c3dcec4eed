import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Deleting is asked, held, taken back, and sent once.
  @Suite("MEMORY: deletions") struct MemoryDeletionTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    @Test("a deletion that is taken back was never sent; one that is let go is sent once")
    func undoAndSend() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      // Enter alone does not delete.
      screen.type("D")
      try screen.seeQuestion()
      #expect(screen.plain.contains("Mira prefers concise answers."))
      #expect(screen.plain.contains("#41"))
      screen.type("\r")
      try screen.seeNoQuestion()
      #expect(screen.plain.firstMatch(of: /\d+ held \d+s/) == nil)

      try screen.confirmDeletion()
      #expect(server.writes.isEmpty)
      screen.type("u")
      try screen.seeNothingHeld()
      screen.type("U")
      try screen.see("that nothing is held", /no deletion is held/)
      #expect(server.writes.isEmpty)
      #expect(server.fact(41) != nil)

      try screen.confirmDeletion()
      screen.type("U")
      screen.expect(1, .delete)
      try screen.seeGone("Mira prefers")
      try screen.see("the counts follow", /ALL 7.* 7 facts|7 facts.*ALL 7/)
      let delete = try #require(server.requests(.delete).first)
      #expect(delete.path == "/api/memory/facts/41")
      #expect(delete.text("guildId") == FactServer.guild)
      #expect(server.fact(41) == nil)
      // What is gone cannot be restored, and the program says so.
      screen.type("u")
      try screen.see("that it cannot be undone", /cannot (be )?(undo|undone|restore|brought|taken)/)
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", "deleted"]
      }
      #expect(screen.state.journalText.contains("Mira prefers concise answers."))
      #expect(server.writes.count == 1)
      screen.state.expectPrivate()
    }

    @Test(
      "a deletion without an answer is read again: gone is done, there is not deleted",
      arguments: [FactFault.closeAfter, .redirectAfter("/"), .timeoutAfter])
    func withoutAnswer(fault: FactFault) throws {
      server.script(.delete, fault)
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      screen.type("U")
      screen.expect(1, .delete)
      try screen.seeGone("Mira prefers")
      #expect(screen.state.outcomes.last == "deleted" || screen.state.outcomes.last == "gone")

      server.script(.delete, .close)
      try screen.select("Tobias learns")
      try screen.confirmDeletion()
      screen.type("U")
      screen.expect(2, .delete)
      try screen.see("that it is still there", /not deleted|still there/)
      #expect(server.fact(43) != nil)
      #expect(server.count(.delete) == 2)
    }

    @Test("a fact that is gone already, and a backend that refuses, are said")
    func refused() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      server.meanwhile { $0.remove(41) }
      screen.type("U")
      screen.expect(1, .delete)
      try screen.see("that it was gone", /had been deleted by somebody else already/)

      server.script(.delete, .status(500, #"{"error":"database is locked"}"#))
      try screen.select("Tobias learns")
      try screen.confirmDeletion()
      screen.type("U")
      screen.expect(2, .delete)
      try screen.see("why not", /500|locked/)
      #expect(server.fact(43) != nil)
      try screen.see("it is in the list") { $0.contains("Tobias learns") }
    }

    @Test("many facts: the wrong number deletes nothing, the right one each of them once")
    func bulk() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      screen.type("gg")
      for _ in 0..<3 { screen.type("v") }
      try screen.see("3 selected", /3 selected/)
      screen.type("D")
      try screen.seeQuestion()
      #expect(screen.plain.contains("DELETE 3 FACTS?"))
      screen.type("2\r")
      try screen.see("that the number is wrong", /Type 3 to delete all of them, or/)
      screen.type("\u{7}")
      try screen.seeNoQuestion()
      screen.type("U")
      try screen.see("that nothing is held", /no deletion is held/)
      #expect(server.writes.isEmpty)

      screen.type("D")
      try screen.seeQuestion()
      screen.type("3\r")
      try screen.seeHeld(3)
      #expect(server.writes.isEmpty)
      screen.type("U")
      screen.expect(3, .delete)
      #expect(Set(server.requests(.delete).map(\.path)).count == 3)
      screen.wait("the journal is complete") {
        screen.state.outcomes.count { $0 == "deleted" } == 3
      }
    }

    @Test("many facts, and one of them is refused: it stays, is named, and the others go")
    func bulkWithFailure() throws {
      server.script(.delete, .status(500, #"{"error":"database is locked"}"#), skip: 1)
      let screen = try FactScreen(server, home: home)
      for _ in 0..<3 { screen.type("v") }
      try screen.see("3 selected", /3 selected/)
      screen.type("D")
      try screen.seeQuestion()
      screen.type("3\r")
      try screen.seeHeld(3)
      screen.type("U")
      screen.expect(3, .delete)
      try screen.select("Mira soldered")
      try screen.see("which one is still there", /1 of 3 facts not deleted/)
      #expect(server.fact(41) == nil && server.fact(42) != nil && server.fact(43) == nil)
      screen.wait("the journal is complete") {
        screen.state.outcomes.filter { $0 != "sending" } == ["deleted", "failed", "deleted"]
      }
    }

    @Test("many facts get a type: one PUT each, everything else as it was")
    func retype() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      screen.type("gg")
      for _ in 0..<2 { screen.type("v") }
      try screen.see("2 selected", /2 selected/)
      screen.type("e")
      try screen.retype(to: "guidance", count: "2")
      screen.expect(2, .put)
      try screen.see("that it is done", /2 changed/)
      let puts = server.requests(.put)
      #expect(Set(puts.map(\.id)).count == 2)
      for put in puts {
        let id = try #require(Int(put.id))
        let before = try #require(FactBook.workshop[id])
        #expect(put.text("factType") == "guidance")
        #expect(put.text("fact") == before.fact)
        #expect(put.text("evidenceText") == before.evidence)
        #expect(put.object["confidence"] as? Double == before.confidence)
      }
      #expect(server.writes.count == 2)
    }

    @Test("quitting with a held deletion asks: stay, drop it or send it", arguments: [false, true])
    func quitting(isSent: Bool) throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      screen.type("q")
      try screen.see("the question", /1 deletion is still held/)
      try screen.press("STAY")
      try screen.see("the list") { !$0.contains("[STAY]") }
      try screen.seeHeld()
      #expect(server.writes.isEmpty)

      screen.type("q")
      try screen.press(isSent ? "DELETE AND QUIT" : "QUIT, DELETE NOTHING MORE")
      screen.cockpit.expectEnd(.exited(0))
      #expect(server.writes.map(\.path) == (isSent ? ["/api/memory/facts/41"] : []))
      #expect(screen.state.outcomes == (isSent ? ["sending", "deleted"] : []))
    }

    @Test("a signal ends the program and sends nothing", arguments: [SIGTERM, SIGHUP])
    func signals(number: Int32) throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      screen.cockpit.pty.signal(number)
      screen.cockpit.expectEnd(.exited(128 + number))
      #expect(server.writes.isEmpty)
    }
  }
}
