import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Edits where something else than the fact's text is unusual.
  @Suite("MEMORY: at the edges (promise P8)") struct MemoryEdgeTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    static let mine = "Mira prefers short answers."

    @Test("the owner's fact: masked, shown, edited by its own route, masked again")
    func owner() throws {
      let screen = try FactScreen(server, home: home)
      screen.type("/secret\r")
      try screen.see("the mask") { $0.contains("••••") && !$0.contains("Order more bulbs") }
      screen.leaveLevel()
      screen.type("G")
      screen.type("k")
      screen.type("D")
      screen.type("e")
      try screen.see("that it is masked", /masked/)
      #expect(!screen.cockpit.screen.contains("Order more bulbs"))
      screen.type("\r")
      try screen.see("the text") { $0.contains("Order more bulbs in secret.") }
      try screen.correct("Order more", to: "Order fewer bulbs.")
      try screen.seeStored()
      let put = try #require(server.requests(.put).first)
      #expect(put.path == "/api/memory/owner-private/facts/47")
      #expect(put.object["guildId"] == nil)
      #expect(server.fact(47)?.fact == "Order fewer bulbs.")
      #expect(server.writes.count == 1)
      try screen.close()
      screen.type("1")
      try screen.see("PULSE") { $0.contains("[1 PULSE]") }
      screen.type("4")
      try screen.see("the mask") { $0.contains("••••") && !$0.contains("Order fewer") }
    }

    @Test("the journal on the screen has what another run of the program has written meanwhile")
    func journal() throws {
      let screen = try FactScreen(server, home: home)
      screen.type("gj")
      try screen.see("an empty journal", /nothing was edited or deleted from this machine yet/)
      func edit(_ text: String) throws {
        let command = try PipedProcess(
          Tool.path, ["facts", "edit", "41", "--fact", text, "--url", server.url],
          environment: Tool.environment(home: home, token: FactServer.token))
        command.wait()
        #expect(command.status == .exited(0), "\(command.errorText)")
      }
      try edit(Self.mine)
      screen.type("r")
      try screen.see("the edit", /stored .*short answers/)
      screen.type("]]")
      try screen.see("[FACTS]")
      try edit("Mira prefers prose.")
      screen.type("[[")
      try screen.see("the other edit", /stored .*prose/)
    }

    @Test("a text in another Unicode spelling is another text: it is sent, and stored to the byte")
    func spelling() throws {
      let (composed, decomposed) = ("Mira likes caf\u{E9}s.", "Mira likes cafe\u{301}s.")
      server.meanwhile { $0.change(41) { $0.fact = composed } }
      let command = try PipedProcess(
        Tool.path, ["facts", "edit", "41", "--fact", decomposed, "--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
      command.wait()
      #expect(command.status == .exited(0), "\(command.errorText)")
      #expect(server.count(.put) == 1)
      #expect(server.fact(41).map { Array($0.fact.utf8) } == Array(decomposed.utf8))
      // Somebody else's other spelling is a conflict. Two guilds are listed first, at the same time.
      server.script(
        .facts, .changeBefore { book in book.change(41) { $0.fact = composed } }, skip: 2)
      let second = try PipedProcess(
        Tool.path, ["facts", "edit", "41", "--confidence", ".5", "--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
      second.wait()
      #expect(second.status == .exited(1), "\(second.errorText)")
      #expect(server.count(.put) == 1)
    }

    @Test("a fact that somebody gave to another person is found again, as a conflict")
    func moved() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      server.meanwhile { $0.change(41) { $0.subject = FactBook.tobias } }
      screen.send()
      try screen.see("the conflict") {
        $0.contains("CONFLICT: FACT #41") && $0.contains(FactBook.tobias)
          && $0.contains("short answers")
      }
      #expect(server.writes.isEmpty)
    }

    @Test("among more facts than one request lists, the fact is found and sent once")
    func many() throws {
      server.meanwhile { book in
        // Newer than the fact, and about the same person.
        for id in 1000..<1700 {
          book.add(
            .init(
              id: id, updated: "2030-01-01T00:00:00.000Z", guild: FactServer.guild,
              subject: FactBook.mira,
              fact: "Mira counted lantern \(id)."))
        }
      }
      let screen = try FactScreen(server, home: home, seeing: "Mira counted")
      try screen.see("how many there are", /\b70\d (of ~70\d )?facts/)
      try screen.see("that all came that comes") { !$0.contains("loading") }
      screen.type("/prefers concise\r")
      try screen.see("the fact") { $0.contains("Mira prefers concise answers.") }
      screen.leaveLevel()
      screen.type("e")
      try screen.seeForm()
      try screen.replace(with: Self.mine)
      screen.send()
      try screen.seeStored()
      #expect(server.count(.put) == 1)
      #expect(server.fact(41)?.fact == Self.mine)
    }

    @Test("without a journal nothing is sent: the state directory is a file")
    func noState() throws {
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/.local/state", withIntermediateDirectories: true)
      _ = try home.file(".local/state/clanky-cockpit", "in the way")
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: Self.mine)
      try screen.see("why nothing is sent", /Without a journal nothing is sent/)
      #expect(server.writes.isEmpty)
      #expect(screen.plain.contains("short answers"))
      try screen.editOn()
      #expect(screen.plain.contains("short answers"))
      try screen.close()

      try screen.select("Tobias learns")
      try screen.confirmDeletion()
      screen.type("U")
      try screen.see("why nothing is deleted", /not deleted.*journal|Without a journal/)
      #expect(server.writes.isEmpty)
    }

    @Test("answers of something in between are no outcome, and are not followed")
    func between() throws {
      let elsewhere = try FactServer()
      let screen = try FactScreen(server, home: home)
      let faults: [(String, FactFault)] = [
        ("token", .status(401, #"{"error":"Unauthorized. Provide x-dashboard-token."}"#)),
        ("hidden", .status(404, #"{"error":"Not found."}"#)),
        ("redirect", .redirect("\(elsewhere.url)/api/memory/facts/41")),
        ("array", .status(200, "[]")),
        ("other fact", .status(200, #"{"ok":true,"fact":{"id":7,"fact":"x","subject":"y"}}"#)),
      ]
      for (index, (name, fault)) in faults.enumerated() {
        try screen.edit("Mira prefers")
        try screen.replace(with: "Mira prefers \(name).")
        server.script(.put, fault)
        screen.send()
        try screen.see("\(name): that it is not stored") {
          $0.contains("NOT SENT: FACT #41") || $0.contains("UNKNOWN: FACT #41")
            || $0.contains("REFUSED: FACT #41")
        }
        #expect(server.count(.put) == index + 1, "\(name)")
        #expect(server.fact(41)?.fact == "Mira prefers concise answers.")
        #expect(screen.state.draftText.contains("Mira prefers \(name)."), "\(name)")
        try screen.close()
      }
      #expect(elsewhere.requests.isEmpty)
      #expect(!screen.state.outcomes.contains("stored"))
      #expect(!screen.state.outcomes.contains("gone"))
    }

    @Test("quitting while a request is out asks, and can wait for the answer")
    func quitWhileSending() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: Self.mine)
      screen.expect(1, .put)
      try screen.close()
      screen.type("q")
      try screen.see("the question", /1 change is on the way/)
      try screen.press("WAIT AND QUIT")
      try screen.see("that it waits", /Waiting for the answers/)
      gate.open()
      screen.cockpit.expectEnd(.exited(0))
      #expect(screen.state.outcomes == ["sending", "stored"])
      #expect(screen.state.drafts.isEmpty)
      #expect(server.count(.put) == 1)
    }

    @Test("a fact that is about to be deleted is not edited behind its back")
    func editOfHeld() throws {
      let screen = try FactScreen(server, home: home)
      try screen.select("Mira prefers")
      try screen.confirmDeletion()
      try screen.edit("Mira prefers")
      try screen.see("that it is held", /about to be deleted/)
      try screen.replace(with: Self.mine)
      screen.send()
      try screen.see("that it is not sent", /NOT SENT: FACT #41/)
      #expect(server.writes.isEmpty)
      #expect(screen.state.draftText.contains(Self.mine))
    }

    @Test("text of strangers does not act: list, form, conflict, journal")
    func hostile() throws {
      let evil = "\u{1B}]0;owned\u{7}\u{1B}[31mred\u{9B}2J\u{202E}abc\u{2028}x\r\nEND"
      server.meanwhile {
        $0.change(41) {
          $0.fact = "Mira prefers \(evil)"
          $0.evidence = evil
          $0.type = "\u{1B}[2J"
        }
        $0.add(.init(id: 77, guild: FactServer.guild, subject: evil, fact: "hostile subject"))
      }
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      server.meanwhile { $0.change(41) { $0.fact = "Mira sings \(evil)" } }
      try screen.replace(with: Self.mine)
      screen.send()
      try screen.see("the conflict") { $0.contains("CONFLICT: FACT #41") }
      try screen.close()
      screen.type("[[")
      try screen.see("the journal", /edit #41/)
      let output = String(decoding: screen.cockpit.pty.output, as: UTF8.self)
      for sequence in ["\u{1B}]0;owned", "\u{1B}[31mred", "\u{9B}", "\u{202E}", "\u{2028}"] {
        #expect(!output.contains(sequence), "\(sequence.debugDescription)")
      }
      #expect(screen.cockpit.screen.contains("MEMORY"))
      #expect(server.writes.isEmpty)
    }

    @Test("two cockpits at the same state directory: whole lines, both drafts")
    func together() throws {
      let first = try FactScreen(server, home: home)
      let second = try FactScreen(server, home: home)
      try first.correct("Mira prefers", to: Self.mine)
      try second.edit("Tobias learns")
      try second.replace(with: "Tobias knows CAD.")
      try first.seeStored()
      #expect(first.state.drafts.count == 1)
      second.send()
      try second.seeStored()
      // What the other one has read is old now: both texts, no PUT.
      try second.close()
      try second.edit("Mira prefers")
      try second.replace(with: "Mira prefers poems.")
      second.send()
      try second.see("the conflict") { $0.contains("CONFLICT: FACT #41") }
      #expect(server.count(.put) == 2)
      #expect(first.state.outcomes == ["sending", "stored", "sending", "stored", "conflict"])
      first.state.expectPrivate()
    }
  }
}
