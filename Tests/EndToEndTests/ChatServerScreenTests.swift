import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A server that can only be talked to, on the screen. What the demo gateway noted of its HTTP side is the truth.
  @Suite("chat servers on the screen") struct ChatServerScreenTests {
    private func home(_ more: String = "model = \"openclaw/moss\"") throws -> GatewayHome {
      let claw = try GatewayHome()
      let url = claw.demo.url.replacing("ws://", with: "http://")
      try claw.write(
        """
        [profiles.llm]
        kind = "openai"
        url = "\(url)/v1"
        token_file = "\(claw.demo.tokenFile)"
        \(more)
        [profiles.claw]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        token_file = "\(claw.demo.tokenFile)"
        scopes = "operate"
        [profiles.both]
        sources = ["claw", "llm"]

        """)
      return claw
    }

    private func screen(
      _ claw: GatewayHome, _ profile: String = "llm", see text: String
    ) throws -> Cockpit {
      let cockpit = try Cockpit(
        ["--profile", profile, "--utc"], home: claw.home, rows: 30, columns: 120)
      try cockpit.see(text)
      return cockpit
    }

    private func messages(_ claw: GatewayHome) throws -> [[String: Any]] {
      try claw.truth("entries").filter { $0["what"] as? String == "message" }
    }

    private func leave(_ cockpit: Cockpit) throws {
      try cockpit.type("\u{1B}", see: "i write  j k scroll")
      cockpit.type("q")
      try cockpit.see("closed") { !$0.contains("i write  j k scroll") }
    }

    @Test("the conversation has the whole screen, is sent whole, and outlives the program")
    func conversation() throws {
      let claw = try home()
      let cockpit = try screen(claw, see: "The server keeps nothing")
      try cockpit.see("live") { _ in cockpit.isLive }
      #expect(cockpit.line(0).contains("chat@llm") && !cockpit.line(0).contains("wait"))
      #expect(cockpit.screen.contains("model openclaw/moss"))
      try cockpit.type("first question\r", see: "first question")
      try cockpit.see("the answer") { _ in
        cockpit.screen.contains("idle") && (try? messages(claw).count) == 1
      }
      let first = try #require(try messages(claw).first)
      #expect(first["has_key"] as? Bool == false && first["earlier"] as? Int == 0)
      try leave(cockpit)
      #expect(cockpit.screen.contains("This source has no feed"))
      for (tab, words) in [("2", "nothing of voice"), ("4", "no memory API"), ("1", "no feed")] {
        try cockpit.type(tab, see: words)
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))

      let again = try screen(claw, see: "first question")
      try again.type("second question\r", see: "second question")
      try again.see("sent") { _ in (try? messages(claw).count) == 2 }
      // The question and the answer of the first run of the program.
      let second = try #require(try messages(claw).last)
      #expect(second["earlier"] as? Int == 2 && second["has_key"] as? Bool == false)
      try again.see("answered") { $0.contains("idle") }
      // A new conversation begins without them.
      try again.type("/new\r", see: "session v2")
      try again.type("third question\r", see: "third question")
      try again.see("sent") { _ in (try? messages(claw).count) == 3 }
      #expect(try messages(claw).last?["earlier"] as? Int == 0)
      try again.see("answered") { $0.contains("idle") }
      try leave(again)
      again.type("q")
      again.expectEnd(.exited(0))
    }

    @Test("models of the list are chosen like agents")
    func models() throws {
      let claw = try home()
      let cockpit = try screen(claw, see: "The server keeps nothing")
      try cockpit.type("/agent\r", see: "openclaw/tally")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("openclaw/tally") }
      try cockpit.type("/agent openclaw/tally\r", see: "model openclaw/tally")
      try cockpit.type("who are you\r", see: "who are you")
      try cockpit.see("sent") { _ in (try? claw.truth("runs").last?["agent"] as? String) == "tally"
      }
      try cockpit.see("answered") { $0.contains("idle") }
      try leave(cockpit)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("beside a gateway it is one of the sources, and nothing waits there")
    func several() throws {
      let claw = try home()
      let cockpit = try screen(claw, "both", see: "2/2 live")
      try cockpit.type(":source llm\r", see: "This source")
      #expect(cockpit.line(0).contains(" llm "))
      try cockpit.type("i", see: "The server keeps nothing")
      try cockpit.type("hello there\r", see: "hello there")
      try cockpit.see("sent") { _ in (try? messages(claw).count) == 1 }
      #expect(try messages(claw).last?["has_key"] as? Bool == false)
      try cockpit.see("answered") { $0.contains("idle") }
      let status = try claw.run(["status", "--profile", "both"])
      #expect(
        status.lines.count == 2 && status.lines[1].contains("reachable  5 models"), "\(status)")
      let doctor = try claw.run(["doctor", "--profile", "both"])
      #expect(doctor.text.contains("5 models at /v1/models"), "\(doctor)")
      try leave(cockpit)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a server that goes away and comes back: said, and a message fails with a sentence")
    func away() throws {
      let claw = try home()
      try claw.write(
        "[profiles.llm]\nkind = \"openai\"\nurl = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\n")
      let cockpit = try screen(claw, see: "Nothing answers at http://127.0.0.1:9")
      #expect(!cockpit.isLive)
      try cockpit.type("are you there\r", see: "are you there")
      try cockpit.see("the failure") { $0.contains("start the server") }
      try leave(cockpit)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("setup without questions tests, saves the token apart, and prints it nowhere")
    func setup() throws {
      let claw = try GatewayHome()
      try claw.write("theme = \"okabe\" # kept\n")
      let url = claw.demo.url.replacing("ws://", with: "http://") + "/v1"
      let arguments = [
        "setup", "--kind", "openai", "--url", url, "--profile", "llm", "--store", "file",
      ]
      let wrong = try claw.home.file("wrong", "not-the-token-4711")
      let refused = try claw.run(arguments + ["--token-file", wrong])
      #expect(
        refused.status == .exited(4) && refused.errors.contains("nothing is saved"), "\(refused)")
      let saved = try claw.run(
        arguments + ["--token-file", claw.demo.tokenFile, "--model", "openclaw/moss"])
      #expect(saved.status == .exited(0), "\(saved)")
      #expect(saved.errors.contains("It works. 5 models: openclaw,"), "\(saved)")
      for said in [refused, saved] {
        #expect(!(said.text + said.errors).contains(claw.demo.token))
        #expect(!(said.text + said.errors).contains("not-the-token-4711"))
      }
      let path = claw.home.path + "/.config/clanky-cockpit/config.toml"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.hasPrefix("theme = \"okabe\" # kept\n") && !text.contains(claw.demo.token))
      #expect(text.contains("kind = \"openai\"") && text.contains("model = \"openclaw/moss\""))
      let said = try claw.run(["chat", "-m", "After setup", "--profile", "llm"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(try claw.truth("runs").last?["agent"] as? String == "moss")
      let other = try claw.run(
        arguments.map { $0 == url ? "http://127.0.0.1:9/v1" : $0 } + ["--no-token", "--no-test"])
      #expect(other.status == .exited(2) && other.errors.contains("--replace"), "\(other)")
      for more in [["--kind", "openclaw", "--model", "m"], ["--kind", "openai", "--api", "ws"]] {
        #expect(try claw.run(["setup"] + more).status == .exited(2), "\(more)")
      }
    }

    @Test("setup with questions")
    func dialog() throws {
      let claw = try GatewayHome()
      try claw.write("")
      let url = claw.demo.url.replacing("ws://", with: "http://") + "/v1"
      let cockpit = try Cockpit(
        ["setup", "--kind", "openai", "--store", "file"], home: claw.home, rows: 40, columns: 120)
      try cockpit.see("Profile name [llm]")
      try cockpit.type("\r", see: "Address [http://127.0.0.1:8080/v1]")
      try cockpit.type("\(url)\r", see: "Token (not shown")
      try cockpit.type("\(claw.demo.token)\r", see: "It works. 5 models")
      try cockpit.type("openclaw/wren\r", see: "Save [y]")
      try cockpit.type("\r", see: "Open the conversation with: clanky-cockpit --profile llm")
      #expect(cockpit.pty.wait() == .exited(0))
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(claw.demo.token))
      let said = try claw.run(["status"])
      #expect(said.status == .exited(0) && said.text.hasPrefix("reachable"), "\(said)")
    }
  }
}
