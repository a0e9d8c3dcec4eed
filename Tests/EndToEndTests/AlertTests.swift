import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What makes itself felt outside the screen: title, notifications, bell; and the plain screen.
  @Suite("Alerts") struct AlertTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func cockpit(
      _ server: RowServer, config: String, _ environment: [String: String] = [:]
    ) throws -> Cockpit {
      let file = try home.file("config.toml", config)
      let cockpit = try Cockpit(
        ["--url", server.url, "--config", file], home: home, token: "alert-token-4711", rows: 24,
        columns: 100, environment: environment)
      try cockpit.see("the first row") { $0.contains("the past") && cockpit.isLive }
      return cockpit
    }

    private static let past = RowServer.stored(1, "bot_error", content: "the past", secondsAgo: 5)
    private static let focusIn = "\u{1B}[I"
    private static let focusOut = "\u{1B}[O"

    @Test("a notification comes when nobody looks, is clean, and says what was held back")
    func notifications() throws {
      let server = try RowServer(
        stored: [Self.past],
        live: [
          RowServer.live("bot_error", content: "seen by whoever looks"),
          RowServer.live("llm_error", content: #"529 \u001b]0;x\u0007;overloaded"#),
          RowServer.live("bot_error", content: "held back"),
          RowServer.live("automation_post", content: "not in the list"),
        ])
      defer { server.stop() }
      let cockpit = try cockpit(
        server,
        config: """
          [alerts]
          notify = "error"
          bell = "off"
          via = "osc777"

          [alerts.classes]
          automation = ["bell"]

          """)
      cockpit.type(Self.focusIn)
      server.next()
      try cockpit.see("seen by whoever looks")
      cockpit.type(Self.focusOut)
      server.next()
      try cockpit.pty.expectBytes("\u{1B}]777;notify;clanky: error;", timeout: Tool.patience)
      try cockpit.see("529")
      server.next()
      try cockpit.see("held back")
      let quiet = cockpit.pty.output
      #expect(!quiet.contains(0x07), "no bell for errors")
      server.next()
      try cockpit.see("not in the list")
      try cockpit.pty.expectBytes("\u{07}", timeout: Tool.patience)
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      let sent = text.matches(of: /\e\]777;notify;([^\e]*)\e\\/).map { String($0.1) }
      #expect(sent.count == 1, "\(sent)")
      #expect(sent.first?.contains("529") == true && sent.first?.contains("past") == false)
      #expect(sent.first?.filter { $0 == ";" }.count == 1, "the text has no field of its own")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("the user's command gets the words in its environment, and not the token")
    func command() throws {
      let server = try RowServer(
        stored: [Self.past], live: [RowServer.live("voice_session_end", content: "nl_leave")])
      defer { server.stop() }
      let told = "\(home.path)/told"
      let cockpit = try cockpit(
        server,
        config: """
          title = false

          [alerts]
          notify = "on"
          command = 'printf "%s|%s|%s" "$CLANKY_TITLE" "$CLANKY_TEXT" "$CLANKY_TOKEN" > \(told).new; mv \(told).new \(told)'

          """)
      try cockpit.type(":notify-test\r", see: "sent a notification with alerts.command")
      func words() -> String? { try? String(contentsOfFile: told, encoding: .utf8) }
      cockpit.pty.pump(timeout: Tool.patience) { words() != nil }
      #expect(words() == "clanky: test|notifications arrive|")
      try FileManager.default.removeItem(atPath: told)
      cockpit.type(Self.focusOut)
      server.next()
      cockpit.pty.pump(timeout: Tool.patience) { words() != nil }
      #expect(words() == "clanky: voice session ended|nl_leave|")
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(!text.contains("\u{1B}]2;") && !text.contains("\u{1B}[22;2t"), "title = false")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("the title says how the bot is, in our words, and the old one comes back")
    func title() throws {
      let server = try RowServer(
        stored: [Self.past], live: [RowServer.live("llm_error", content: "STRANGE WORDS")])
      defer { server.stop() }
      let cockpit = try cockpit(server, config: "")
      try cockpit.pty.expectBytes("\u{1B}[22;2t\u{1B}]2;clanky: ", timeout: Tool.patience)
      try cockpit.pty.expectBytes("\u{1B}]2;clanky: LIVE $0.00 !1\u{1B}\\", timeout: Tool.patience)
      server.next()
      try cockpit.pty.expectBytes("\u{1B}]2;clanky: LIVE $0.00 !2\u{1B}\\", timeout: Tool.patience)
      try cockpit.type(":notify-test\r", see: "sent a notification as OSC 777")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      for title in text.matches(of: /\e\]2;([^\e]*)\e\\/) {
        #expect(title.1.firstMatch(of: /^clanky: [A-Z]+( voice)?( \$\d+\.\d\d)?( !\d+)?$/) != nil)
      }
      #expect(text.matches(of: /\e\[22;2t/).count == 1)
      #expect(text.matches(of: /\e\[23;2t/).count == 1)
    }

    @Test("with low_bandwidth a stream costs a fraction of its bytes, and keys answer at once")
    func lowBandwidth() throws {
      func bytes(_ mode: String) throws -> Int {
        let demo = try DemoBackend(["--flood", "60"], home: home)
        defer { demo.stop() }
        let file = try home.file("\(mode).toml", "low_bandwidth = \"\(mode)\"\n")
        let cockpit = try Cockpit(
          on: demo, ["--config", file], home: home, rows: 40, columns: 120)
        let before = cockpit.pty.output.count
        let start = ContinuousClock.now
        cockpit.pty.pump(timeout: .seconds(2.5), until: { false })
        let count = cockpit.pty.output.count - before
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        try cockpit.type("?", see: "KEYS")
        cockpit.type("?")
        cockpit.type("q")
        cockpit.expectEnd(.exited(0), what: mode)
        return Int(Double(count) / seconds * 60)
      }
      let (off, on) = (try bytes("off"), try bytes("on"))
      print("bytes a minute at 60 actions a second: \(off), with low_bandwidth \(on)")
      #expect(on * 3 < off, "\(off) bytes a minute, \(on) with low_bandwidth")
    }
  }
}
