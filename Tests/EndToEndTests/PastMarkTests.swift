import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Marks, pins, turns and `W` in the past, and the verbs that look back without a screen.
  @Suite("the past: marks, pins, turns, why") struct PastMarkTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ arguments: [String], _ demo: DemoBackend) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, arguments + ["--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      process.wait()
      return process
    }

    private struct Row {
      var time: Date
      var isTurn: Bool
    }

    private func rows(_ demo: DemoBackend) throws -> [Row] {
      let reply = try demo.request("GET", "/api/actions?limit=1000")
      let list = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      let format = ISO8601DateFormatter()
      format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
      let kinds = [
        "sent_reply", "sent_message", "reply_skipped", "reacted", "initiative_post",
        "automation_post",
      ]
      return list.compactMap { row in
        guard let text = row["created_at"] as? String, let time = format.date(from: text),
          let kind = row["kind"] as? String
        else { return nil }
        let isVoice =
          kind == "voice_runtime" && row["content"] as? String == "voice_turn_finalized"
        return Row(time: time, isTurn: kinds.contains(kind) || isVoice)
      }
    }

    private static let clock: DateFormatter = {
      let format = DateFormatter()
      format.dateFormat = "HH:mm:ss"
      return format
    }()

    @Test("a mark is found again after a restart, a pin is listed, } goes to the turn before")
    func marks() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      var cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("a voice session") { $0.contains("● LIVE") && $0.contains("voice live") }
      try demo.awaitRecording(home: home)
      cockpit.type("T")
      try cockpit.see("the past") { $0.contains("PAUSED") && $0.contains("REPLAY of") }
      let known = try rows(demo)
      let turn = try #require(
        known.filter(\.isTurn).first { $0.time < Date().addingTimeInterval(-10) })
      let older = try #require(
        known.filter { $0.isTurn && $0.time < turn.time.addingTimeInterval(-1) }.first)
      // A second after the turn, the turn before is the turn itself.
      let time = Self.clock.string(from: turn.time.addingTimeInterval(1))
      cockpit.type(":goto \(time)\r")
      try cockpit.see("the second") { $0.contains("PAUSED \(time)") }
      let newest = try #require(
        known.filter {
          $0.isTurn
            && $0.time.timeIntervalSince1970
              < turn.time.addingTimeInterval(1).timeIntervalSince1970.rounded(.down)
        }.first)
      cockpit.type("}")
      let first = Self.clock.string(from: newest.time)
      try cockpit.see("the turn") { $0.contains("PAUSED \(first)") }
      _ = older
      cockpit.type("Mwhy so\r")
      try cockpit.see("the mark") { $0.contains("mark 1 at") }
      cockpit.type("P\r")
      try cockpit.see("the pin") { $0.contains("pin 1 keeps") }
      cockpit.type("F")
      try cockpit.see("live again") { $0.contains("● LIVE") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let listed = try run(["history", "marks"], demo)
      #expect(listed.text.contains("why so") && listed.text.contains(first), "\(listed.text)")
      #expect(try run(["history", "status"], demo).text.contains("pin 1:"))
      // Another start, from the live bot.
      cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.see("live") { $0.contains("● LIVE") }
      cockpit.type("]m")
      try cockpit.see("the mark") {
        $0.contains("PAUSED \(first)") && $0.contains("marked: why so")
      }
      cockpit.type("[m")
      try cockpit.see("that it is the only one") { $0.contains("no newer mark is on record") }
      cockpit.type("]m")
      try cockpit.see("that it is the only one") { $0.contains("no older mark is on record") }
      // Why, from the rows of then: none of it is later than the playhead.
      cockpit.type("\rW")
      try cockpit.see("an answer") { $0.contains("why") || $0.contains("WHY") }
      let later = cockpit.screen.matches(of: /\d\d:\d\d:\d\d/).map { String($0.output) }
        .filter { $0 > first && $0 < "23:50:00" && first > "00:10:00" }
      // The time line names now at its end in hours and minutes only.
      #expect(later.isEmpty, "\(first) \(later)\n\(cockpit.screen)")
      cockpit.type("q")
      try cockpit.see("the tab") { !$0.contains("came in   observed") }
      cockpit.type("F")
      try cockpit.see("live again") { $0.contains("● LIVE") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(try run(["history", "unmark", "1"], demo).status == .exited(0))
      #expect(try run(["history", "unmark", "1"], demo).status == .exited(1))
      demo.stop()
    }

    @Test("status, widget and facts list as of a time, with the backend gone")
    func verbs() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      let recorder = try PipedProcess(
        Tool.path, ["record", "--url", demo.url],
        environment: Tool.environment(home: home, token: demo.token))
      let end = Date().addingTimeInterval(60)
      func facts() throws -> PipedProcess { try run(["facts", "list", "--at", "-1s"], demo) }
      while try !run(["status", "--at", "-1s"], demo).text.contains("from the recording")
        || facts().status != .exited(0)
      { try #require(Date() < end) }
      let live = try run(["facts", "list", "--json"], demo)
      let liveStatus = try run(["status", "--json"], demo)
      recorder.signal(SIGTERM)
      recorder.wait()
      let time = ISO8601DateFormatter().string(from: Date())
      demo.stop()
      let past = try run(["facts", "list", "--json", "--at", time], demo)
      #expect(past.status == .exited(0), "\(past.errorText)")
      func ids(_ process: PipedProcess) throws -> Set<Int> {
        Set(
          try process.lines.flatMap { try PlainAction.objects(String($0)) }
            .compactMap { $0["id"] as? Int })
      }
      #expect(try ids(past) == ids(live))
      #expect(past.errorText.contains("from the recording"))
      let status = try run(["status", "--json", "--at", time], demo)
      let then = try #require(try PlainAction.objects(status.text).first, "\(status.errorText)")
      let now = try #require(try PlainAction.objects(liveStatus.text).first)
      #expect(then["recorded"] as? Bool == true)
      #expect(
        then["cost_today"] as? Double == now["cost_today"] as? Double || then["actions"] != nil)
      #expect((then["actions"] as? Int ?? 0) > 0, "\(status.text)")
      let widget = try run(["widget", "small", "--at", time], demo)
      #expect(!widget.text.isEmpty, "\(widget.errorText)")
      let early = try run(["status", "--at", "2020-01-01"], demo)
      #expect(early.status == .exited(1) && early.errorText.contains("as early as that"))
    }

    @Test(
      "linear mode records and says so once; the list names the bot; actions --since works when it is down"
    )
    func linear() throws {
      let demo = try DemoBackend(["--scenario", "story"], home: home)
      func linear() throws -> PTYProcess {
        try PTYProcess(
          Tool.path, ["--url", demo.url],
          environment: Tool.environment(home: home, token: demo.token, term: "dumb"), rows: 500,
          columns: 300)
      }
      func text(_ process: PTYProcess) -> String {
        String(decoding: process.output.filter { $0 != 0x0D }, as: UTF8.self)
      }
      let first = try linear()
      #expect(
        first.pump(timeout: Tool.patience) {
          text(first).contains("actions are known")
            && text(first).contains("Recording to the disk, the last 24h at least")
        }, "\(text(first))")
      // The statistics, which name the bot, come by another request than the rows.
      let end = Date().addingTimeInterval(60)
      while try run(["actions", "--from-history", "-n", "5"], demo).lines.count < 5
        || !run(["history", "list", "--json"], demo).text.contains("\"user_tags\":[\"")
      {
        try #require(Date() < end)
      }
      first.send("q\n")
      #expect(first.wait(timeout: Tool.patience) == .exited(0))
      let second = try linear()
      #expect(second.pump(timeout: Tool.patience) { text(second).contains("actions are known") })
      #expect(!text(second).contains("Recording to the disk"))
      second.send("q\n")
      #expect(second.wait(timeout: Tool.patience) == .exited(0))
      let listed = try run(["history", "list", "--json"], demo)
      let bot = try #require(try PlainAction.objects(listed.text).first, "\(listed.errorText)")
      #expect(bot["addresses"] as? [String] == [demo.url], "\(listed.text)")
      #expect((bot["user_tags"] as? [String])?.count == 1 && bot["first_recorded"] is String)
      let kept = try run(["actions", "--since", "1h", "--json"], demo)
      demo.stop()
      let alone = try run(["actions", "--since", "1h", "--json"], demo)
      #expect(alone.status == .exited(0), "\(alone.errorText)")
      #expect(alone.errorText.contains("cannot be reached"))
      #expect(alone.errorText.contains("From the recording of"))
      #expect(!alone.lines.isEmpty && !kept.lines.isEmpty)
      // Without a time it is the bot that is asked.
      #expect(try run(["actions", "-n", "3"], demo).status == .exited(3))
    }

    @Test("demo --bundle opens the past without a server, and demo --record is what it shows")
    func demoBundle() throws {
      let process = try PTYProcess(
        Tool.path, ["demo", "--bundle", "--for", "1m"],
        environment: Tool.environment(home: home, term: "xterm-256color"), rows: 40, columns: 120)
      #expect(
        process.pump(timeout: Tool.patience) {
          String(decoding: process.output, as: UTF8.self).contains("REPLAY")
        })
      process.send("q")
      #expect(process.wait(timeout: Tool.patience) == .exited(0))
      let file = home.path + "/story.flight"
      let record = try PipedProcess(
        Tool.path, ["demo", "--record", file, "--for", "1m"],
        environment: Tool.environment(home: home))
      #expect(record.wait() == .exited(0), "\(record.errorText)")
      let rows = try PipedProcess(
        Tool.path, ["actions", "--from-history", file, "--since", "10m", "--json"],
        environment: Tool.environment(home: home))
      #expect(rows.wait() == .exited(0), "\(rows.errorText)")
      #expect(rows.lines.count > 20)
    }
  }
}
