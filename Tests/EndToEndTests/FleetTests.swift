import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Twenty bots in one profile. What the demos say of themselves is the truth.
  @Suite("fleet") struct FleetTests {
    /// Bots that are well, one that is going to fail, and one that is going to be killed.
    private final class Fleet {
      static let well = 18
      let home: TemporaryFolder
      let failing: DemoBackend
      let doomed: DemoBackend
      private let crowd: PipedProcess
      let truthPath: String

      init() throws {
        home = try TemporaryFolder()
        truthPath = home.path + "/truth.json"
        let environment = Tool.environment(home: home)
        let crowd = try PipedProcess(
          Tool.path, ["demo", "--bots", "\(Self.well)", "--scenario", "quiet"],
          environment: environment)
        self.crowd = crowd
        try #require(crowd.pump(until: { crowd.lines.count == Self.well }), "\(crowd.errorText)")
        doomed = try DemoBackend(["--scenario", "quiet", "--seed", "77"], home: home)
        failing = try DemoBackend(
          ["--scenario", "failing", "--seed", "5", "--truth", truthPath], home: home)
        var bots: [(name: String, url: String, tokenFile: String)] = try crowd.lines.enumerated()
          .map { index, line in
            let bot = try #require(try PlainAction.objects(String(line)).first)
            return (
              "well-\(index)", try #require(bot["url"] as? String),
              try #require(bot["token_file"] as? String)
            )
          }
        bots.insert(("doomed", doomed.url, doomed.tokenFile), at: 7)
        bots.append(("failing", failing.url, failing.tokenFile))
        let names = bots.map { "\"\($0.name)\"" }.joined(separator: ", ")
        let text =
          bots.map {
            "[profiles.\($0.name)]\nurl = \"\($0.url)\"\ntoken_file = \"\($0.tokenFile)\"\n"
          }.joined() + "[profiles.all]\nsources = [\(names)]\n"
        let folder = home.path + "/.config/clanky-cockpit"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
      }

      deinit {
        crowd.signal(SIGTERM)
        crowd.wait()
      }

      /// When the model calls of the failing bot had become a trouble; nil before.
      func confirmed() throws -> Date? {
        let truth = try JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(filePath: truthPath)))
        let troubles = (truth as? [String: Any])?["troubles"] as? [[String: Any]] ?? []
        let format = ISO8601DateFormatter()
        format.formatOptions = [.withInternetDateTime, .withFractionalSeconds]
        return troubles.first { $0["kind"] as? String == "models" }
          .flatMap { $0["confirmed"] as? String }.flatMap(format.date(from:))
      }
    }

    /// The source on top of the list: the row below the names of the columns.
    private static func top(_ cockpit: Cockpit) -> String {
      guard let names = cockpit.find("rows/min") else { return "" }
      return cockpit.line(names.row + 1)
    }

    @Test("20 bots: one that fails, and one that dies, are on top within 5 s of what happened")
    func onTop() throws {
      let fleet = try Fleet()
      let cockpit = try Cockpit(["--profile", "all", "--utc"], home: fleet.home)
      try cockpit.see("all are live") { _ in cockpit.line(0).contains("20/20") }
      try cockpit.type("!", see: "rows/min")
      // The trouble of the tunnel is there from the start; the one of the models comes.
      cockpit.pty.pump(timeout: .seconds(90)) { Self.top(cockpit).contains("models fail") }
      let seen = Date()
      // The file is written a moment after the event.
      cockpit.pty.pump(timeout: .seconds(10)) { (try? fleet.confirmed()) != nil }
      let confirmed = try #require(try fleet.confirmed(), "\(cockpit.screen)")
      #expect(Self.top(cockpit).contains("failing"), "\(cockpit.screen)")
      #expect(seen.timeIntervalSince(confirmed) < 5, "\(seen.timeIntervalSince(confirmed)) s")
      // Enter opens its triage.
      try cockpit.type("\r", see: "TRIAGE")
      #expect(cockpit.line(0).contains("failing"))
      try cockpit.see("Model calls")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("TRIAGE") }
      fleet.failing.stop()
      // One that was well.
      try cockpit.type("!", see: "rows/min")
      let died = ContinuousClock.now
      fleet.doomed.stop(SIGKILL)
      try cockpit.see("the dead one is above those that are well", .seconds(10)) { _ in
        guard let dead = cockpit.find(" doomed"), let well = cockpit.find(" well-0") else {
          return false
        }
        return dead.row < well.row && !cockpit.line(dead.row).contains(" live ")
      }
      #expect(ContinuousClock.now - died < .seconds(5))
      cockpit.type("qqq")
      cockpit.expectEnd(.exited(0))
    }

    @Test("status --fleet has a line for each, the worst first, and its exit code")
    func status() throws {
      let fleet = try Fleet()
      fleet.doomed.stop(SIGKILL)
      func run(_ more: [String]) throws -> PipedProcess {
        let process = try PipedProcess(
          Tool.path, ["status", "--profile", "all", "--fleet", "--timeout", "20"] + more,
          environment: Tool.environment(home: fleet.home))
        process.wait()
        return process
      }
      let json = try run(["--json"])
      #expect(json.status == .exited(3), "\(json.errorText)")
      let objects = try json.lines.flatMap { try PlainAction.objects(String($0)) }
      #expect(objects.count == 20)
      let ranks = objects.compactMap { object -> Int? in
        let fleet = object["fleet"] as? [String: Any]
        if fleet?["level"] as? String == "critical" { return 0 }
        return [3: 1, 1: 2, 0: 4][fleet?["exit_code"] as? Int ?? -1]
      }
      #expect(ranks.count == 20 && ranks == ranks.sorted(), "\(ranks)")
      for object in objects {
        let strip = try #require(object["fleet"] as? [String: Any])
        guard object["source"] as? String != "doomed" else {
          // What is not known is null, and never a zero.
          #expect(object["state"] as? String == "unreachable")
          for key in ["rows_per_min", "errors", "usd_per_hour", "newest_row_age_ms", "word"] {
            #expect(strip[key] is NSNull, "\(key): \(strip)")
          }
          continue
        }
        let minutes = (try #require(strip["rows_window_ms"] as? Double)) / 60_000
        #expect((1...15).contains(minutes), "\(strip)")
        let own = try #require(object["actions"] as? Double)
        // The window is a part of the hour.
        #expect((try #require(strip["rows_per_min"] as? Double)) * minutes <= own + 0.5, "\(strip)")
      }
      let text = try run([])
      #expect(text.status == .exited(3))
      #expect(text.lines.count == 20)
      #expect(
        text.lines.filter { $0.contains("rows/min") && $0.contains("newest row") }.count == 20)
      // Without --fleet the lines are those of the profile's order.
      let plain = try PipedProcess(
        Tool.path, ["status", "--profile", "all", "--json", "--timeout", "20"],
        environment: Tool.environment(home: fleet.home))
      plain.wait()
      let first = try #require(
        try plain.lines.first.flatMap {
          try PlainAction.objects(String($0)).first
        })
      #expect(first["source"] as? String == "well-0" && first["fleet"] == nil)
      let one = try PipedProcess(
        Tool.path, ["status", "--profile", "well-1", "--fleet"],
        environment: Tool.environment(home: fleet.home))
      one.wait()
      #expect(one.status == .exited(2) && one.errorText.contains("docs/sources.md"))
    }
  }
}
