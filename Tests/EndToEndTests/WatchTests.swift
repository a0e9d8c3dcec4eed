import Foundation
import Synchronization
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `watch` against the demo's troubles: each alarm once, whatever becomes of the process and of whom it tells.
  @Suite("watch") struct WatchTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func watch(
      _ demo: DemoBackend, _ arguments: [String] = []
    ) throws -> PipedProcess {
      try PipedProcess(
        Tool.path,
        ["watch", "--url", demo.url, "--token-file", demo.tokenFile, "--json"] + arguments,
        environment: Tool.environment(home: home))
    }

    private func messages(_ process: PipedProcess) throws -> [[String: Any]] {
      try process.lines.flatMap { try PlainAction.objects(String($0)) }
    }

    private func began(_ process: PipedProcess) throws -> [String] {
      try messages(process).filter { $0["state"] as? String == "began" }
        .compactMap { $0["id"] as? String }
    }

    private func read(_ name: String) -> String {
      (try? String(contentsOfFile: "\(home.path)/\(name)", encoding: .utf8)) ?? ""
    }

    @Test("failing: alarms with their rows, once, to a command and to a webhook")
    func failing() throws {
      let demo = try DemoBackend(["--scenario", "failing"], home: home)
      defer { demo.stop() }
      let hook = try StubServer { _ in .json("{}") }
      defer { hook.stop() }
      // The command sees the message twice: on its standard input, and in its environment.
      let script = "cat >> \(home.path)/in; echo \"$CLANKY_ALARM_ID\" >> \(home.path)/ids"
      let process = try watch(
        demo, ["--every", "0s", "--exec", script, "--webhook", "\(hook.url)/alarm?key=a%20b"])
      defer { process.signal(SIGKILL) }
      #expect(
        process.pump(.seconds(90)) {
          (try? began(process).count) ?? 0 >= 3 && hook.requests.count >= 3
            && read("ids").split(separator: "\n").count >= 3
        }, "\(process.text) \(process.errorText)")
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(143))
      let ids = try began(process)
      #expect(Set(ids).count == ids.count)
      for message in try messages(process) where message["state"] as? String == "began" {
        #expect(!(message["sentence"] as? String ?? "").isEmpty)
        #expect(message["level"] as? String != "info")
        let rows = try #require(message["evidence"] as? [[String: Any]])
        #expect(!rows.isEmpty && rows.allSatisfy { $0["at"] is String })
      }
      let told = read("ids").split(separator: "\n").map(String.init)
      #expect(Set(told).count == told.count)
      let given = try read("in").split(separator: "\n").flatMap {
        try PlainAction.objects(String($0))
      }
      #expect(told.allSatisfy { id in given.contains { $0["id"] as? String == id } })
      let request = try #require(hook.requests.first)
      #expect(request.method == "POST" && request.target == "/alarm?key=a%20b")
      #expect(request.headers["x-dashboard-token"] == nil)
      let body = try #require(
        JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any])
      #expect(body["type"] as? String == "alarm" && body["bot"] as? String == demo.url)
    }

    @Test("killed at any moment it repeats no alarm that still lasts")
    func restarts() throws {
      let demo = try DemoBackend(["--scenario", "failing"], home: home)
      defer { demo.stop() }
      let file = "\(home.path)/told"
      let script = "echo \"$CLANKY_ALARM_STATE $CLANKY_ALARM_ID\" >> \(file)"
      var random = SystemRandomNumberGenerator()
      let start = ContinuousClock.now
      let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
      while ContinuousClock.now - start < .seconds(isLong ? 60 : 20) {
        let process = try watch(demo, ["--every", "0s", "--exec", script])
        let ms = Int.random(in: 50...9000, using: &random)
        process.pump(.milliseconds(ms)) { false }
        process.signal(SIGKILL)
        process.wait()
      }
      let last = try watch(demo, ["--every", "0s", "--exec", script])
      last.pump(.seconds(30)) { read("told").contains("began") }
      last.signal(SIGTERM)
      last.wait()
      let told = read("told").split(separator: "\n").filter { $0.hasPrefix("began") }
      #expect(!told.isEmpty, "\(last.errorText)")
      #expect(Set(told).count == told.count, "\(told)")
    }

    @Test(
      "a webhook that hangs, fails or floods, and a command that hangs: the others are told, and nothing piles up",
      arguments: ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil
        ? ["hang", "flood"] : ["hang", "500", "flood"])
    func deadChannels(kind: String) throws {
      let demo = try DemoBackend(["--scenario", "failing"], home: home)
      defer { demo.stop() }
      let hook = try StubServer { _ in
        switch kind {
        case "hang": .stream([.stayMute])
        case "500": .json("{}", status: "500 Internal Server Error")
        default: .stream([.endless(Array(repeating: 0x61, count: 65_536), everyMs: 0)])
        }
      }
      defer { hook.stop() }
      let process = try watch(
        demo, ["--every", "0s", "--exec", "sleep 1000", "--webhook", hook.url])
      defer { process.signal(SIGKILL) }
      #expect(process.pump(.seconds(90)) { (try? began(process).count) ?? 0 >= 3 })
      #expect(!hook.requests.isEmpty)
      let megabytes = ProcessMemory.peakMB(process.processID) ?? 0
      #expect(megabytes < 250, "\(megabytes) MB")
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(143))
    }

    @Test("words of strangers never become words of the shell")
    func hostile() throws {
      let demo = try DemoBackend(["--scenario", "hostile"], home: home)
      defer { demo.stop() }
      let marker = "\(home.path)/in"
      let process = try watch(
        demo,
        [
          "every: is:error", "any: kind:*reply* | count > 2 in 5m", "--every", "0s", "--level",
          "info", "--exec", "cat >> \(marker); echo \"$CLANKY_ALARM_SENTENCE\" >> \(home.path)/out",
        ])
      defer { process.signal(SIGKILL) }
      process.pump(.seconds(60)) { (try? began(process).count) ?? 0 >= 2 }
      for line in try messages(process) {
        #expect(line["id"] is String)
      }
      #expect(
        Array(read("in").utf8).allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
      #expect(read("out").unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 })
    }

    @Test("a quiet bot: no alarm, and one look ends with 0; a failing one with 1")
    func once() throws {
      let quiet = try DemoBackend(["--scenario", "quiet"], home: home)
      defer { quiet.stop() }
      let look = try watch(quiet, ["--once"])
      #expect(look.wait(.seconds(40)) == .exited(0), "\(look.text) \(look.errorText)")
      #expect(look.text.isEmpty)
    }

    @Test("after a night of faults only what still lasts is an alarm, and it is told once")
    func night() throws {
      let truth = "\(home.path)/truth.json"
      let demo = try DemoBackend(["--scenario", "night", "--truth", truth], home: home)
      defer { demo.stop() }
      let first = try watch(demo, ["--once"])
      #expect(first.wait(.seconds(60)) == .exited(1), "\(first.text) \(first.errorText)")
      let told = try messages(first)
      // The waiting replies are of now. The faults of the night were filled in, and alarm nobody.
      #expect(told.compactMap { $0["rule"] as? String } == ["queue"], "\(first.text)")
      #expect(told.allSatisfy { $0["source"] as? String == "triage" }, "\(first.text)")
      let night = try String(contentsOfFile: truth, encoding: .utf8)
      #expect(night.split(separator: "\n").count > 40, "the truth of the night is short")
      let second = try watch(demo, ["--once"])
      _ = second.wait(.seconds(60))
      #expect(try began(second).isEmpty, "\(second.text)")
    }

    @Test("--notify gives title and sentence to the desktop's own program, markup escaped")
    func notify() throws {
      let demo = try DemoBackend(["--scenario", "failing"], home: home)
      defer { demo.stop() }
      let folder = "\(home.path)/bin"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      let script = "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" >> \(home.path)/notified\n"
      #expect(
        FileManager.default.createFile(
          atPath: "\(folder)/notify-send", contents: Data(script.utf8),
          attributes: [.posixPermissions: 0o700]))
      let process = try PipedProcess(
        Tool.path,
        [
          "watch", "--url", demo.url, "--token-file", demo.tokenFile, "--json", "--every", "0s",
          "--notify",
        ],
        environment: Tool.environment(home: home, ["PATH": "\(folder):/usr/bin:/bin"]))
      defer { process.signal(SIGKILL) }
      #expect(
        process.pump(.seconds(90)) { read("notified").split(separator: "\n").count >= 10 },
        "\(process.text) \(process.errorText)")
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(143))
      let lines = read("notified").split(separator: "\n").map(String.init)
      let sentences = try messages(process).compactMap { $0["sentence"] as? String }
      // Four arguments a notification: the program, the end of the options, title, text.
      for start in stride(from: 0, to: lines.count - 4, by: 5) {
        #expect(lines[start] == "4" && lines[start + 1] == "--app-name=clanky-cockpit")
        #expect(lines[start + 2] == "--")
        let text = lines[start + 4].replacingOccurrences(of: "&lt;", with: "<")
          .replacingOccurrences(of: "&gt;", with: ">").replacingOccurrences(of: "&amp;", with: "&")
        #expect(
          sentences.contains { text.contains($0) || $0.contains(text) },
          "\(text) is none of \(sentences)")
      }
    }

    @Test("a second watch of the same bot says so and ends; muting and the list are files")
    func second() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      defer { demo.stop() }
      let first = try watch(demo)
      defer { first.signal(SIGKILL) }
      #expect(first.pump { first.errorText.contains("watching") })
      let other = try watch(demo)
      #expect(other.wait() == .exited(1))
      #expect(other.errorText.contains("another 'watch' of this bot runs already"))
      let muting = try watch(demo, ["--mute", "models", "--snooze", "search=1h", "--list"])
      #expect(muting.wait() == .exited(0), "\(muting.errorText)")
      #expect(muting.text.contains("muted") && muting.text.contains("until "))
      let wrong = try watch(demo, ["--mute", "modles"])
      #expect(wrong.wait() == .exited(2))
      #expect(wrong.errorText.contains("did you mean 'models'"))
    }

    @Test("a unit for systemd has the options that were given")
    func unit() throws {
      let process = try PipedProcess(
        Tool.path,
        ["watch", "--notify", "--exec", "logger \"$CLANKY_ALARM_SENTENCE\"", "--print-unit"],
        environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(0))
      #expect(process.text.contains("Type=notify"))
      #expect(
        process.text.contains(#"watch --notify --exec "logger \"$$CLANKY_ALARM_SENTENCE\"""#),
        "\(process.text)")
    }
  }
}
