import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The cockpit on a gateway inside tmux, as over SSH; the gateway's own records are the truth.
  @Suite(
    "a gateway in tmux",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/tmux")))
  struct GatewayTmuxTests {
    private func open(_ claw: GatewayHome) throws -> Tmux {
      try Tmux(
        home: claw.home, token: "not-for-a-gateway", [Tool.path, "--profile", "claw", "--utc"])
    }

    @Test("a device is let in, and an approval answered with two keys")
    func pairingAndApproval() throws {
      let claw = try GatewayHome(["--pairing"], profile: "scopes = \"admin\"")
      let tmux = try open(claw)
      defer { tmux.stop() }
      try tmux.wait("the command") { $0.contains("openclaw devices approve") }
      try claw.fault("pairing", ["decision": "approve"])
      try tmux.run(["send-keys", "r"])
      try tmux.wait("live") { $0.contains("LIVE <") }
      try claw.fault("ask", ["command": "make the beds"])
      // The row may be there before the sheet has the approval; the demo has one of its own.
      try tmux.wait("a card") { $0.contains("make the beds") && $0.contains("2 WAIT") }
      let id = try claw.listed("make the beds").id
      try tmux.run(["send-keys", "!"])
      try tmux.wait("the sheet") { $0.contains("fingerprint") }
      // What expires first is first.
      try tmux.wait("the card") { $0.contains("id \(id),") }
      try tmux.run(["send-keys", "a"])
      try tmux.wait("armed") { $0.contains("Enter sends: allow-once") }
      // Enter is dead for a moment after a card has appeared.
      try tmux.wait("sent") { screen in
        if screen.contains("sent and taken") { return true }
        _ = try? tmux.run(["send-keys", "Enter"])
        return false
      }
      let record = try claw.truth(of: id, status: "allowed")
      #expect(record["decision"] as? String == "allow-once")
      #expect(record["by"] as? String == "clanky-cockpit")
    }

    @Test("!!! at a gateway that does not answer says what is open and what to do; Ctrl-\\ ends")
    func stuckPanic() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      let tmux = try open(claw)
      defer { tmux.stop() }
      try tmux.wait("live") { $0.contains("LIVE <") }
      try claw.fault("ask", ["command": "make the beds"])
      try tmux.wait("a card") { $0.contains("make the beds") }
      let id = try claw.listed("make the beds").id
      try claw.fault("lateAnswers", ["ms": 100_000])
      try tmux.run(["send-keys", "!!!"])
      try tmux.wait("what is open") {
        $0.contains("STOPPING EVERYTHING")
          && $0.contains("asked, no answer yet: deny make the beds")
      }
      try tmux.wait("what to do") { $0.contains("stop the gateway on its host") }
      // It was carried out all the same: only the answer is late.
      #expect(try claw.truth(of: id, status: "denied")["by"] as? String == "clanky-cockpit")
      try tmux.run(["send-keys", "C-\\", "C-\\"])
      let end = ContinuousClock.now + Tool.patience
      while (try? tmux.run(["has-session"])) != nil, ContinuousClock.now < end { usleep(50_000) }
      #expect((try? tmux.run(["has-session"])) == nil, "the program goes on")
    }

    @Test("a connection that breaks in the middle of a run shows no answer twice and loses none")
    func brokenRun() throws {
      let claw = try GatewayHome(
        ["--rate", "4"], scenario: "story", profile: "scopes = \"admin\"")
      let tmux = try open(claw)
      defer { tmux.stop() }
      try tmux.wait("live") { $0.contains("LIVE <") }
      let startMs = Int(Date().timeIntervalSince1970 * 1_000)
      try tmux.run(["send-keys", "f"])
      try tmux.run(["send-keys", "-l", "kind:sent_reply|gateway_gap_warning"])
      try tmux.run(["send-keys", "Enter"])
      try claw.fault("dropInRun")
      try tmux.wait("a gap") { $0.contains("gap of about") && $0.contains("LIVE <") }
      let brokenMs = Int(Date().timeIntervalSince1970 * 1_000)
      func texts() throws -> [String] {
        try claw.truth("runs").filter {
          ($0["ended"] as? Int ?? 0) > brokenMs && $0["status"] as? String == "done"
        }.compactMap { $0["text"] as? String }.filter { !$0.isEmpty }
      }
      let end = ContinuousClock.now + Tool.patience
      while try texts().count < 2, ContinuousClock.now < end { usleep(50_000) }
      let said = try texts()
      try #require(said.count >= 2)
      func beginning(_ text: String) -> String { String(text.prefix(24)) }
      try tmux.wait("the answers") { screen in
        said.allSatisfy { screen.contains(beginning($0)) }
      }
      let screen = try tmux.run(["capture-pane", "-p"])
      let all = try claw.truth("runs").filter {
        ($0["started"] as? Int ?? 0) > startMs - 60_000
      }.compactMap { $0["text"] as? String }
      for text in Set(said) {
        let shown = screen.components(separatedBy: beginning(text)).count - 1
        #expect(shown <= all.count { beginning($0) == beginning(text) }, "\(text)\n\(screen)")
      }
    }
  }
}
