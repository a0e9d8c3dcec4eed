import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What the cockpit has recorded, on its screen and in `snapshot --at`: compared with the backend's own log.
  @Suite("the past") struct PastTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// A row of the backend's log.
    private struct Row {
      var time: Date
      var kind: String
    }

    /// The newest rows of the backend's log, newest first.
    private func rows(_ demo: DemoBackend) throws -> [Row] {
      let reply = try demo.request("GET", "/api/actions?limit=200")
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      let format = ISO8601DateFormatter()
      format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      return list.compactMap { row in
        guard let text = row["created_at"] as? String, let time = format.date(from: text),
          let kind = row["kind"] as? String
        else { return nil }
        return Row(time: time, kind: kind)
      }
    }

    /// The lines of the feed.
    private func feed(_ screen: String) -> [String] {
      screen.split(separator: "\n").map(String.init)
        .filter { $0.firstMatch(of: #/^│[▌!~]\d\d:\d\d:\d\d /#) != nil }
    }

    @Test("replay of what is being recorded goes on with it, without asking the bot")
    func growing() throws {
      let demo = try DemoBackend(["--scenario", "quiet", "--flood", "5"], home: home)
      let recorder = try PipedProcess(
        Tool.path, ["record", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      defer { recorder.signal(SIGKILL) }
      try demo.awaitRecording(home: home)
      let replay = try Cockpit(
        ["replay", "--url", demo.url], home: home, token: demo.token, rows: 40, columns: 120)
      try replay.see("the end") { $0.contains("PAUSED") }
      let time = /PAUSED (\d\d:\d\d:\d\d)/
      let first = try #require(replay.screen.firstMatch(of: time)?.1)
      try replay.see("how far behind it is") { $0.firstMatch(of: /PAUSED [\d:]+ -[1-9]/) != nil }
      replay.type(":goto -0s\r")
      try replay.see("later rows") { screen in
        guard let shown = screen.firstMatch(of: time)?.1 else { return false }
        return isNotAfter(first, String(shown)) && shown != first
      }
      replay.type("q")
      demo.stop()
    }

    @Test("T and s in the first second are answered as soon as something is recorded")
    func firstSecond() throws {
      let demo = try DemoBackend(["--scenario", "quiet", "--flood", "50"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 30, columns: 100)
      // Typed before the program reads its first key.
      cockpit.type("T")
      try cockpit.see("the past") { $0.contains("PAUSED") && $0.contains("REPLAY of") }
      cockpit.type("q")
      try FileManager.default.removeItem(atPath: home.path + "/.local/state/clanky-cockpit")
      let another = try Cockpit(on: demo, home: home, rows: 30, columns: 100)
      another.type("skind:*\r")
      try another.see("rows") { $0.firstMatch(of: /\d rows? (found|back)/) != nil }
    }

    @Test("T stops time: rows go back with the playhead, nothing newer is shown, F is live again")
    func timeTravel() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("a voice session") { $0.contains("● LIVE") && $0.contains("voice live") }
      try demo.awaitRecording(home: home)
      cockpit.type("T")
      try cockpit.see("the past") { $0.contains("PAUSED") && $0.contains("REPLAY of") }
      try cockpit.see("what is live meanwhile") {
        $0.firstMatch(of: /LIVE \+[1-9]\d* new/) != nil
      }
      // The feed stands although rows come.
      cockpit.type(",,,,")
      let row = try #require(try rows(demo).first { $0.time < Date().addingTimeInterval(-15) })
      let time = Self.clock.string(from: row.time.addingTimeInterval(1))
      let second = Date(
        timeIntervalSince1970: row.time.addingTimeInterval(1).timeIntervalSince1970.rounded(.down))
      cockpit.type(":goto \(time)\r")
      try cockpit.see("the second") { $0.contains("PAUSED \(time)") }
      cockpit.type(":level everything\r")
      try cockpit.see("every row") { $0.contains("everything: every row") }
      let screen = cockpit.screen
      let shown = feed(screen).compactMap { $0.firstMatch(of: /\d\d:\d\d:\d\d/)?.output }
      #expect(!shown.isEmpty)
      #expect(shown.allSatisfy { isNotAfter($0, time) }, "\(time)\n\(screen)")
      // The newest row on record of then.
      let newest = try rows(demo).first { $0.time < second }
      let clock = try #require(newest.map { Self.clock.string(from: $0.time) })
      #expect(shown.first.map(String.init) == clock, "\(time)\n\(screen)")
      cockpit.type(" ")
      try cockpit.see("time goes on") { $0.contains("PLAY ") }
      // Before the first row.
      cockpit.type(":goto -30d\r")
      try cockpit.see("that nothing is on record") {
        $0.contains("is on record.") && !$0.contains("nothing yet")
      }
      // q closes the past, not the program.
      cockpit.type("q")
      try cockpit.see("live again") { $0.contains("● LIVE") && !$0.contains("REPLAY of") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      // Without the backend, from another process.
      demo.stop()
      let text = try PipedProcess(
        Tool.path,
        [
          "snapshot", "--view", "pulse", "--at", time, "--url", demo.url, "--width", "120",
          "--height", "40",
        ], environment: Tool.environment(home: home, token: demo.token))
      #expect(text.wait() == .exited(0), "\(text.errorText)")
      #expect(text.text.contains("PAUSED \(time)"))
      let past = feed(text.text).compactMap { $0.firstMatch(of: /\d\d:\d\d:\d\d/)?.output }
      #expect(!past.isEmpty && past.allSatisfy { isNotAfter($0, time) }, "\(text.text)")
    }

    /// Whether a time of day lies in the half of a day up to another one: rows of before midnight are older than now.
    private func isNotAfter(_ clock: Substring, _ other: String) -> Bool {
      func seconds(_ text: some StringProtocol) -> Int {
        text.split(separator: ":").reduce(0) { $0 * 60 + (Int($1) ?? 0) }
      }
      return (seconds(other) - seconds(clock) + 86_400) % 86_400 < 43_200
    }

    private static let clock: DateFormatter = {
      let format = DateFormatter()
      format.dateFormat = "HH:mm:ss"
      return format
    }()

    @Test("s finds words of what was recorded, and Enter shows the row where it was said")
    func search() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("a voice session") { $0.contains("● LIVE") && $0.contains("voice live") }
      try demo.awaitRecording(home: home)
      let reply = try demo.request("GET", "/api/actions?limit=200")
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      // A reply that the backend has, by its longest word.
      let sent = try #require(list.first { $0["kind"] as? String == "sent_reply" })
      let content = try #require(sent["content"] as? String)
      let word = try #require(
        content.split { !$0.isLetter }.max { $0.count < $1.count }.map { $0.lowercased() })
      let answers = list.count {
        $0["kind"] as? String == "sent_reply"
          && ($0["content"] as? String)?.lowercased().split { !$0.isLetter }.contains(
            Substring(word)) == true
      }
      cockpit.type("s\(word) kind:sent_reply\r")
      try cockpit.see("what was found") {
        // The recorder has more than one answer of the backend.
        guard let count = $0.firstMatch(of: /(\d+) rows? found in all that was recorded/)
        else { return false }
        return Int(count.output.1) ?? 0 >= answers
      }
      cockpit.type("\r")
      try cockpit.see("the row in the past") {
        $0.contains("REPLAY of") && $0.contains("SENT_REPLY")
          && $0.contains { $0 == ">" }
      }
      cockpit.type("F")
      try cockpit.see("live again") { $0.contains("● LIVE") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let found = try PipedProcess(
        Tool.path, ["history", "search", "\(word) kind:sent_reply", "--json", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      #expect(found.wait() == .exited(0), "\(found.errorText)")
      let lines = found.text.split(separator: "\n")
      #expect(lines.count >= answers)
      #expect(lines.allSatisfy { $0.lowercased().contains(word) }, "\(found.text)")
      let table = try PipedProcess(
        Tool.path, ["history", "search", "since:1h | count by kind", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      #expect(table.wait() == .exited(0) && table.text.contains("sent_reply"))
      demo.stop()
    }

    @Test("before anything is recorded T says so, and so does snapshot --at")
    func nothing() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let cockpit = try Cockpit(on: demo, ["--no-history"], home: home)
      try cockpit.see("live") { $0.contains("● LIVE") }
      cockpit.type("T")
      try cockpit.see("why not") { $0.contains("no past to show") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let text = try PipedProcess(
        Tool.path, ["snapshot", "--view", "pulse", "--at", "-10m", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      #expect(text.wait() == .exited(1))
      #expect(!text.errorText.isEmpty)
      demo.stop()
    }
  }
}
