import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The VOICE tab on a terminal: a session from join to end, two at once, and an outage.
  @Suite("VOICE") struct VoiceTabTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func cockpit(
      on demo: DemoBackend, rows: Int = 40, columns: Int = 120
    ) throws -> Cockpit {
      let cockpit = try Cockpit(on: demo, home: home, rows: rows, columns: columns)
      try cockpit.type("2", see: "[2 VOICE]")
      return cockpit
    }

    private func voiceDemo(_ arguments: [String] = []) throws -> DemoBackend {
      try DemoBackend(["--scenario", "voice", "--rate", "4"] + arguments, home: home)
    }

    /// The number of the turn that the panel is about: `TURN #4 DENIED`.
    private func turnNumber(_ screen: String) -> Int? {
      screen.firstMatch(of: /TURN #(\d+) [A-Z]+/).flatMap { Int($0.1) }
    }

    @Test("a session from join to end, and looked at again when it is past")
    func joinToEnd() throws {
      let demo = try DemoBackend(
        ["--seed", "1", "--scenario", "quiet", "--rate", "8"], home: home)
      let cockpit = try cockpit(on: demo)
      try cockpit.see("no session") {
        $0.contains("no voice session is live") && $0.contains("PAST SESSIONS")
          && $0.contains("nl_leave")
      }
      // Without a key: what follows from the events of each, and the words of the newest.
      try cockpit.see("past sessions are summed up") {
        $0.matches(of: /\d+p +\d+\+? turns/).count >= 6 && $0.contains("W why")
          && $0.contains("TURN #") && !$0.contains("on their way")
      }
      let past = try #require(cockpit.screen.firstMatch(of: /PAST SESSIONS ─+ (\d+)/)).1

      try demo.joinVoice()
      try cockpit.see("the session") {
        $0.contains("#Base Camp") && $0.contains("ACTIVE") && $0.contains("PARTICIPANTS")
          && $0.contains("Nadia Vale") && !$0.contains("no voice session is live")
      }
      try cockpit.see("somebody speaks, and the bot answers") {
        $0.contains("clanky ") && (turnNumber($0) ?? 0) >= 3
      }
      try cockpit.see("a tool was called") { $0.firstMatch(of: /TOOL CALLS [1-9]/) != nil }

      // Why: one sentence, then the steps.
      cockpit.type("W")
      try cockpit.see("the verdict") { screen in
        ["capture", "asr", "decision", "generation", "audio"].allSatisfy(screen.contains)
          && screen.firstMatch(of: /TURN #\d+ \w+ ─+ newest/) != nil
      }
      // `}` is the next one down the list: older.
      cockpit.type("}")
      try cockpit.see("an older turn") { $0.firstMatch(of: /TURN #\d+ \w+ ─+ \d\d:\d\d/) != nil }
      let older = try #require(turnNumber(cockpit.screen))
      cockpit.type("}")
      try cockpit.see("one older still") { turnNumber($0) == older - 1 }
      cockpit.type("{")
      try cockpit.see("the newer one") { turnNumber($0) == older }
      for _ in 1...older { cockpit.type("}") }
      try cockpit.see("the end of the list") { $0.contains("no older turn on record") }
      #expect(turnNumber(cockpit.screen) == 1)
      cockpit.type("\u{F}")
      try cockpit.see("the panels") { $0.contains("PARTICIPANTS") }
      cockpit.type("F")

      // All views, there and back.
      for view in ["TURNS", "SKIPS", "EVENTS", "ANOMALIES", "REPORT", "HISTORY", "LIVE"] {
        try cockpit.type("]]", see: "[\(view)]")
      }
      for view in ["HISTORY", "REPORT", "ANOMALIES", "EVENTS", "SKIPS", "TURNS", "LIVE"] {
        try cockpit.type("[[", see: "[\(view)]")
      }

      // The same session through the other tab.
      try cockpit.type("3", see: "[3 BRAIN]")
      try cockpit.see("what it was answered from") {
        $0.contains("GENERATION CONTEXT") && $0.contains("ROSTER")
          && $0.firstMatch(of: /FACTS USED [1-9]/) != nil
          && $0.firstMatch(of: /GEN +\d+\/\d+/) != nil
          && $0.firstMatch(of: /\d+ llm/) != nil
      }
      try cockpit.type("2", see: "[2 VOICE]")

      let ended = try #require(try demo.sessions().first?["sessionId"] as? String)
      try demo.disableVoice()
      try cockpit.see("its end") {
        $0.contains("no voice session is live") && !$0.contains("PARTICIPANTS")
      }
      try cockpit.see("it is the newest of the past ones") { screen in
        screen.contains("settings_disabled") && screen.contains(ended)
          && screen.firstMatch(of: /PAST SESSIONS ─+ (\d+)/).map { Int($0.1) == Int(past)! + 1 }
            ?? false
      }
      cockpit.type("\r")
      try cockpit.see("the past session in the frame of a live one") {
        $0.contains("PAST #Base Camp") && $0.contains("LANES") && $0.contains("END ")
          && turnNumber($0) != nil && $0.contains("because    settings_disabled")
      }
      cockpit.type("W")
      try cockpit.see("why") { $0.contains("decision") && $0.contains("capture") }
      cockpit.type("qq")
      try cockpit.see("the list again") {
        $0.contains("no voice session is live") && $0.contains("PAST SESSIONS")
      }
      cockpit.type("3")
      try cockpit.see("BRAIN keeps its newest answer, by name") {
        $0.firstMatch(of: /answer \d\d:\d\d to\b/) != nil
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("two sessions at once: pills, the chosen one stays, and one of them ends")
    func twoSessions() throws {
      let demo = try voiceDemo(["--leave-route"])
      let cockpit = try cockpit(on: demo)
      try cockpit.see("both") { $0.contains("[1 #Base Camp]") && $0.contains("2 #Ovenside") }
      try cockpit.see("the first") { $0.contains("openai_realtime") }
      try cockpit.click(on: "2 #Ovenside")
      try cockpit.see("the second") {
        $0.contains("[2 #Ovenside]") && cockpit.line(1).contains("#Ovenside")
          && $0.contains("tools: provider")
      }
      let people = try #require(
        try demo.sessions().first { $0["mode"] as? String != "openai_realtime" }?["participants"]
          as? [[String: Any]])
      for name in people.compactMap({ $0["displayName"] as? String }).prefix(3) {
        #expect(cockpit.screen.contains(name), "\(name) is not on\n\(cockpit.screen)")
      }
      // `[[` and `]]` walk the sessions, and beyond them the views.
      try cockpit.type("[[", see: "[1 #Base Camp]")
      try cockpit.type("]]", see: "[2 #Ovenside]")
      // The other tab has pills of its own.
      try cockpit.type("3", see: "[3 BRAIN]")
      try cockpit.click(on: "2 #Ovenside")
      try cockpit.see("its own context") { $0.contains("[3 BRAIN]") && $0.contains("#Ovenside") }
      try cockpit.type("2", see: "[2 #Ovenside]")

      let guild = try #require(
        try demo.sessions().first { $0["mode"] as? String == "openai_realtime" }?["guildId"])
      let left = try demo.request("POST", "/api/voice/leave", ["guildId": guild])
      #expect(left.status == 200)
      try cockpit.see("the other one alone, without pills") {
        !$0.contains("#Base Camp") && cockpit.line(1).contains("#Ovenside")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a session that starts while another is shown takes nothing away")
    func secondSession() throws {
      let demo = try DemoBackend(
        ["--scenario", "quiet", "--rate", "4", "--fault-control"], home: home)
      try demo.joinVoice()
      let cockpit = try cockpit(on: demo, rows: 24, columns: 80)
      try cockpit.see("#Base Camp")
      #expect(!cockpit.screen.contains("[1 #"))
      let reply = try demo.request("POST", "/__demo/fault", ["fault": "secondSession"])
      #expect(reply.status == 200)
      try cockpit.see("pills") { $0.contains("[1 #Base Camp]") && $0.contains(" 2 #") }
      #expect(cockpit.line(1).contains("#Base Camp"))
      #expect(cockpit.line(23).contains("? help"))
    }

    @Test("the backend dies in the middle of a session and comes back with others")
    func restart() throws {
      let first = try voiceDemo(["--open-access"])
      let port = first.port
      let cockpit = try cockpit(on: first)
      try cockpit.see("a turn") { turnNumber($0) != nil && $0.contains("[1 #Base Camp]") }
      let old = Set(try first.sessions().compactMap { $0["sessionId"] as? String })
      #expect(old.count == 2)
      first.process.signal(SIGKILL)
      first.process.wait()
      // Known data stays, and the header shows its age.
      try cockpit.see("what is wrong, over the last state") {
        ($0.contains("RETRY in") || $0.contains("RECONNECTING")) && $0.contains("#Base Camp")
          && turnNumber($0) != nil && $0.contains("PARTICIPANTS")
      }
      try cockpit.type("3", see: "[3 BRAIN]")
      try cockpit.see("prompts are still there") { $0.contains("GENERATION CONTEXT") }
      try cockpit.type("2", see: "[2 VOICE]")

      let second = try voiceDemo(["--open-access", "--seed", "7", "--port", "\(port)"])
      #expect(second.port == port)
      cockpit.type("r")
      try cockpit.see("live again") { _ in cockpit.isLive }
      // Sessions of the other process have just begun.
      try cockpit.see("the new sessions") {
        $0.contains("[1 #") && $0.contains("2 #") && $0.contains("up 00:00:0")
      }
      let new = try second.sessions().compactMap { $0["sessionId"] as? String }
      #expect(old.isDisjoint(with: new))
      // A session's raw JSON tells which one it is.
      cockpit.type("J")
      try cockpit.see("its JSON") { $0.contains("RAW JSON") && $0.contains("sessionId") }
      #expect(new.contains { cockpit.screen.contains($0) }, "\(cockpit.screen)")
      cockpit.type("J")
      try cockpit.see("turns of the new one") { turnNumber($0) != nil }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      second.stop()
    }

    @Test("zoom, pan and fold of the lanes; Tab, z and Enter of the panels")
    func lanes() throws {
      let demo = try voiceDemo()
      let cockpit = try cockpit(on: demo)
      try cockpit.see("lanes") { $0.contains("LANES") && $0.contains(" 60s ") }
      cockpit.type("+")
      try cockpit.see("nearer") { $0.contains("LANES") && !$0.contains(" 60s ") }
      cockpit.type("-")
      try cockpit.see(" 60s ")
      cockpit.type("h")
      try cockpit.see("earlier") { $0.firstMatch(of: /pan +at \d\d:\d\d:\d\d/) != nil }
      cockpit.type("F")
      try cockpit.see("now") { $0.firstMatch(of: /pan +LIVE/) != nil }
      cockpit.type("z")
      try cockpit.see("one panel") { $0.contains("TRANSCRIPT") && !$0.contains("LANES") }
      cockpit.type("z")
      try cockpit.see("all panels") { $0.contains("TRANSCRIPT") && $0.contains("LANES") }
    }

    @Test(
      "every size has the state, who is there and what was said",
      arguments: [
        (80, 24), (200, 60), (40, 10),
      ])
    func sizes(columns: Int, rows: Int) throws {
      let cockpit = try cockpit(on: try voiceDemo(), rows: rows, columns: columns)
      try cockpit.see("the parts that are never left out") { screen in
        ["#Base Camp", "ACTIVE", "ASR", "OUT", "TRANSCRIPT", "SKIP", "clanky"]
          .allSatisfy(screen.contains)
      }
      for row in 0..<rows {
        #expect(CellWidth.columns(of: cockpit.line(row)) <= columns, "\(cockpit.line(row))")
      }
    }
  }
}
