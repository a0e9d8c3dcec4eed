import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The CMD tab on a terminal: joining voice with every answer there is, and a past session that is
  /// shown again.
  @Suite("CMD") struct CommandTabTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A backend where no user has called the bot yet.
    private func quiet() throws -> DemoBackend {
      try DemoBackend(
        ["--seed", "1", "--scenario", "quiet", "--rate", "8", "--fault-control"], home: home)
    }

    private func cockpit(on demo: DemoBackend, _ arguments: [String] = []) throws -> Cockpit {
      let cockpit = try Cockpit(on: demo, arguments, home: home, rows: 40, columns: 120)
      try cockpit.type("5", see: "[5 CMD]")
      try cockpit.see("the guilds") { $0.contains("▸ Ridge Runners") }
      return cockpit
    }

    @Test("doctor speaks of the screen that shows it, not of the pipes of its process")
    func doctor() throws {
      let cockpit = try Cockpit(
        ["--demo", "quiet"], home: home, rows: 40, columns: 120,
        environment: ["COLORTERM": "truecolor"])
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type(":doctor\r")
      try cockpit.see("the end of it") { $0.contains(":doctor  done") }
      #expect(cockpit.screen.contains("TERM=xterm-256color (xterm or like it), 120x40"))
      #expect(cockpit.screen.contains("24-bit (COLORTERM=truecolor)"))
      #expect(!cockpit.screen.contains("no terminal") && !cockpit.screen.contains("NO_COLOR"))
      try cockpit.type(":", see: "a command or a verb")
      cockpit.type("\u{3}")
      try cockpit.see("no line") { !$0.contains("a command or a verb") && !$0.contains("┌ OUTPUT") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let linear = try PTYProcess(
        Tool.path, ["--linear", "--demo", "quiet"], environment: Tool.environment(home: home),
        rows: 100, columns: 300)
      try linear.expect("actions are known", timeout: Tool.patience)
      linear.send("doctor\n")
      try linear.expect("linear mode writes no colours", timeout: Tool.patience)
      #expect(!linear.terminal.text.contains("no terminal"))
    }

    /// What the answer to a reason must say (contract 3.4.1).
    private static let refusals: [(reason: String, words: String)] = [
      ("no_guild_available", "The bot is in no guild, or Discord is not ready yet"),
      ("guild_not_found", "The bot is not in that guild; choose another one."),
      ("requester_not_in_voice", "That member is in no voice channel; have them join one first"),
      ("requester_is_bot", "That member is a bot; choose a person to follow."),
      ("no_voice_members_found", "Nobody is in a voice channel; have somebody join one first"),
      ("text_channel_unavailable", "The bot found no text channel it may write in"),
      ("join_not_handled", "The bot did not act on the request"),
      ("voice_join_unconfirmed", "The bot tried to join but is not in the channel"),
      ("voice_join_unknown", "The bot gave no usable answer"),
      ("voice_join_unavailable", "This backend cannot join voice."),
      ("a_reason_of_tomorrow", "The bot answered “a_reason_of_tomorrow”."),
    ]

    /// The words of a screen, whatever lines and boxes they were broken by.
    private func words(_ screen: String) -> String {
      screen.split { $0.isWhitespace || "│┌┐└┘─".contains($0) }.joined(separator: " ")
    }

    @Test("joining voice: every refusal says what to do and stays; then it works")
    func join() throws {
      let demo = try quiet()
      let cockpit = try cockpit(on: demo)
      for (reason, words) in Self.refusals {
        let fault = try demo.request(
          "POST", "/__demo/fault", ["fault": "joinOutcome", "reason": reason])
        #expect(fault.status == 200)
        try cockpit.type("\r", see: "IN WHICH GUILD?")
        try cockpit.type("\r", see: "WHOM DOES IT FOLLOW?")
        try cockpit.type("\r", see: "WHERE DOES IT WRITE?")
        try cockpit.type("\r", see: "[CANCEL] [JOIN]")
        cockpit.type("\t\r")
        try cockpit.see(reason) { self.words($0).contains(words) }
        cockpit.type("x")
        try cockpit.see("it stays") { $0.contains("CHANGE AND TRY AGAIN") }
        cockpit.type("\r")
        try cockpit.see("it is closed, and can still be read") {
          !$0.contains("CHANGE AND TRY AGAIN")
            && $0.contains(reason.replacing("_", with: " ").prefix(18))
        }
      }
      // A person by name, with the text channel that was chosen.
      cockpit.type("\r\r")
      try cockpit.see("WHOM DOES IT FOLLOW?")
      try cockpit.type("whoever", see: "1 of")
      try cockpit.type("\r", see: "WHERE DOES IT WRITE?")
      // What comes together with the choice does not answer the question after it.
      try cockpit.type("\r\t\r", see: "[CANCEL] [JOIN]")
      #expect(try demo.sessions().isEmpty)
      cockpit.type("\t\r")
      try cockpit.see("it worked") {
        self.words($0).contains("The bot joined the voice channel.") && $0.contains("SHOW VOICE")
      }
      cockpit.type("\t\r")
      try cockpit.see("VOICE shows the session") {
        $0.contains("[2 VOICE]") && $0.contains("PARTICIPANTS")
      }
      #expect(try demo.sessions().count == 1)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("Enter on a past session replays it in VOICE; rows are exported for their owner alone")
    func history() throws {
      let demo = try quiet()
      let cockpit = try cockpit(on: demo)
      try cockpit.see("past sessions are summed up") {
        $0.contains("VOICE HISTORY 6") && $0.firstMatch(of: /\d+p +\d+\+? turns/) != nil
      }
      // The newest one.
      try cockpit.click(on: "31m00s")
      cockpit.type("\r")
      try cockpit.see("the past session") {
        $0.contains("[2 VOICE]") && $0.contains("PAST #") && $0.contains("because    nl_leave")
      }
      cockpit.type("5")
      try cockpit.see("[5 CMD]")
      try cockpit.click(on: "EXPORT ROWS")
      cockpit.type("\r")
      try cockpit.see("kept rows, newest first")
      let path = "\(home.path)/rows.jsonl"
      cockpit.type("\u{15}\(path)\r")
      try cockpit.see("rows written to")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let rows = try text.split(separator: "\n").flatMap { try PlainAction.objects(String($0)) }
      #expect(rows.count > 100 && rows.allSatisfy { $0["kind"] is String })
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
