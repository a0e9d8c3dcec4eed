import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The cockpit as a node of a gateway: the gateway's record and the user's own command are the truth.
  @Suite("this machine as a node") struct GatewayNodeTests {
    /// A gateway whose profile has a command that writes what it gets to a file.
    private struct Desk {
      let claw: GatewayHome
      let output: String
      let profile: String

      init(_ arguments: [String] = [], profile more: String = "") throws {
        claw = try GatewayHome(arguments)
        output = claw.home.path + "/shown"
        let command =
          "{ printf '[%s|%s|%s]' \\\"$CLANKY_TITLE\\\" \\\"$CLANKY_TEXT\\\" \\\"$CLANKY_PRIORITY\\\"; cat; echo; } >> \\\"$HOME/shown\\\""
        profile = "scopes = \"operate\"\nnotify_command = \"\(command)\"\n" + more
        try claw.configure(profile)
      }

      var shown: String { (try? String(contentsOfFile: output, encoding: .utf8)) ?? "" }

      func cockpit(_ arguments: [String] = []) throws -> Cockpit {
        try Cockpit(
          ["--profile", "claw", "--utc"] + arguments, home: claw.home, rows: 30, columns: 120)
      }

      func invoke(
        _ params: [String: Any], command: String = "system.notify", key: String? = nil
      ) throws {
        var fault: [String: Any] = ["command": command, "params": params]
        if let key { fault["key"] = key }
        try claw.fault("invoke", fault)
      }

      func entries(_ what: String) throws -> [[String: Any]] {
        try claw.truth("entries").filter { $0["what"] as? String == what }
      }

      var results: [[String: Any]] { (try? entries("node result")) ?? [] }

      var isNode: Bool {
        ((try? entries("connected")) ?? []).contains { $0["role"] as? String == "node" }
      }
    }

    @Test(
      "an agent's words reach the user's command, the screen and nothing else",
      arguments: ["3", "4"])
    func notifies(version: String) throws {
      let desk = try Desk(["--protocol", version])
      let cockpit = try desk.cockpit()
      try cockpit.see("live, and a node") { _ in cockpit.isLive && desk.isNode }
      let evil = "$(touch $HOME/evil) `touch $HOME/evil`'; touch $HOME/evil; '\""
      try desk.invoke([
        "title": "Pump\u{1B}[31m ready\u{202E}", "body": "line one\n" + evil,
        "priority": "timeSensitive", "sound": "glass", "delivery": "overlay",
      ])
      try cockpit.see("the result") { _ in desk.results.count == 1 }
      #expect(desk.results.first?["ok"] as? Bool == true)
      // Title, text and priority in variables, the text on standard input too.
      let body = "line one\n" + evil
      #expect(desk.shown.hasSuffix(" ready|\(body)|timeSensitive]\(body)\n"), "\(desk.shown)")
      #expect(ForbiddenBytes.found(in: Array(desk.shown.utf8)) == [])
      #expect(!FileManager.default.fileExists(atPath: desk.claw.home.path + "/evil"))
      try cockpit.see("line one")
      try cockpit.type("5", see: "this machine as a node: connected")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "other commands, empty and too many notifications are refused; a repeated one is shown once")
    func refuses() throws {
      let desk = try Desk()
      let cockpit = try desk.cockpit()
      try cockpit.see("live, and a node") { _ in cockpit.isLive && desk.isNode }
      for command in ["system.run", "camera.snap", "system.notify "] {
        try desk.invoke(["title": "x", "command": ["touch", "evil"]], command: command)
      }
      try desk.invoke([:])
      try cockpit.see("four refusals") { _ in desk.results.count == 4 }
      for result in desk.results {
        #expect(result["ok"] as? Bool == false)
        #expect((result["error"] as? [String: Any])?["code"] as? String == "INVALID_REQUEST")
      }
      try cockpit.see("system.run: this node carries out system.notify and nothing else")
      #expect(desk.shown.isEmpty)
      for _ in 0..<3 { try desk.invoke(["title": "once"], key: "same") }
      try cockpit.see("three answers") { _ in desk.results.count == 7 }
      #expect(desk.shown == "[once||active]\n")
      for number in 0..<12 {
        try desk.invoke(["title": "n\(number)"])
        try cockpit.see("an answer") { _ in desk.results.count == 8 + number }
      }
      let busy = desk.results.filter {
        ($0["error"] as? [String: Any])?["code"] as? String == "UNAVAILABLE"
      }
      #expect(busy.count == 3 && desk.shown.split(separator: "\n").count == 10)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a device is approved as a node of its own; doctor says how far it is")
    func pairing() throws {
      let desk = try Desk(["--pairing"])
      func doctor() throws -> String {
        try desk.claw.run(["doctor", "--profile", "claw"]).lines.filter { $0.contains(" node ") }
          .joined()
      }
      _ = try desk.claw.run(["status", "--profile", "claw"])
      try desk.claw.fault("pairing")
      #expect(try doctor().contains("this device is not paired as a node"))
      let cockpit = try desk.cockpit()
      try cockpit.see("the row that says how it is approved") {
        $0.contains("as a node: This device is not approved yet")
      }
      let request = try #require(try desk.claw.truth("pairings").last)
      #expect(
        request["role"] as? String == "node" && request["reason"] as? String == "role-upgrade")
      #expect((request["scopes"] as? [Any])?.isEmpty == true)
      try desk.claw.fault("pairing")
      cockpit.type("r")
      try cockpit.see("a node") { _ in desk.isNode }
      try cockpit.see("agents may send notifications to it")
      #expect(try doctor().contains("paired and connected; agents may use system.notify"))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(try doctor().contains("paired; connected while a cockpit"))
      // What the gateway gave the device in each role opens it again without the shared secret.
      try desk.claw.configure(desk.profile, hasToken: false)
      let again = try desk.cockpit()
      try again.see("a node again") { _ in
        ((try? desk.entries("connected")) ?? []).filter { $0["role"] as? String == "node" }.count
          == 2
      }
      again.type("q")
      again.expectEnd(.exited(0))
    }

    @Test("a read-only profile, one without a command, and verbs are no node")
    func absent() throws {
      let desk = try Desk(profile: "read_only = true")
      let cockpit = try desk.cockpit()
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(
        try desk.claw.run(["doctor", "--profile", "claw"]).text.contains("the profile is read-only")
      )
      try desk.claw.configure("scopes = \"operate\"")
      let plain = try desk.cockpit()
      try plain.see("live") { _ in plain.isLive }
      try plain.type("5", see: "SESSIONS")
      #expect(!plain.screen.contains("as a node"))
      plain.type("q")
      plain.expectEnd(.exited(0))
      #expect(!(try desk.claw.run(["doctor", "--profile", "claw"]).text.contains(" node ")))
      #expect(!desk.isNode)
    }
  }
}
