import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What a gateway sends that no sound one would, against the real program.
  @Suite("frames of a gateway") struct GatewayFrameTests {
    private func waitingCard(_ claw: GatewayHome, _ cockpit: Cockpit, _ command: String) throws {
      try claw.fault("ask", ["command": command])
      try cockpit.see("a card for \(command)") { $0.contains(command) }
    }

    private func connects(_ claw: GatewayHome) throws -> Int {
      try claw.truth("entries").count { $0["what"] as? String == "connected" }
    }

    @Test(
      "a frame within the limit is taken; a larger one is refused in a sentence, and the connection comes back"
    )
    func large() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      let cockpit = try Cockpit(["--profile", "claw", "--utc"], home: claw.home, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      try claw.fault("bigFrame", ["bytes": 25_000_000])
      try waitingCard(claw, cockpit, "make small")
      #expect(try connects(claw) == 1)
      try claw.fault("bigFrame", ["bytes": 27_000_000])
      try cockpit.see("the refusal") { $0.contains("sent too much at once") }
      try cockpit.see("live again") { $0.contains("gap of about") && cockpit.isLive }
      #expect(try connects(claw) == 2)
      try waitingCard(claw, cockpit, "make large")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("hostile text in every string reaches no terminal, whatever the verb")
    func hostile() throws {
      let claw = try GatewayHome(
        ["--rate", "30"], scenario: "hostile", profile: "scopes = \"admin\"")
      func expectCalm(_ text: String, _ verb: String) {
        #expect(ForbiddenBytes.found(in: Array(text.utf8)) == [], "\(verb)")
      }
      let profile = ["--profile", "claw"]
      for verb in [["status", "--json"], ["snapshot", "--view", "pulse"], ["doctor"]] {
        let told = try claw.run(verb + profile)
        #expect(!told.text.isEmpty, "\(verb): \(told)")
        expectCalm(told.text + told.errors, "\(verb)")
      }
      for verb in [["tail"], ["tail", "--json"]] {
        let process = try PipedProcess(
          Tool.path, verb + profile, environment: Tool.environment(home: claw.home))
        let isTold = process.pump { process.lines.count > 12 }
        #expect(isTold, "\(verb): \(process.text) \(process.errorText)")
        process.signal(SIGINT)
        process.wait()
        expectCalm(process.text + process.errorText, "\(verb)")
      }
    }
  }
}
