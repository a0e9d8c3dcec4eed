import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Correcting a fact from outside: every way it can go, and what the backend was asked for.
  @Suite("MEMORY: edits (promise P8)") struct MemoryEditTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    static let mine = "Mira prefers short answers."
    static let theirs = "Mira likes long stories."

    // MARK: Stored

    @Test("an edit is one PUT of the whole fact, said, and in the journal")
    func stored() throws {
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: Self.mine)
      try screen.seeStored()
      screen.expect(1, .put)
      let put = try #require(server.requests(.put).first)
      #expect(put.path == "/api/memory/facts/41")
      #expect(put.text("guildId") == FactServer.guild)
      #expect(put.text("subject") == FactBook.mira)
      #expect(put.text("fact") == Self.mine)
      #expect(put.text("factType") == "preference")
      #expect(put.text("evidenceText") == "keep it short please")
      #expect(put.object["confidence"] as? Double == 0.92)
      #expect(server.fact(41)?.fact == Self.mine)
      // The fact was read again before it was sent.
      let order = server.requests.map(\.route)
      let sent = try #require(order.firstIndex(of: .put))
      #expect(order[..<sent].count { $0 == .facts } > 1 || order[sent - 1] == .facts)

      screen.wait("the draft is gone") { screen.state.drafts.isEmpty }
      #expect(screen.state.outcomes == ["sending", "stored"])
      let lines = screen.state.journal()
      #expect(Set(lines.compactMap { $0["write"] as? String }).count == 1)
      #expect(screen.state.journalText.contains(Self.mine))
      #expect(screen.state.journalText.contains("Mira prefers concise answers."))
      screen.state.expectPrivate()
      #expect(server.writes.count == 1)

      // JOURNAL is the view before FACTS.
      try screen.close()
      screen.type("[[")
      try screen.see("the journal", /edit #41 stored.*concise answers.*short answers/)
    }

    @Test("a form that is opened and closed sends nothing and leaves nothing")
    func untouched() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.close()
      #expect(screen.state.drafts.isEmpty)
      #expect(server.writes.isEmpty)
      #expect(screen.state.journalText.isEmpty)
    }

    @Test("what the backend would cut is refused before anything is sent")
    func tooLong() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      let before = server.requests.count
      screen.type("\u{15}")
      screen.paste(String(repeating: "xyz ", count: 120))
      try screen.see("the counter") { $0.contains("479/400") || $0.contains("480/400") }
      screen.send()
      try screen.see("what is wrong", /Not sent.*too long/)
      #expect(server.requests[before...].allSatisfy { $0.route != .put && $0.route != .facts })
      #expect(server.writes.isEmpty)
    }

    @Test("March: a fact is sent to its own guild")
    func march() throws {
      let server = try FactServer(.workshop(.march))
      let screen = try FactScreen(server, home: home)
      try screen.correct("Apples", to: "Apples are counted on Mondays.")
      try screen.seeStored()
      #expect(server.requests(.put).map { $0.text("guildId") } == [FactServer.otherGuild])
    }

    @Test("however often it is asked for, one request is in flight")
    func impatient() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: Self.mine)
      screen.expect(1, .put)
      for _ in 0..<5 { screen.send() }
      try screen.close()
      try screen.select("Mira prefers")
      screen.type("e")
      try screen.see("that it is sent", /The change is being sent/)
      for _ in 0..<5 { screen.send() }
      #expect(server.count(.put) == 1)
      gate.open()
      try screen.seeStored()
      #expect(server.count(.put) == 1)
    }

    // MARK: Conflict

    enum Choice: CaseIterable { case theirs, mine, editOn }

    @Test(
      "somebody else was quicker: both texts, no PUT, and then as the user decides",
      arguments: Choice.allCases)
    func conflict(choice: Choice) throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      server.meanwhile { $0.change(41) { $0.fact = Self.theirs } }
      screen.send()
      try screen.see("both texts") {
        let text = FactScreen.plain($0)
        return text.contains("long stories") && text.contains("short answers")
      }
      #expect(server.writes.isEmpty)
      #expect(screen.state.draftText.contains(Self.mine))

      switch choice {
      case .theirs:
        try screen.keepTheirs()
        try screen.see("the list with their text") {
          $0.contains("long stories") && !$0.contains("short answers")
        }
        screen.wait("the draft is dropped") { screen.state.drafts.isEmpty }
        #expect(server.writes.isEmpty)
        #expect(server.fact(41)?.fact == Self.theirs)
      case .mine:
        try screen.sendMine()
        try screen.seeStored()
        #expect(server.count(.put) == 1)
        #expect(server.fact(41)?.fact == Self.mine)
        #expect(screen.state.drafts.isEmpty)
      case .editOn:
        try screen.editOn()
        #expect(screen.plain.contains("short answers"))
        #expect(server.writes.isEmpty)
        screen.type("\u{5} Always.")
        screen.send()
        try screen.seeStored()
        #expect(server.count(.put) == 1)
        #expect(server.fact(41)?.fact == Self.mine + " Always.")
      }
      screen.state.expectPrivate()
    }

    @Test("whoever overwrites what he saw does not overwrite what came after")
    func conflictTwice() throws {
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      server.meanwhile { $0.change(41) { $0.fact = Self.theirs } }
      screen.send()
      try screen.see("long stories")
      server.meanwhile { $0.change(41) { $0.fact = "Mira sings." } }
      try screen.sendMine()
      try screen.see("the newer text") { $0.contains("Mira sings") && $0.contains("short answers") }
      #expect(server.writes.isEmpty)
      #expect(screen.state.draftText.contains(Self.mine))
    }

    // MARK: Refused

    @Test("a duplicate, a deleted twin and a fact that is gone are said, and the draft stays")
    func refused() throws {
      server.meanwhile { $0.add(.twin) }
      server.meanwhile { $0.remove(90) }
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: "Mira soldered the first lantern.")
      try screen.see("that it is there already", /same|duplicate/)
      #expect(server.count(.put) == 1)
      #expect(screen.state.draftText.contains("soldered the first lantern."))

      try screen.editOn()
      try screen.replace(with: FactBook.Fact.twin.fact)
      screen.send()
      try screen.see("that it collides", /collides|deleted/)
      #expect(server.count(.put) == 2)
      #expect(screen.state.draftText.contains(FactBook.Fact.twin.fact))

      // Gone before it is read again: nothing is sent.
      try screen.editOn()
      try screen.replace(with: Self.mine)
      server.meanwhile { $0.remove(41) }
      screen.send()
      try screen.see("that it is gone", /gone|no longer|there no more|was deleted/)
      #expect(server.count(.put) == 2)
      #expect(screen.state.draftText.contains(Self.mine))
      #expect(
        screen.state.outcomes.filter { $0 != "sending" } == ["duplicate", "duplicate", "gone"])
    }

    @Test("a fact that goes between reading and writing is gone, not stored")
    func goneAtPut() throws {
      server.script(.put, .changeBefore { $0.remove(41) })
      let screen = try FactScreen(server, home: home)
      try screen.correct("Mira prefers", to: Self.mine)
      try screen.see("that it is gone", /gone|no longer|there no more|was deleted/)
      #expect(server.count(.put) == 1)
      #expect(screen.state.draftText.contains(Self.mine))
    }

    // MARK: Failing

    struct Failure: CustomTestStringConvertible, Sendable {
      var name: String
      var route: FactRoute
      var fault: FactFault
      var words: [String]
      var testDescription: String { name }
    }

    static let failures: [Failure] = [
      Failure(
        name: "reading fails", route: .facts,
        fault: .status(500, #"{"error":"database is locked"}"#),
        words: ["could not be read again", "nothing was sent", "database is locked"]),
      Failure(
        name: "a page is read", route: .facts, fault: .html(200),
        words: ["could not be read again", "not a Clanky backend"]),
      Failure(
        name: "reading is cut off", route: .facts, fault: .close,
        words: ["could not be read again", "connection"]),
      Failure(
        name: "writing fails", route: .put,
        fault: .status(500, #"{"error":"disk I/O error"}"#), words: ["500", "did not arrive"]),
      Failure(
        name: "writing is unavailable", route: .put,
        fault: .status(503, #"{"error":"restarting"}"#), words: ["503", "did not arrive"]),
      Failure(
        name: "a page answers the write", route: .put, fault: .html(502),
        words: ["did not arrive"]),
      Failure(
        name: "writing is cut off", route: .put, fault: .close, words: ["did not arrive"]),
    ]

    @Test("whichever step fails: it is said, the draft stays, the next try succeeds, others go on")
    func failing() throws {
      let screen = try FactScreen(server, home: home)
      // This one is stored and never answered: until its time is up it concerns no other fact.
      server.script(.put, .neverAfter)
      try screen.correct("Tobias learns", to: "Tobias knows CAD.")
      screen.expect(1, .put)
      try screen.close()

      try screen.edit("Mira prefers")
      for (index, failure) in Self.failures.enumerated() {
        let text = "Mira prefers answer number \(index)."
        let before = server.count(.put)
        try screen.replace(with: text)
        // A read that a kept connection loses is repeated on a new one; a write never is.
        server.script(failure.route, failure.fault, times: failure.route == .facts ? 9 : 1)
        screen.send()
        try screen.see("\(failure.name): words") { screen in
          failure.words.allSatisfy { FactScreen.plain(screen).contains($0) }
        }
        server.clearScript()
        #expect(!screen.cockpit.screen.contains("PORTAL PAGE"))
        #expect(server.count(.put) - before == (failure.route == .put ? 1 : 0), "\(failure.name)")
        #expect(server.fact(41)?.fact != text)
        #expect(screen.state.draftText.contains(text), "\(failure.name)")

        try screen.editOn()
        screen.send()
        try screen.seeStored()
        #expect(server.fact(41)?.fact == text)
        #expect(server.count(.put) - before == (failure.route == .put ? 2 : 1), "\(failure.name)")
        screen.wait("its draft is gone") { screen.state.drafts.count == 1 }
        try screen.editOn()
      }

      // No answer, but it was stored: reading it again tells.
      let before = server.count(.put)
      try screen.replace(with: Self.mine)
      server.script(.put, .closeAfter)
      screen.send()
      try screen.seeStored()
      #expect(server.count(.put) == before + 1)
      try screen.close()

      screen.leaveLevel()
      try screen.see("the list") { $0.contains("Tobias") }
      screen.type("/\u{15}Tobias\re")
      try screen.see("the other fact's outcome", /STORED: FACT #43 ─* ?Stored\./)
      #expect(server.requests(.put).count { $0.id == "43" } == 1)
      screen.wait("no draft is left") { screen.state.drafts.isEmpty }
      screen.state.expectPrivate()
    }

    @Test("no answer, and reading it again fails: unknown, until it can be read")
    func unknown() throws {
      server.script(.put, .closeAfter)
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      server.script(.facts, .status(500, #"{"error":"locked"}"#), times: 20, skip: 1)
      screen.send()
      try screen.see("that it is unknown", /Whether the change was stored is unknown/)
      #expect(screen.state.draftText.contains(Self.mine))
      #expect(screen.state.outcomes == ["sending", "unknown"])
      server.clearScript()
      screen.type("r")
      try screen.seeStored()
      #expect(server.count(.put) == 1)
    }
  }
}

extension FactBook.Fact {
  /// Another fact about Mira.
  static let twin = FactBook.Fact(
    id: 90, guild: FactServer.guild, subject: FactBook.mira, fact: "Mira paints lanterns red.")
}
