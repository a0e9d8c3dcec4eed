import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A conversation with an agent on the screen, whose gateway's own records are the truth.
  @Suite("the chat drawer") struct ChatScreenTests {
    private func screen(
      _ claw: GatewayHome, rows: Int = 40, columns: Int = 120
    ) throws -> Cockpit {
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: rows, columns: columns)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("i", see: "Nothing was said here yet")
      return cockpit
    }

    private func folder(_ claw: GatewayHome, _ name: String) -> String {
      "\(claw.home.path)/.local/state/clanky-cockpit/\(name)"
    }

    /// The records of the first channel.
    private func records(_ claw: GatewayHome) throws -> [[String: Any]] {
      let path = folder(claw, "chat/channel-main.jsonl")
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return try text.split(separator: "\n").flatMap { try PlainAction.objects(String($0)) }
    }

    /// From the input to the tab, key by key: Esc and a letter together are Alt and the letter.
    private func leave(_ cockpit: Cockpit) throws {
      try cockpit.type("\u{1B}", see: "i write  j k scroll")
      cockpit.type("q")
      try cockpit.see("the tab's keys") { !$0.contains("i write  j k scroll") }
    }

    private func wait(_ what: String, _ cockpit: Cockpit, _ isThere: () throws -> Bool) throws {
      try cockpit.see(what) { _ in (try? isThere()) ?? false }
    }

    @Test("an answer with its tools: on the screen, in the file, its run in BRAIN")
    func conversation() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("plan the order\r", see: "bags of lentils are enough")
      try cockpit.see("the tools") { $0.contains("3 tools") && $0.contains("1 failed") }
      try wait("the records", cockpit) { try records(claw).count == 2 }
      let kept = try records(claw)
      #expect(kept[0]["text"] as? String == "plan the order")
      let tools = try #require(kept[1]["tools"] as? [[String: Any]])
      #expect(tools.map { $0["name"] as? String } == ["read", "exec", "web_fetch"])
      #expect(kept[1]["end"] as? String == "completed")
      try cockpit.type("\u{1B}", see: "> agent")
      try cockpit.type(" ", see: "web_fetch failed")
      cockpit.type("\r")
      try cockpit.see("its run in BRAIN") { _ in
        cockpit.line(0).contains("[3 BRAIN]") && cockpit.screen.contains("\"plan the order\"")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))

      let again = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 40, columns: 120)
      try again.see("live") { _ in again.isLive }
      try again.type("`", see: "bags of lentils are enough")
      again.type("q")
      again.expectEnd(.exited(0))
    }

    @Test("Ctrl-C stops the answer; what had come is kept, and the program goes on")
    func cancel() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a long story\r", see: "Part 3 is about")
      try cockpit.type("\u{3}", see: "aborted; what had come is kept")
      try wait("the record", cockpit) { try records(claw).last?["end"] as? String == "aborted" }
      #expect((try records(claw).last?["text"] as? String)?.contains("Part 3 is about") == true)
      try cockpit.type("and now?\r", see: "agent")
      try wait("the next answer", cockpit) { try records(claw).count == 4 }
      try leave(cockpit)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a gateway that restarts in the middle: the answer ends with a word, and a retry works")
    func restart() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a long story\r", see: "Part 3 is about")
      try claw.fault("restart")
      cockpit.type("typed meanwhile")
      try wait("the answer's end", cockpit) { try records(claw).count == 2 }
      #expect(cockpit.screen.contains("typed meanwhile"))
      let end = try #require(try records(claw).last)
      #expect(["completed", "failed", "aborted"].contains(end["end"] as? String ?? ""), "\(end)")
      #expect((end["text"] as? String)?.contains("Part 3 is about") == true)
      try cockpit.see("live again") { _ in cockpit.isLive }
      try cockpit.type("\r", see: "typed meanwhile")
      try wait("the next answer", cockpit) { try records(claw).count == 4 }
      #expect(try records(claw).last?["end"] as? String == "completed")
      try leave(cockpit)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a draft outlives kill -9, and is offered again")
    func draft() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      cockpit.type("half a thought that nobody has sent")
      let path = folder(claw, "chat-drafts/main.json")
      try wait("the draft on the disk", cockpit) {
        try String(contentsOfFile: path, encoding: .utf8).hasSuffix("nobody has sent")
      }
      cockpit.pty.signal(SIGKILL)
      #expect(cockpit.pty.wait() == .signaled(SIGKILL))
      let again = try screen(claw)
      try again.see("half a thought that nobody has sent")
      try leave(again)
      again.type("q")
      again.expectEnd(.exited(0))
    }

    @Test("leaving the drawer stops nothing, and the title says what goes on")
    func leaving() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a long story\r", see: "Part 3 is about")
      try leave(cockpit)
      cockpit.type("`")
      try cockpit.see("closed") { !$0.contains("agent heron  v1") }
      // A title follows within a second or two.
      try wait("the title", cockpit) {
        String(decoding: cockpit.pty.output, as: UTF8.self).contains("clanky: LIVE streaming")
      }
      try wait("the record", cockpit) { try records(claw).last?["end"] as? String == "completed" }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a Clanky bot: both keys do nothing and say so")
    func bot() throws {
      let home = try TemporaryFolder()
      let demo = try DemoBackend(home: home)
      let cockpit = try Cockpit(on: demo, home: home)
      try cockpit.type("i", see: "i does nothing here")
      try cockpit.type("`", see: "` does nothing here")
      #expect(!cockpit.screen.contains("chat"))
      try cockpit.type("?", see: "Esc closes")
      #expect(!cockpit.screen.contains("agent"))
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("Esc closes") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
