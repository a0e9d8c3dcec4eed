import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A gateway whose clock is wrong, and a terminal that cannot keep up with it.
  @Suite("a wrong clock, a slow terminal") struct GatewayStressTests {
    @Test(
      "a gateway 10 minutes off: let in, countdowns by its own clock, and doctor says it",
      arguments: [600, -600])
    func clock(offset: Int) throws {
      let claw = try GatewayHome(
        ["--clock-offset", "\(offset)"], profile: "scopes = \"admin\"")
      try claw.fault("ask", ["command": "make everything", "ms": 1_800_000])
      let askedMs = Date().timeIntervalSince1970 * 1000
      let list = try claw.approvals("list", "--json")
      let entry = try #require(
        list.objects.first { $0["subject"] as? String == "make everything" }, "\(list)")
      let expires = try #require(entry["expires_at_ms"] as? Double)
      let left = try #require(entry["expires_in_ms"] as? Double)
      // The moment is by the gateway's clock, the time that is left by nobody's.
      #expect(abs(expires - askedMs - 1_800_000 - Double(offset) * 1000) < 20_000, "\(entry)")
      #expect((1_770_000...1_800_500).contains(left), "\(entry)")
      #expect(entry["expired"] as? Bool == false)
      let doctor = try claw.run(["doctor", "--profile", "claw"])
      #expect(
        doctor.text.contains("\(offset > 0 ? "ahead of" : "behind") ours"), "\(doctor)")
      #expect(doctor.text.contains("what expires is reckoned by the gateway's clock"))

      let cockpit = try Cockpit(["--profile", "claw", "--utc"], home: claw.home, columns: 160)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("!", see: "make everything")
      try cockpit.see("the time that is left") {
        $0.firstMatch(of: /exec +\w* +29m[0-5]\ds left +make everything/) != nil
      }
      // One that has seconds is not taken for one that is over, nor for one that has minutes.
      try claw.fault("ask", ["command": "soon over", "ms": 8000])
      try cockpit.see("seconds") { $0.firstMatch(of: /\b[1-8]s left +soon over/) != nil }
      try cockpit.see("over") { $0.firstMatch(of: /s left +soon over/) == nil }
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("fingerprint") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a terminal of 200 B/s in a flood: keys are answered, nothing is lost, memory is bounded")
    func slowTerminal() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      let cockpit = try Cockpit(["--profile", "claw", "--utc"], home: claw.home)
      try cockpit.see("live") { _ in cockpit.isLive }
      func slowly(_ seconds: Double) {
        cockpit.pty.trickle(bytesPerSecond: 200, for: .milliseconds(Int(seconds * 1000)))
      }
      for index in 0..<300 {
        try claw.fault("ask", ["command": "flood \(index)", "ms": 3_000_000])
        if index.isMultiple(of: 10) { slowly(0.1) }
      }
      // What expires first is the card that is shown.
      try claw.fault("ask", ["command": "answer me", "ms": 120_000])
      let id = try claw.listed("answer me").id
      slowly(1)
      for key in ["!", "a", "\r", "\r"] {
        cockpit.type(key)
        slowly(1)
      }
      // Answered while the terminal still has most of the flood to read.
      #expect(try claw.truth(of: id, status: "allowed")["by"] as? String == "clanky-cockpit")
      if let peak = ProcessMemory.peakMB(cockpit.pty.processID) { #expect(peak < 250) }
      cockpit.type("\u{1B}")
      let waiting = try claw.truth("approvals").count { $0["status"] as? String == "pending" }
      #expect(waiting == 301)
      try cockpit.see("all of them") { $0.contains("\(waiting) WAIT") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
