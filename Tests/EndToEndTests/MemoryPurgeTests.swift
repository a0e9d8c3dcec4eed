import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A guild's memory and reflection runs: counted, typed, held, deleted with one request at most, read
  /// again.
  @Suite("MEMORY: purge of a guild, and reflection runs") struct MemoryPurgeTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    private static let name = "Lantern Works"

    /// The question about the first guild, counted.
    private func ask(_ arguments: [String] = []) throws -> FactScreen {
      let screen = try FactScreen(server, home: home, ["--guild", FactServer.guild] + arguments)
      screen.type(":memory-purge\r")
      try screen.seeQuestion()
      // Counted from the routes: 4 of the guild, 3 of people, the bot and the owner.
      try screen.see("the count", /4 facts and 0 reflection runs/)
      return screen
    }

    private func confirm(_ screen: FactScreen) throws {
      screen.type("\(Self.name)\r")
      try screen.seeHeld()
    }

    @Test("a wrong name sends nothing; the right one is held, taken back, and sent once")
    func typed() throws {
      let screen = try ask()
      screen.type("\r")
      try screen.seeNoQuestion()
      screen.type(":memory-purge\r")
      try screen.see("the count", /4 facts and 0 reflection runs/)
      screen.type("lantern works\r")
      try screen.see("that it has to be typed", /exactly as it stands/)
      screen.type("\u{7}")
      try screen.seeNoQuestion()
      screen.type("U")
      try screen.see("that nothing is held", /no deletion is held/)
      #expect(server.writes.isEmpty)

      screen.type(":memory-purge\r")
      try screen.see("the count", /4 facts and 0 reflection runs/)
      try confirm(screen)
      screen.type("u")
      try screen.seeNothingHeld()
      #expect(server.writes.isEmpty)

      screen.type(":memory-purge\r")
      try screen.see("the count", /4 facts and 0 reflection runs/)
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      try screen.seeGone("Mira prefers")
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", "deleted"]
      }
      let purge = try #require(server.requests(.purge).first)
      #expect(purge.text("guildId") == FactServer.guild)
      #expect(purge.text("confirmGuildName") == Self.name)
      #expect(screen.state.journalText.contains("Mira prefers concise answers."))
      #expect(server.fact(45) != nil && server.fact(48) != nil)
      // What was read again is said.
      screen.type("gj")
      try screen.see("the outcome", /is gone, as read again: the backend deleted 4 facts/)
      #expect(server.writes.count == 1)
      screen.state.expectPrivate()
    }

    @Test("a refusal is said, and everything is still there")
    func refused() throws {
      server.script(
        .purge,
        .status(
          400,
          #"{"ok":false,"error":"guild_name_confirmation_mismatch","expectedGuildName":"Else"}"#))
      let screen = try ask()
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", "refused"]
      }
      screen.type("gj")
      try screen.see("why", /refused it, so nothing was deleted: the guild has another name/)
      #expect(server.writes.count == 1)
      #expect(server.fact(41) != nil)
    }

    @Test(
      "without an answer it is read again: gone is gone, what is there is unknown",
      arguments: [FactFault.closeAfter, .close, .half])
    func withoutAnswer(fault: FactFault) throws {
      server.script(.purge, fault)
      let screen = try ask()
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      let isGone = if case .close = fault { false } else { true }
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", isGone ? "deleted" : "unknown"]
      }
      screen.type("gj")
      if isGone {
        try screen.see("gone", /Read again, the memory of Lantern Works is gone/)
      } else {
        try screen.see("there", /Read again, it lists 4 facts .* may still be under way/)
      }
      #expect(server.writes.count == 1)
    }

    @Test("a backend that dies before it can be read again leaves the outcome unknown")
    func dead() throws {
      server.script(.purge, .closeAfter)
      let screen = try ask()
      server.script(.subjects, .close, times: 10)
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", "unknown"]
      }
      #expect(server.writes.count == 1)
    }

    @Test("killed in between: the next start has the line that it was sent")
    func killed() throws {
      server.script(.purge, .never)
      let screen = try ask()
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      screen.end()
      #expect(screen.state.outcomes == ["sending"])
      let next = try FactScreen(server, home: home)
      next.type("gj")
      try next.see("its line", /purge Lantern Works sent, no outcome on record/)
      #expect(server.writes.count == 1)
    }

    @Test("without a count nothing can be deleted, and read-only has no such command")
    func uncounted() throws {
      let screen = try FactScreen(server, home: home, ["--guild", FactServer.guild])
      server.script(.subjects, .status(500, #"{"error":"database is locked"}"#), times: 50)
      screen.type(":memory-purge\r")
      try screen.see("that it was not counted", /could not be counted, so it is not deleted/)
      screen.type("\(Self.name)\r")
      try screen.see("that it is not", /not counted yet, so it is not deleted/)
      screen.end()

      let watcher = try FactScreen(
        server, home: home, ["--guild", FactServer.guild, "--read-only"])
      watcher.type(":memory-purge\r")
      try watcher.see("read-only", /read-only/)
      watcher.type("\u{7}\u{7}\(Self.name)\rU")
      try watcher.see("the list") { $0.contains("Mira prefers") }
      #expect(server.writes.isEmpty)
    }

    @Test("a backend without the route says so once, and the command is marked in help")
    func unserved() throws {
      server.script(.purge, .status(404, #"{"error":"Not found."}"#))
      let screen = try ask()
      try confirm(screen)
      screen.type("U")
      screen.expect(1, .purge)
      try screen.see("the route", /no purge of a guild: it does not serve .api.memory.guild/)
      #expect(server.fact(41) != nil)
      screen.type("?shown guild")
      try screen.see("help", /not served by this backend/)
    }

    @Test("a reflection run: its day is typed, its record goes, once")
    func run() throws {
      let server = try FactServer(.workshop(.march))
      let screen = try FactScreen(server, home: home)
      screen.type("]]")
      try screen.see("the run", /2026-03-1[23]|1 saved/)
      screen.type("D")
      try screen.seeQuestion()
      try screen.see("what stays", /what it saved \(1 facts\)/)
      screen.type("2026-03-13\r")
      try screen.see("that it has to be typed", /exactly as it stands/)
      #expect(server.writes.isEmpty)
      screen.type("\u{15}2026-03-12\r")
      try screen.seeHeld()
      screen.type("U")
      screen.expect(1, .deleteRun)
      #expect(server.requests(.deleteRun).first?.path == "/api/memory/reflections/run-1")
      screen.wait("the journal has the outcome") {
        screen.state.outcomes == ["sending", "deleted"]
      }
      screen.type("gj")
      try screen.see("gone", /run-1\) is gone, as read again: the backend deleted 2 rows/)
      #expect(server.writes.count == 1)
    }

    // MARK: From the shell

    private func run(_ arguments: [String], _ server: FactServer) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, ["facts"] + arguments + ["--url", server.url],
        environment: Tool.environment(home: home, token: FactServer.token))
      process.wait()
      return process
    }

    @Test("the verbs: counted, refused without the word, one request, exit codes")
    func verbs() throws {
      let guild = ["--guild", FactServer.guild]
      for (words, code) in [([], 2), (["--confirm", "lantern works"], 2), (["--read-only"], 2)] {
        let process = try run(["purge"] + guild + words, server)
        #expect(process.status == .exited(Int32(code)), "\(process.errorText)")
      }
      #expect(server.writes.isEmpty)
      let done = try run(["purge"] + guild + ["--confirm", Self.name], server)
      #expect(done.status == .exited(0), "\(done.errorText)")
      #expect(done.errorText.contains("4 facts and 0 reflection runs"))
      #expect(done.errorText.contains("is gone, as read again"))
      #expect(server.count(.purge) == 1 && server.writes.count == 1)
      #expect(FactState(home).outcomes == ["sending", "deleted"])

      let march = try FactServer(.workshop(.march))
      let list = try run(["reflections", "--json"], march)
      #expect(list.text.contains(#""run":"run-1""#), "\(list.text)\(list.errorText)")
      let missing = try run(["delete-reflection", "run-9", "--confirm", "x"], march)
      #expect(missing.status == .exited(1))
      let wrong = try run(["delete-reflection", "run-1", "--confirm", "2026-03-13"], march)
      #expect(wrong.status == .exited(2) && march.writes.isEmpty)
      let gone = try run(["delete-reflection", "run-1", "--confirm", "2026-03-12"], march)
      #expect(gone.status == .exited(0), "\(gone.errorText)")
      #expect(march.writes.count == 1)
    }

    @Test("recall: people, mode and channel are sent as they were chosen")
    func recall() throws {
      let process = try run(
        [
          "recall", "what", "games?", "--guild", FactServer.guild, "--person", FactBook.mira,
          "--person", FactBook.tobias, "--channel", "910000000000000011", "--mode", "voice",
        ], server)
      #expect(process.status == .exited(0), "\(process.errorText)")
      let asked = try #require(server.requests(.recall).first)
      #expect(asked.text("mode") == "voice" && asked.text("userId") == FactBook.mira)
      #expect(asked.object["participantIds"] as? [String] == [FactBook.mira, FactBook.tobias])
      #expect(asked.text("channelId") == "910000000000000011")
      #expect(asked.text("queryText") == "what games?")
    }
  }
}
