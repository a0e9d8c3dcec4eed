import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `approvals` against a gateway, whose own records are the truth.
  @Suite("approvals of a gateway") struct ApprovalTests {
    @Test("all that waits is listed and shown whole, with every character visible")
    func listAndShow() throws {
      let claw = try GatewayHome()
      let command = "rm \u{1B}[2K -rf\u{202E} x\n\\"
      try claw.fault("ask", ["command": command])
      let truth = try claw.truth("approvals")
      let list = try claw.approvals("list")
      #expect(list.status == .exited(0) && list.lines.count == truth.count, "\(list)")
      #expect(list.text.contains(#"rm \u{1B}[2K -rf\u{202E} x\n\\"#))
      // The one that waits for everybody is not all there may be.
      #expect(list.errors.contains("Approvals of runs started elsewhere are not shown"))
      let objects = try claw.approvals("list", "--json").objects
      #expect(
        Set(objects.compactMap { $0["id"] as? String })
          == Set(truth.compactMap { $0["id"] as? String }))
      let entry = try #require(objects.first { $0["subject"] as? String == command })
      let id = try #require(entry["id"] as? String)
      let end = try #require(truth.first { $0["id"] as? String == id }?["expires"] as? Int)
      #expect(entry["expires_at_ms"] as? Int == end)
      let shown = try claw.approvals("show", id)
      #expect(shown.lines.first == #"command: rm \u{1B}[2K -rf\u{202E} x\n\\"#, "\(shown)")
      #expect(shown.text.contains("cwd: /home/ines/agents/heron\n"))
      #expect(shown.text.contains("offered: allow-once, allow-always, deny\n"))
      #expect(shown.text.contains("fingerprint: \(entry["fingerprint"] as? String ?? "?")\n"))
      #expect(shown.text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
    }

    @Test("allow and deny do what they say, once", arguments: ["3", "4"])
    func answers(version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      for (words, command, decision) in [
        (["allow"], "make one", "allow-once"), (["allow", "--always"], "make two", "allow-always"),
        (["deny"], "make three", "deny"),
      ] {
        try claw.fault("ask", ["command": command])
        let (id, fingerprint) = try claw.listed(command)
        let line = ["approvals"] + words + [id, fingerprint]
        let done = try claw.run(line)
        #expect(done.status == .exited(0) && done.text == "\(decision): \(id)\n", "\(done)")
        let status = decision == "deny" ? "denied" : "allowed"
        let record = try claw.truth(of: id, status: status)
        #expect(record["decision"] as? String == decision)
        #expect(record["by"] as? String == "clanky-cockpit")
        let again = try claw.run(line)
        #expect(again.status == .exited(1) && again.text.isEmpty)
        #expect(
          again.errors.contains(
            version == "4" ? "Already answered by clanky-cockpit: \(decision)." : "not waiting"),
          "\(again)")
      }
      #expect(try claw.truth("approvals").count { $0["status"] as? String == "pending" } == 1)
    }

    @Test("a card that has changed since it was shown is not answered")
    func changed() throws {
      let claw = try GatewayHome()
      let (id, fingerprint) = try claw.listed("git push vault main")
      try claw.fault("swapCommands")
      for verb in ["allow", "deny"] {
        let refused = try claw.approvals(verb, id, fingerprint)
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains("this is not what was shown"), "\(refused)")
      }
      #expect(try claw.truth(of: id, status: "pending")["status"] as? String == "pending")
      let (_, new) = try claw.listed("git push vault main --force")
      #expect(new != fingerprint)
      #expect(try claw.approvals("allow", id, new).status == .exited(0))
    }

    @Test(
      "without a fingerprint deny shows the request and asks; what has changed meanwhile is not denied"
    )
    func denyAtTerminal() throws {
      let claw = try GatewayHome()
      let (id, _) = try claw.listed("git push vault main")
      let piped = try claw.approvals("deny", id)
      #expect(piped.status == .exited(2), "\(piped)")
      #expect(piped.errors.contains("deny needs the fingerprint of what was read"), "\(piped)")
      for (answer, isSwapped) in [("\n", false), ("y\n", true), ("y\n", false)] {
        let pty = try PTYProcess(
          Tool.path, ["approvals", "deny", id],
          environment: Tool.environment(home: claw.home), rows: 40, columns: 110)
        try pty.expect("command: git push vault main", timeout: Tool.patience)
        try pty.expect("Deny it [n]:", timeout: Tool.patience)
        if isSwapped { try claw.fault("swapCommands") }
        pty.send(answer)
        let end = pty.wait(timeout: Tool.patience)
        let isDenied = answer != "\n" && !isSwapped
        #expect(end == .exited(isDenied ? 0 : 1), "\(pty.terminal.text)")
        let sentence = isSwapped ? "this is not what was shown" : "nothing was answered"
        #expect(isDenied || pty.terminal.text.contains(sentence), "\(pty.terminal.text)")
        let status = isDenied ? "denied" : "pending"
        #expect(try claw.truth(of: id, status: status)["status"] as? String == status)
      }
    }

    @Test("another operator's answer is said as such")
    func another() throws {
      let claw = try GatewayHome()
      let (id, fingerprint) = try claw.listed("git push vault main")
      try claw.fault("otherAnswersFirst")
      let record = try claw.truth(of: id, status: "denied")
      let name = try #require(record["by"] as? String)
      for line in [["show", id], ["allow", id, fingerprint], ["deny", id, fingerprint]] {
        let late = try claw.run(["approvals"] + line)
        #expect(late.status == .exited(1))
        #expect(late.errors.contains("Already answered by \(name): deny."), "\(late)")
      }
    }

    @Test("an expiry is counted, and said", arguments: ["3", "4"])
    func expiry(version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      try claw.fault("ask", ["command": "make haste", "ms": 2_500])
      let entry = try #require(
        try claw.approvals("list", "--json").objects
          .first { $0["subject"] as? String == "make haste" })
      #expect((1...2_500).contains(entry["expires_in_ms"] as? Int ?? 0), "\(entry)")
      let id = try #require(entry["id"] as? String)
      _ = try claw.truth(of: id, status: "expired")
      let fingerprint = try #require(entry["fingerprint"] as? String)
      let late = try claw.approvals("deny", id, fingerprint)
      #expect(late.status == .exited(1))
      #expect(late.errors.contains(version == "4" ? "It has expired" : "has expired, or"))
      #expect(try claw.truth(of: id, status: "expired")["by"] is NSNull)
    }

    @Test("what expires is reckoned by the gateway's clock", arguments: ["600", "-600"])
    func clocks(offset: String) throws {
      let claw = try GatewayHome(["--clock-offset", offset])
      let entry = try #require(try claw.approvals("list", "--json").objects.first)
      // An hour and a half, of which 31 minutes have passed.
      #expect((3_440_000...3_540_000).contains(entry["expires_in_ms"] as? Int ?? 0), "\(entry)")
      #expect(entry["expired"] as? Bool == false)
      let doctor = try claw.run(["doctor", "--profile", "claw"])
      let words = offset == "600" ? "ahead of ours" : "behind ours"
      #expect(doctor.text.contains(words) && doctor.status == .exited(0), "\(doctor.text)")
    }

    @Test(
      "the `:` line of a bot's screen asks the gateway with its own profile, and no secret of the bot"
    )
    func onTheScreen() throws {
      let claw = try GatewayHome()
      let bot = try DemoBackend(["--scenario", "quiet"], home: claw.home)
      let cockpit = try Cockpit(on: bot, home: claw.home, columns: 120)
      cockpit.type(":approvals list\r")
      try cockpit.see("what waits") {
        $0.contains(":approvals list  done") && $0.contains("git push vault main")
      }
      cockpit.type("\u{3}")
      try cockpit.see("the feed") { !$0.contains("git push vault main") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      bot.stop()
    }

    @Test("only what was offered is sent, and nothing by a profile that is read-only")
    func offers() throws {
      let claw = try GatewayHome()
      try claw.fault("ask", ["command": "make less", "decisions": ["allow-once", "deny"]])
      let (id, fingerprint) = try claw.listed("make less")
      let refused = try claw.approvals("allow", id, fingerprint, "--always")
      #expect(refused.status == .exited(1))
      #expect(refused.errors.contains("does not offer allow-always, but: allow-once, deny."))
      try claw.configure("scopes = \"operate\"\nread_only = true")
      let readOnly = try claw.approvals("allow", id, fingerprint)
      #expect(readOnly.status == .exited(2) && readOnly.errors.contains("read-only"))
      #expect(try claw.approvals("show", id).status == .exited(0))
      #expect(try claw.truth(of: id, status: "pending")["status"] as? String == "pending")
    }

    @Test("a gateway that restarts in between is waited for; what it dropped is said")
    func restart() throws {
      let claw = try GatewayHome()
      let (id, fingerprint) = try claw.listed("git push vault main")
      try claw.fault("restart")
      _ = try claw.truth(of: id, status: "cancelled")
      // It answers "starting" for a second and a half.
      let late = try claw.approvals("allow", id, fingerprint)
      #expect(late.status == .exited(1), "\(late)")
      #expect(late.errors.contains("The gateway restarted and dropped it"), "\(late)")
      let list = try claw.approvals("list")
      #expect(list.status == .exited(0) && list.text.isEmpty)
      #expect(list.errors.contains("Nothing waits."))
      try claw.fault("restart")
      let short = try claw.approvals("list", "--timeout", "0.5")
      #expect(short.status == .exited(3) || short.status == .exited(0), "\(short)")
    }

    @Test("runs started elsewhere are shown to admin alone")
    func elsewhere() throws {
      let claw = try GatewayHome()
      try claw.fault("ask", ["command": "make far", "elsewhere": true])
      #expect(try !claw.approvals("list").text.contains("make far"))
      try claw.configure("scopes = \"admin\"")
      let list = try claw.approvals("list")
      #expect(list.text.contains("make far") && list.errors.isEmpty, "\(list)")
      let (id, fingerprint) = try claw.listed("make far")
      #expect(try claw.approvals("allow", id, fingerprint).status == .exited(0))
      _ = try claw.truth(of: id, status: "allowed")
    }

    @Test("hostile text in every string reaches no terminal")
    func hostile() throws {
      let claw = try GatewayHome(scenario: "hostile")
      for line in [["list"], ["show"], ["show", "x\u{1B}[2J"], ["list", "--json"]] {
        let told = try claw.run(["approvals"] + line)
        for text in [told.text, told.errors] {
          let isCalm = text.unicodeScalars.allSatisfy {
            $0 == "\n" || $0.properties.generalCategory != .control && !$0.properties.isBidiControl
          }
          #expect(isCalm, "\(line)")
        }
      }
    }
  }
}
