import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `glance`, against what a gateway's own records and a stub backend say.
  @Suite("glance") struct GlanceTests {
    @Test("a gateway: what waits and is wrong first, within the lines, with the code of status")
    func gateway() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.fault("ask", ["command": "git push\u{1B}[31m"])
      let profile = ["--profile", "claw", "--timeout", "20"]
      let glance = try claw.run(["glance", "--width", "200"] + profile)
      let status = try claw.run(["status"] + profile)
      #expect(glance.status == status.status, "\(glance)")
      let lines = glance.text.split(separator: "\n")
      #expect((3...6).contains(lines.count), "\(glance)")
      let waiting = try claw.truth("approvals").count { $0["status"] as? String == "pending" }
      #expect(lines.first?.contains("\(waiting) WAIT") == true, "\(glance)")
      #expect(glance.text.contains("git push") && glance.text.contains("left "))
      #expect(ForbiddenBytes.found(in: Array(glance.text.utf8)) == [])
      let narrow = try claw.run(["glance", "--width", "20", "--lines", "3"] + profile)
      #expect(narrow.text.split(separator: "\n").allSatisfy { $0.count <= 20 }, "\(narrow)")
      #expect(narrow.text.split(separator: "\n").count == 3)
    }

    @Test(
      "--watch draws in place, marks what is old when the gateway is gone, and restores the screen")
    func watch() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.denyAll()
      let glance = try Cockpit(
        ["glance", "--watch", "--profile", "claw"], home: claw.home, rows: 6, columns: 80)
      try glance.see("0 wait")
      try claw.fault("ask", ["command": "make release"])
      try glance.see("make release")
      claw.demo.stop()
      // The last known lines stay, and say that they are old.
      try glance.see("old state with its age") { screen in
        screen.contains("make release") && screen.contains("Nothing listens")
          && screen.contains(/1 WAIT \d+s/)
      }
      glance.pty.signal(SIGTERM)
      glance.expectEnd(.exited(143))
    }

    @Test(
      "a bot: figures, voice, what is wrong; a dead backend has the sentence and code of status")
    func bot() throws {
      let home = try TemporaryFolder()
      let stub = try StubServer { StatusBarTests.answer($0) }
      defer { stub.stop() }
      let access = ["--url", stub.url, "--timeout", "20"]
      func run(_ arguments: [String]) throws -> PipedProcess {
        let process = try PipedProcess(
          Tool.path, arguments, environment: Tool.environment(home: home))
        process.wait()
        return process
      }
      let glance = try run(["glance"] + access)
      #expect(glance.status == .exited(0), "\(glance.errorText)")
      #expect(glance.text.contains("actions") && glance.text.contains("(1h)"))
      #expect(glance.text.contains("no voice session") && glance.text.contains("hello there"))
      stub.stop()
      let dead = try run(["glance"] + access)
      #expect(dead.status == .exited(3))
      #expect(dead.text.contains("unreachable") && dead.text.contains("refused"), "\(dead.text)")
    }
  }
}
