import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The settings of a profile on the screen. The file is the truth.
  @Suite("settings of a profile") struct ProfileSettingsTests {
    private static let secret = "cf-secret-lantern-0815"

    private func home() throws -> GatewayHome {
      let claw = try GatewayHome()
      try claw.write(
        """
        # kept
        profile = "claw"
        [profiles.claw]   # mine
        kind = "openclaw"
        url = "\(claw.demo.url)"
        token_file = "\(claw.demo.tokenFile)"
        scopes = "operate" # to answer
        headers = { "X-Access" = "\(Self.secret)" }

        [profiles.llm]
        kind = "openai"
        url = "\(claw.demo.url.replacing("ws://", with: "http://"))/v1"
        token_file = "\(claw.demo.tokenFile)"
        [profiles.llm.headers]
        X-Key = "env:HOME"

        """)
      return claw
    }

    private func text(_ claw: GatewayHome) throws -> String {
      try String(
        contentsOfFile: claw.home.path + "/.config/clanky-cockpit/config.toml", encoding: .utf8)
    }

    private func screen(_ claw: GatewayHome, _ more: [String] = []) throws -> Cockpit {
      let cockpit = try Cockpit(["--utc"] + more, home: claw.home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      return cockpit
    }

    /// Moves the cursor of the sheet to a key, and waits for its meaning.
    private func go(_ cockpit: Cockpit, down count: Int, see meaning: String) throws {
      cockpit.type("g")
      for _ in 0..<count { cockpit.type("j") }
      try cockpit.see(meaning)
    }

    @Test("a value is changed as a line of the file, used after R, and taken back with u")
    func change() throws {
      let claw = try home()
      let before = try text(claw)
      let cockpit = try screen(claw)
      try cockpit.type("S", see: "SETTINGS OF CLAW")
      #expect(cockpit.screen.contains("line 7") && cockpit.screen.contains("default"))
      #expect(!cockpit.screen.contains(Self.secret) && cockpit.screen.contains("X-Access "))
      try go(cockpit, down: 12, see: "What this device asks the gateway for")
      try cockpit.type("\r", see: "Enter takes it")
      cockpit.type("\u{1B}[C")
      try cockpit.type("\r", see: "+ scopes = \"admin\" # to answer")
      #expect(cockpit.screen.contains("- scopes = \"operate\" # to answer"))
      // Any other key leaves the file unchanged.
      try cockpit.type("n", see: "the file was not changed")
      #expect(try text(claw) == before)
      try cockpit.type("\r", see: "Enter takes it")
      cockpit.type("\u{1B}[C")
      try cockpit.type("\r", see: "Write it?")
      try cockpit.type("y", see: "written: scopes")
      #expect(try text(claw) == before.replacing("\"operate\" #", with: "\"admin\" #"))
      let title = try #require(cockpit.find("SETTINGS OF CLAW"))
      #expect(cockpit.line(title.row).contains("R reconnects"))
      try cockpit.type("u", see: "taken back: scopes")
      #expect(try text(claw) == before)
      try cockpit.type("\r", see: "Enter takes it")
      cockpit.type("\u{1B}[C")
      try cockpit.type("\r", see: "Write it?")
      try cockpit.type("y", see: "written: scopes")
      cockpit.type("R")
      try cockpit.see("connected again") { _ in
        cockpit.isLive && !cockpit.screen.contains("SETTINGS OF CLAW")
      }
      try cockpit.type("S", see: "SETTINGS OF CLAW")
      #expect(cockpit.screen.contains("admin"))
      let after = try #require(cockpit.find("SETTINGS OF CLAW"))
      #expect(!cockpit.line(after.row).contains("R reconnects"))
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("SETTINGS OF CLAW") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(Self.secret))
    }

    @Test("what would spoil the file is refused with its reason, and nothing is written")
    func refused() throws {
      let claw = try home()
      let before = try text(claw)
      let cockpit = try screen(claw)
      try cockpit.type("S", see: "SETTINGS OF CLAW")
      try go(cockpit, down: 1, see: "The address.")
      try cockpit.type("\r", see: "Enter takes it")
      try cockpit.type("nonsense\r", see: "A gateway has an address such as")
      try go(cockpit, down: 9, see: "of mode 0600")
      try cockpit.type("\r", see: "Enter takes it")
      try cockpit.type("/nowhere/token\r", see: "there is no token file")
      // The history of the WebSocket is the gateway's.
      try go(cockpit, down: 17, see: "Who keeps the conversation")
      try cockpit.type("\r", see: "Enter takes it")
      cockpit.type("\u{1B}[C")
      try cockpit.type("\r", see: "needs api")
      // What stands in an inline table is for an editor.
      try go(cockpit, down: 21, see: "Its value is never shown")
      try cockpit.type("\r", see: "no secret itself")
      try cockpit.type("env:HOME\r", see: "change it in an editor")
      #expect(try text(claw) == before)
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("SETTINGS OF CLAW") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(Self.secret))
    }

    @Test("a chat server has its own keys; a header takes a reference and no secret")
    func server() throws {
      let claw = try home()
      let cockpit = try Cockpit(
        ["--profile", "llm", "--utc"], home: claw.home, rows: 40, columns: 120)
      try cockpit.see("The server keeps nothing")
      try cockpit.type("\u{1B}", see: "i write  j k scroll")
      cockpit.type("q")
      try cockpit.see("closed") { !$0.contains("i write  j k scroll") }
      try cockpit.type("S", see: "SETTINGS OF LLM")
      #expect(!cockpit.screen.contains("scopes") && cockpit.screen.contains("env:HOME"))
      cockpit.type("G")
      try cockpit.see("Its value is never shown")
      try cockpit.type("\r", see: "no secret itself")
      try cockpit.type("\(Self.secret)-typed\r", see: "a secret is not typed here")
      try cockpit.type("\r", see: "no secret itself")
      try cockpit.type("env:PATH\r", see: "+ X-Key = \"env:PATH\"")
      try cockpit.type("y", see: "written: headers.X-Key")
      #expect(try text(claw).contains("[profiles.llm.headers]\nX-Key = \"env:PATH\"\n"))
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("SETTINGS OF LLM") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("the demo has no profile; a Clanky bot keeps its settings")
    func others() throws {
      let home = try TemporaryFolder()
      let cockpit = try Cockpit(["--demo", "openclaw", "--utc"], home: home)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("S", see: "the demo has no profile")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
