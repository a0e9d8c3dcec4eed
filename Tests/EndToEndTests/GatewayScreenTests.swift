import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The cockpit on a gateway, whose own records are the truth.
  @Suite("the screen of a gateway") struct GatewayScreenTests {
    private func screen(
      _ claw: GatewayHome, _ arguments: [String] = [], rows: Int = 30, columns: Int = 120
    ) throws -> Cockpit {
      try Cockpit(
        ["--profile", "claw", "--utc"] + arguments, home: claw.home, rows: rows, columns: columns)
    }

    /// Sends what is armed; Enter is dead for a moment after a card has appeared.
    private func send(_ cockpit: Cockpit, _ key: String, see armed: String, then done: String)
      throws
    {
      try cockpit.type(key, see: armed)
      let end = ContinuousClock.now + Tool.patience
      repeat {
        cockpit.type("\r")
        try cockpit.see("an answer to Enter") {
          $0.contains(done) || $0.contains("has just changed")
        }
      } while !cockpit.screen.contains(done) && ContinuousClock.now < end
      try cockpit.see(done)
    }

    @Test(
      "an approval is answered with two keys, and the gateway has the answer",
      arguments: ["3", "4"])
    func approve(version: String) throws {
      let claw = try GatewayHome(["--protocol", version], profile: "scopes = \"admin\"")
      let cockpit = try screen(claw)
      try cockpit.see("live") { _ in cockpit.isLive }
      try claw.fault("ask", ["command": "rm -rf\u{202E} build"])
      try cockpit.see("a card") { $0.contains(#"rm -rf\u{202E} build"#) && $0.contains("2 WAIT") }
      try cockpit.type("!", see: "fingerprint")
      try cockpit.see("the card") { $0.contains("a allow-once   A allow-always   d deny") }
      let id = try claw.listed("rm -rf\u{202E} build").id
      // The demo has an approval of its own; what expires first is first.
      if !cockpit.screen.contains("id \(id),") { cockpit.type("j") }
      try cockpit.see("id \(id),")
      try send(cockpit, "a", see: "Enter sends: allow-once", then: "sent and taken")
      let record = try claw.truth(of: id, status: "allowed")
      #expect(record["decision"] as? String == "allow-once")
      #expect(record["by"] as? String == "clanky-cockpit")
      try cockpit.see("\(id) is over: allow-once by clanky-cockpit")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("have control") && !$0.contains("has control") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "what begins to wait has a card and one bell, unless it is quiet; keys go on to the tab",
      arguments: [false, true])
    func card(isQuiet: Bool) throws {
      let quiet = isQuiet ? "\n[attention]\nquiet = \"always\"" : ""
      let claw = try GatewayHome(profile: "scopes = \"admin\"" + quiet)
      let cockpit = try screen(claw)
      // The demo has an approval of its own: it was listed, and is no news.
      try cockpit.see("a card") { $0.contains("1 WAIT") && $0.contains("WAITS ") }
      try claw.fault("ask", ["command": "make everything"])
      try cockpit.see("make everything") { $0.contains("2 WAIT") && $0.contains("A COMMAND") }
      if !isQuiet { try cockpit.pty.expectBytes("\u{07}", timeout: Tool.patience) }
      try cockpit.type("5", see: "SESSIONS")
      #expect(cockpit.screen.contains("A COMMAND"))
      try cockpit.type("!", see: "fingerprint")
      cockpit.type("\u{1B}")
      try cockpit.see("no card") { $0.contains("SESSIONS") && !$0.contains("A COMMAND") }
      #expect(cockpit.line(0).contains("2 WAIT") && cockpit.line(0).contains("○○○○"))
      #expect(cockpit.pty.output.count { $0 == 0x07 } == (isQuiet ? 0 : 1))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("!!! denies what waits and stops what runs; each step has its outcome")
    func panic() throws {
      let claw = try GatewayHome(scenario: "story", profile: "scopes = \"admin\"")
      let cockpit = try screen(claw, rows: 40)
      try cockpit.see("live") { _ in cockpit.isLive }
      try claw.fault("ask", ["command": "make everything"])
      try cockpit.see("WAIT")
      let id = try claw.listed("make everything").id
      cockpit.type("!!!")
      try cockpit.see("outcomes") {
        $0.contains("STOPPING EVERYTHING") && $0.contains("done: deny make everything")
          && !$0.contains("asked, no answer yet")
      }
      let record = try claw.truth(of: id, status: "denied")
      #expect(record["by"] as? String == "clanky-cockpit")
      #expect(cockpit.screen.contains("automations that begin later are not stopped"))
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("STOPPING") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("two ! and a third after another key stop nothing; a read-only profile stops nothing")
    func notPanic() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"\nread_only = true")
      let cockpit = try screen(claw)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("!!j!", see: "fingerprint")
      try cockpit.type("a", see: "read-only")
      cockpit.type("!!!")
      try cockpit.see("this profile is read-only")
      #expect(!cockpit.screen.contains("STOPPING"))
      #expect(try claw.truth("approvals").allSatisfy { $0["status"] as? String == "pending" })
    }

    /// What the recording has of answers.
    private func recordedReplies(_ claw: GatewayHome) throws -> [String] {
      let histories = claw.home.path + "/.local/state/clanky-cockpit/history"
      let bot = try #require(try FileManager.default.contentsOfDirectory(atPath: histories).first)
      let recorded = try claw.run([
        "actions", "--from-history", "\(histories)/\(bot)", "--since", "1h", "--json",
      ])
      #expect(recorded.status == .exited(0), "\(recorded.errors)")
      return recorded.objects.filter { $0["kind"] as? String == "sent_reply" }.compactMap {
        $0["content"] as? String
      }
    }

    @Test(
      "a connection that breaks in the middle of a run doubles no answer and loses no word of one")
    func brokenRun() throws {
      let claw = try GatewayHome(
        ["--rate", "4"], scenario: "story", profile: "scopes = \"admin\"")
      let cockpit = try screen(claw, rows: 60, columns: 200)
      try cockpit.see("live") { _ in cockpit.isLive }
      let startMs = Int(Date().timeIntervalSince1970 * 1_000)
      try claw.fault("dropInRun")
      try cockpit.see("a gap") { $0.contains("gap of about") && cockpit.isLive }
      let brokenMs = Int(Date().timeIntervalSince1970 * 1_000)
      var runs: [[String: Any]] = []
      let end = ContinuousClock.now + Tool.patience
      while runs.count < 2, ContinuousClock.now < end {
        runs = try claw.truth("runs").filter {
          ($0["ended"] as? Int ?? 0) > brokenMs && $0["status"] as? String == "done"
            && $0["text"] as? String != ""
        }
        usleep(50_000)
      }
      let all = try claw.truth("runs").filter {
        ($0["started"] as? Int ?? 0) > startMs && $0["status"] as? String == "done"
      }.compactMap { $0["text"] as? String }
      let texts = runs.compactMap { $0["text"] as? String }
      try #require(texts.count >= 2)
      try cockpit.see(String(texts[texts.count - 1].prefix(30)))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let said = try recordedReplies(claw)
      for text in Set(texts) { #expect(said.contains(text), "\(text)\n\(said)") }
      // No answer is there that no run gave, and none more often than it was given.
      for text in Set(said) {
        let given = all.count { $0 == text }
        #expect(given == 0 || said.count { $0 == text } <= given, "\(text)")
      }
    }

    @Test("PULSE has what the agents of the story said, whole and once")
    func feed() throws {
      let claw = try GatewayHome(
        ["--rate", "20"], scenario: "story", profile: "scopes = \"admin\"")
      let cockpit = try screen(claw, rows: 60, columns: 200)
      try cockpit.see("live") { _ in cockpit.isLive }
      // Runs that began after the screen was live and have ended.
      let startMs = Int(Date().timeIntervalSince1970 * 1_000)
      var texts: [String] = []
      let end = ContinuousClock.now + Tool.patience
      while texts.count < 3, ContinuousClock.now < end {
        texts = try claw.truth("runs").filter {
          ($0["started"] as? Int ?? 0) > startMs && $0["status"] as? String == "done"
        }.compactMap { $0["text"] as? String }.filter { !$0.isEmpty }
        usleep(50_000)
      }
      try #require(texts.count >= 3)
      // The last of them is on the screen; all of them are in the recording.
      let last = String(texts[texts.count - 1].prefix(30))
      try cockpit.see(last)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let said = try recordedReplies(claw)
      for text in Set(texts) {
        let count = texts.count { $0 == text }
        #expect(said.count { $0 == text } >= count, "\(text)\n\(said)")
      }
    }

    @Test("a device that is not known shows the command that lets it in, and goes on by itself")
    func pairing() throws {
      let claw = try GatewayHome(["--pairing"])
      let cockpit = try screen(claw)
      try cockpit.see("openclaw devices approve")
      #expect(cockpit.screen.contains("device "))
      try claw.fault("pairing", ["decision": "approve"])
      cockpit.type("r")
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a wrong token and a dead address are one sentence with a next step")
    func refusals() throws {
      let claw = try GatewayHome()
      let dead = claw.demo.url
      try claw.configure("", url: dead, hasToken: false)
      let refused = try Cockpit(
        ["--profile", "claw"], home: claw.home, rows: 24, columns: 80,
        environment: ["OPENCLAW_GATEWAY_TOKEN": "wrong"])
      try refused.see("STOPPED")
      #expect(refused.screen.contains("token"), "\(refused.screen)")
      refused.type("q")
      refused.expectEnd(.exited(0))
      claw.demo.stop()
      let gone = try Cockpit(["--profile", "claw"], home: claw.home)
      try gone.see("Nothing listens at the gateway's address")
      gone.type("q")
      gone.expectEnd(.exited(0))
    }

    @Test("a restart loses no card and no word is said twice")
    func restart() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      let cockpit = try screen(claw)
      try cockpit.see("live") { _ in cockpit.isLive }
      try claw.fault("dropConnections")
      try cockpit.see("a gap") { _ in cockpit.isLive && cockpit.screen.contains("gap of about") }
      let waiting = try claw.truth("approvals").count { $0["status"] as? String == "pending" }
      try cockpit.see("\(waiting) WAIT")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("hostile text of a gateway controls no terminal")
    func hostile() throws {
      let claw = try GatewayHome(
        ["--rate", "10"], scenario: "hostile", profile: "scopes = \"admin\"")
      let cockpit = try screen(claw)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.see("rows") { $0.contains("ACT ") }
      cockpit.type("5")
      try cockpit.see("SESSIONS")
      try cockpit.type("?", see: "CMD: agents, sessions")
      #expect(!cockpit.screen.contains("voice-join"))
      cockpit.type("?")
      try cockpit.see("closed") { $0.contains("SESSIONS") }
      cockpit.type("!")
      try cockpit.see("control") { $0.contains("control") && $0.contains("wait") }
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { $0.contains("SESSIONS") }
      try cockpit.type("1", see: "LIVE FEED")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
