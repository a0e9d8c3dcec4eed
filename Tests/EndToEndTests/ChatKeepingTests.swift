import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What a conversation keeps: images, channels, files, what is queued.
  @Suite("conversations and their files") struct ChatKeepingTests {
    private func screen(
      _ claw: GatewayHome, _ environment: [String: String] = [:]
    ) throws -> Cockpit {
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 40, columns: 120,
        environment: environment)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("i", see: "Nothing was said here yet")
      return cockpit
    }

    private func path(_ claw: GatewayHome, _ name: String) -> String {
      "\(claw.home.path)/.local/state/clanky-cockpit/\(name)"
    }

    private func objects(_ claw: GatewayHome, _ name: String) throws -> [[String: Any]] {
      let text = (try? String(contentsOfFile: path(claw, name), encoding: .utf8)) ?? ""
      return try text.split(separator: "\n").flatMap { try PlainAction.objects(String($0)) }
    }

    private func records(_ claw: GatewayHome) throws -> [[String: Any]] {
      try objects(claw, "chat/channel-main.jsonl")
    }

    private func wait(_ what: String, _ cockpit: Cockpit, _ isThere: () throws -> Bool) throws {
      try cockpit.see(what) { _ in (try? isThere()) ?? false }
    }

    private func quit(_ cockpit: Cockpit) throws {
      try cockpit.type("\u{1B}", see: "i write  j k scroll")
      cockpit.type("q")
      try cockpit.see("the tab's keys") { !$0.contains("i write  j k scroll") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("an image is attached, and the record has its name")
    func image() throws {
      let claw = try GatewayHome()
      let png = claw.home.path + "/jar.png"
      try Data(
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 900)
      )
      .write(to: URL(filePath: png))
      let cockpit = try screen(claw)
      try cockpit.type("/attach \(png)\r", see: "attached: jar.png")
      try cockpit.type("What is on it?\r", see: "What is on it?")
      try wait("the records", cockpit) { try records(claw).count == 2 }
      let message = try #require(
        try claw.truth("entries").last { $0["what"] as? String == "message" })
      #expect(message["images"] as? Int == 1 && message["text"] as? String == "What is on it?")
      #expect(try records(claw)[0]["images"] as? [String] == ["jar.png"])
      #expect(!cockpit.screen.contains("attached: "))
      try quit(cockpit)
    }

    @Test("both protocols: the answer in the file is the gateway's own", arguments: ["3", "4"])
    func protocols(version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      let cockpit = try screen(claw)
      try cockpit.type("show me markdown\r", see: "That is all.")
      try wait("the records", cockpit) { try records(claw).count == 2 }
      let run = try #require(try claw.truth("runs").last)
      #expect(try records(claw)[1]["text"] as? String == run["text"] as? String)
      try quit(cockpit)
    }

    @Test(
      "channels: added, renamed, moved, deleted; the list is the file's, and a conversation stays")
    func channels() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("kept in main\r", see: "kept in main")
      try wait("the records", cockpit) { try records(claw).count == 2 }
      func names() throws -> [String] {
        try objects(claw, "chat/channels.jsonl").compactMap { $0["name"] as? String }
      }
      for name in ["ops", "notes"] {
        try cockpit.type("/channel\r", see: "a add  e rename")
        try cockpit.type("a", see: "name of the new channel")
        try cockpit.type("\(name)\r", see: "the default agent")
        cockpit.type("\r")
        try wait(name, cockpit) { try names().last == name }
      }
      #expect(try names() == ["main", "ops", "notes"])
      try cockpit.type("/channel\r", see: "a add  e rename")
      cockpit.type("K")
      try wait("moved up", cockpit) { try names() == ["main", "notes", "ops"] }
      try cockpit.type("e", see: "its new name")
      cockpit.type("diary\r")
      try wait("renamed", cockpit) { try names() == ["main", "diary", "ops"] }
      cockpit.type("k")
      try cockpit.type("D", see: "Delete 'main'")
      cockpit.type("y")
      try wait("deleted", cockpit) { try names() == ["diary", "ops"] }
      #expect(try records(claw).count == 2)
      let mode = try FileManager.default.attributesOfItem(
        atPath: path(claw, "chat/channel-main.jsonl"))[.posixPermissions]
      #expect(mode as? Int == 0o600)
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("a add  e rename") }
      try quit(cockpit)
      let again = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 40, columns: 120)
      try again.see("live") { _ in again.isLive }
      try again.type("i", see: "DIARY")
      try quit(again)
    }

    @Test("a search finds the message, an export writes all of it, and not over another file")
    func searchAndExport() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a needle in the hay\r", see: "a needle in the hay")
      try wait("the records", cockpit) { try records(claw).count == 2 }
      try cockpit.type("a long story\r", see: "Part 160")
      try wait("the records", cockpit) { try records(claw).count == 4 }
      try cockpit.type("\u{1B}", see: "/ search")
      cockpit.type("/")
      try cockpit.see("the search") { $0.contains("Enter finds") }
      try cockpit.type("needle\r", see: "a needle in the hay")
      try cockpit.type("/", see: "Enter finds")
      try cockpit.type("haystack\r", see: "no other message has")
      let file = claw.home.path + "/story.md"
      cockpit.type("i")
      try cockpit.type("/export \(file)\r", see: "the conversation is in")
      let text = try String(contentsOfFile: file, encoding: .utf8)
      let runs = try claw.truth("runs")
      #expect(text.contains("a needle in the hay") && text.contains("a long story"))
      for run in runs.suffix(2) {
        let words = try #require(run["text"] as? String)
        #expect(text.contains(words.trimmingCharacters(in: .whitespacesAndNewlines)))
      }
      try cockpit.type("/export \(file)\r", see: "exists already")
      try quit(cockpit)
    }

    @Test("what is queued is sent after the answer, and outlives kill -9")
    func queue() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a long story\r", see: "Part 3 is about")
      try cockpit.type("/queue and the moral?\r", see: "1 queued: and the moral?")
      try wait("both answers", cockpit) { try records(claw).count == 4 }
      #expect(try records(claw)[2]["text"] as? String == "and the moral?")
      #expect(!cockpit.screen.contains("1 queued"))
      try cockpit.type("a long story\r", see: "Part 3 is about")
      try cockpit.type("/queue not yet sent\r", see: "1 queued: not yet sent")
      cockpit.pty.signal(SIGKILL)
      #expect(cockpit.pty.wait() == .signaled(SIGKILL))
      let again = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 40, columns: 120)
      try again.see("live") { _ in again.isLive }
      try again.type("i", see: "1 queued: not yet sent")
      #expect(try claw.truth("entries").allSatisfy { $0["text"] as? String != "not yet sent" })
      try again.type("/queue send\r", see: "not yet sent")
      try wait("sent", again) {
        try claw.truth("entries").contains { $0["text"] as? String == "not yet sent" }
      }
      try quit(again)
    }

    @Test(
      "a model and a level of thinking are settings of the gateway's session",
      arguments: ["3", "4"])
    func settings(version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      let cockpit = try screen(claw)
      try cockpit.type("/model fast/one\r", see: "from now on fast/one answers here")
      try cockpit.type("/think high\r", see: "thinking from now on: high")
      try cockpit.type("/model default\r", see: "the agent's own model answers here")
      try quit(cockpit)
    }

    /// Wall time from a key to its character on the screen, on a machine that may have other work: it is no gate.
    @Test(
      "keys beside an answer of 200 kB",
      .enabled(if: ProcessInfo.processInfo.environment["CLANKY_KEY_TIMES"] != nil))
    func keys() throws {
      let claw = try GatewayHome()
      let cockpit = try screen(claw)
      try cockpit.type("a huge one\r", see: "streaming")
      var times: [Double] = []
      var isUnderWay = true
      while isUnderWay, times.count < 2_000 {
        for (key, isThere) in [("z", true), ("\u{7F}", false)] {
          let start = ContinuousClock.now
          cockpit.type(key)
          let isSeen = cockpit.pty.pump(timeout: .seconds(5)) {
            cockpit.screen.contains("> z") == isThere
          }
          #expect(isSeen)
          times.append(Double((ContinuousClock.now - start) / .microseconds(1)) / 1_000)
        }
        cockpit.pty.pump(timeout: .milliseconds(15)) { false }
        isUnderWay = try records(claw).count < 2
      }
      times.sort()
      func percentile(_ share: Double) -> Double {
        times[min(times.count - 1, Int(Double(times.count) * share))]
      }
      print(
        "\(times.count) keys: median \(percentile(0.5)) ms, p99 \(percentile(0.99)) ms, most \(times.last ?? 0) ms"
      )
      #expect(times.count > 20 && percentile(0.99) <= 100)
      try quit(cockpit)
    }
  }
}
