import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A companion gateway: the demo's own record is the truth.
  @Suite("companion gateways") struct CompanionTests {
    @Test("setup pairs once: the token is saved apart from the profile, a used code is refused")
    func pairing() throws {
      let desk = try CompanionHome()
      let torn = try desk.setup(String(desk.code.dropLast(9)))
      #expect(torn.status == .exited(2) && torn.errors.contains("Copy it whole"), "\(torn)")
      let done = try desk.setup(desk.code)
      #expect(done.status == .exited(0), "\(done)")
      #expect(try desk.truth("paired").count == 1)
      #expect(try desk.truth("session opened").count == 1)
      let text = try String(contentsOfFile: desk.path, encoding: .utf8)
      #expect(text.contains("kind = \"companion\"") && text.contains("/companion\""))
      #expect(!text.contains("cdt_") && !(done.text + done.errors).contains("cdt_"))
      let again = try desk.setup(desk.code)
      #expect(again.status == .exited(4) && again.errors.contains("has been used"), "\(again)")
      let doctor = try desk.run(["doctor", "--profile", "garden"])
      #expect(doctor.text.contains("a session began within"), "\(doctor)")
    }

    @Test("chat sends a signed message and prints the answer whose frames replace each other")
    func chat() throws {
      let desk = try CompanionHome(paired: "")
      let said = try desk.run(["chat", "-m", "How full is it?"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(said.text == "You wrote 15 characters. The rain barrel is full.\n")
      #expect(try desk.truth("message refused").isEmpty)
      let status = try desk.run(["status", "--json"])
      #expect(status.text.contains("\"kind\":\"companion\""), "\(status)")
    }

    @Test("a card, a timed grant, the red frame, the command, revoking it; what has none is denied")
    func grants() throws {
      let desk = try CompanionHome(
        paired: """
          profile = "extended"
          commands = { camera = "printf '%s' \\"$CAPABILITY\\"" }
          """)
      let cockpit = try desk.screen()
      try desk.fault(["fault": "ask", "capability": "location.once"])
      try cockpit.see("the refusal") { _ in
        (try? desk.truth("decided").first?["reason"] as? String) == "unavailable"
      }
      try desk.fault(["fault": "ask", "capability": "ble.scan"])
      try cockpit.see("the profile's refusal") { _ in
        (try? desk.truth("decided").last?["reason"] as? String) == "not_allowed"
      }
      try desk.fault(["fault": "ask", "capability": "camera.front.once", "purpose": "see the pump"])
      try cockpit.see("1 WAIT")
      try cockpit.type("!", see: "camera.front.once: see the pump")
      #expect(cockpit.screen.contains("d deny   a once   t 60 s   A for this session"))
      // Enter does nothing for 400 ms after a card has appeared.
      usleep(500_000)
      cockpit.type("t")
      cockpit.type("\r")
      try cockpit.see("1 GRANT of this machine; r revokes")
      #expect(cockpit.line(0).contains(" CTRL "))
      try cockpit.see("the decision, and what the command printed") { _ in
        (try? desk.truth("decided").last?["decision"] as? String) == "timed"
          && (try? desk.truth("text").last?["bytes"] as? Int) == 17
      }
      try cockpit.type("r", see: "Enter revokes: camera.front.once")
      cockpit.type("\r")
      try cockpit.see("revoked") { $0.contains("no agent may use anything of this machine now") }
      #expect(try desk.truth("revoked").first?["capability"] as? String == "camera.front.once")
      #expect(!cockpit.line(0).contains("CTRL"))
      cockpit.type("q")
      try cockpit.type("5", see: "CAPABILITIES, PROFILE EXTENDED")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a grant ends on time beside a gateway that hangs, and while this program is suspended")
    func time() throws {
      let desk = try CompanionHome(paired: "commands = { notify = \"true\" }")
      let cockpit = try desk.screen()
      for isOwn in [false, true] {
        try desk.fault([
          "fault": "ask", "capability": isOwn ? "notify.own" : "notify.other", "duration_s": 3,
        ])
        try cockpit.see("1 WAIT")
        try cockpit.type("!", see: "t 60 s")
        usleep(500_000)
        cockpit.type("t\r")
        try cockpit.see("1 GRANT of this machine")
        cockpit.type("q")
        // What ends is seen without an answer of the gateway, and at once after a suspension.
        let suspended = isOwn ? cockpit.pty.processID : desk.demo.process.processID
        kill(suspended, SIGSTOP)
        if isOwn { usleep(3_200_000) }
        let resumed = ContinuousClock.now
        if isOwn { kill(suspended, SIGCONT) }
        try cockpit.see("the end of the grant") { !$0.contains(" CTRL ") }
        #expect(ContinuousClock.now - resumed < .seconds(isOwn ? 2 : 6))
        kill(suspended, SIGCONT)
        try cockpit.see("the gateway is told") { _ in
          (try? desk.truth("revoked").count) == (isOwn ? 2 : 1)
        }
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a read-only profile denies every request at once, and sends no message")
    func readOnly() throws {
      let desk = try CompanionHome(paired: "commands = { notify = \"true\" }")
      let cockpit = try desk.screen(["--read-only"])
      try desk.fault(["fault": "ask", "capability": "notify"])
      try cockpit.see("the refusal") { _ in
        (try? desk.truth("decided").first?["reason"] as? String) == "read_only"
      }
      try cockpit.see("the row") { $0.contains("notify: the profile is read-only") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let text = try String(contentsOfFile: desk.path, encoding: .utf8)
      try Data(
        text.replacing("kind = \"companion\"", with: "kind = \"companion\"\nread_only = true").utf8
      ).write(to: URL(filePath: desk.path))
      let said = try desk.run(["chat", "-m", "Hello"])
      #expect(said.status == .exited(2) && said.errors.contains("read-only"), "\(said)")
      #expect(try desk.truth("text").isEmpty)
    }

    @Test("a forged token can only be denied, and panic denies and revokes")
    func tokens() throws {
      let desk = try CompanionHome(
        paired: "profile = \"full\"\ncommands = { notify = \"true\", screen = \"true\" }")
      let cockpit = try desk.screen()
      try desk.fault(["fault": "ask", "capability": "notify", "forged": true])
      try cockpit.see("1 WAIT")
      try cockpit.type("!", see: "invalid token: its signature is not the gateway's")
      cockpit.type("a")
      try cockpit.see("that is not offered")
      try desk.fault(["fault": "ask", "capability": "screen.once"])
      try cockpit.see("2 wait, 0 grants")
      cockpit.type("!!!")
      try cockpit.see("everything denied") { _ in
        (try? desk.truth("decided").count { $0["decision"] as? String == "deny" }) == 2
      }
      try cockpit.see("what the agent does on the gateway is not stopped by this")
    }

    @Test("a revoked token ends the session with a sentence that says what to do")
    func revoked() throws {
      let desk = try CompanionHome(paired: "")
      let cockpit = try desk.screen()
      try desk.fault(["fault": "ask", "capability": "canvas.draw"])
      try cockpit.see("1 WAIT")
      try desk.fault(["fault": "revoke"])
      try cockpit.see("pair it again")
      try cockpit.type("!", see: "the session is over, and with it every request and grant")
      #expect(cockpit.screen.contains("canvas.draw not answered: the session ended"))
      let status = try desk.run(["status"])
      #expect(status.status == .exited(4) && status.errors.contains("pair it again"), "\(status)")
    }

    @Test("the demo in this process")
    func demo() throws {
      let home = try TemporaryFolder()
      for arguments in [
        ["chat", "--demo", "companion", "-m", "Hello"], ["status", "--demo", "companion"],
      ] {
        let process = try PipedProcess(
          Tool.path, arguments, environment: Tool.environment(home: home))
        process.wait()
        #expect(
          process.status == .exited(0) || process.status == .exited(1),
          "\(process.text) \(process.errorText)")
      }
    }
  }
}
