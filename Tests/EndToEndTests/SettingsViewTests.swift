import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The settings in CMD on a terminal, on a demo backend in a process of its own.
  @Suite("CMD: the settings on the screen") struct SettingsViewTests {
    let home: TemporaryFolder
    let backend: DemoBackend

    init() throws {
      home = try TemporaryFolder()
      backend = try DemoBackend(["--scenario", "quiet", "--fault-control"], home: home)
    }

    private func open(_ arguments: [String] = [], rows: Int = 40, columns: Int = 120) throws
      -> Cockpit
    {
      let cockpit = try Cockpit(
        ["--url", backend.url, "--token-file", backend.tokenFile] + arguments, home: home,
        rows: rows, columns: columns)
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("S")
      try cockpit.see("the settings") {
        $0.contains("BOT SETTINGS") && $0.contains("differ from the default")
      }
      return cockpit
    }

    /// Puts the cursor on a setting.
    private func find(_ words: String, _ cockpit: Cockpit) throws {
      cockpit.type("/" + words + "\r")
      try cockpit.see("what was found") { $0.contains("1 found") && $0.contains("takes") }
    }

    /// Opens the form of a number, types another one and goes to the review.
    private func review(_ path: String, _ value: String, _ cockpit: Cockpit) throws {
      try find(path, cockpit)
      try cockpit.type("e", see: "EDIT SETTING")
      cockpit.type("\u{15}" + value + "\u{13}")
      try cockpit.see("SAVE THIS SETTING?")
    }

    private func effective(_ path: String...) throws -> Any? {
      var value: Any? = try backend.request("GET", "/api/settings").object["effective"]
      for key in path { value = (value as? [String: Any])?[key] }
      return value
    }

    private var messages: Int? {
      get throws { try effective("permissions", "replies", "maxMessagesPerHour") as? Int }
    }

    private func puts() throws -> Int {
      let log = try backend.request("GET", "/__demo/log").object["requests"] as? [[String: Any]]
      return (log ?? []).count { $0["method"] as? String == "PUT" }
    }

    private func fault(_ json: [String: Any]) throws {
      let reply = try backend.request("POST", "/__demo/fault", json)
      #expect(reply.status == 200)
    }

    private func journal() throws -> [[String: Any]] {
      let folder = home.path + "/.local/state/clanky-cockpit"
      let text = try String(contentsOfFile: folder + "/settings.jsonl", encoding: .utf8)
      return try text.split(separator: "\n").flatMap { try PlainAction.objects(String($0)) }
    }

    @Test("one setting: reviewed, one PUT, before-image in the journal, read back, taken back")
    func save() throws {
      let cockpit = try open()
      try review("maxMessagesPerHour", "45", cockpit)
      #expect(cockpit.screen.contains("- 60") && cockpit.screen.contains("+ 45"))
      #expect(cockpit.screen.contains("No voice session is live now"))
      #expect(try puts() == 0)
      cockpit.type("y")
      try cockpit.see("the outcome") { $0.contains("STORED") && $0.contains("Saved.") }
      #expect(try puts() == 1)
      #expect(try messages == 45)
      #expect(try effective("persona", "flavor") as? String == "toaster with opinions")
      let lines = try journal()
      #expect(lines.compactMap { $0["outcome"] as? String } == ["sending", "stored"])
      let before = lines[0]["before"] as? [String: Any]
      #expect(
        (before?["persona"] as? [String: Any])?["flavor"] as? String == "toaster with opinions")
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("STORED") && $0.contains("45") }
      try cockpit.type("u", see: "WRITE BACK WHAT STOOD THERE?")
      cockpit.type("y")
      try cockpit.see("the outcome") { $0.contains("STORED") }
      #expect(try messages == 60)
      #expect(try puts() == 2)
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("STORED") }
      cockpit.type("u")
      try cockpit.see("no save")
      cockpit.type("qqq")
      cockpit.expectEnd(.exited(0))
    }

    @Test("what the bot clamps stands beside what was sent")
    func clamped() throws {
      let cockpit = try open(rows: 24, columns: 80)
      try find("maxMessagesPerHour", cockpit)
      try cockpit.type("e", see: "EDIT SETTING")
      cockpit.type("\u{15}9999\u{13}")
      try cockpit.see("will probably store 500")
      cockpit.type("\r")
      try cockpit.see("SAVE THIS SETTING?")
      cockpit.type("y")
      try cockpit.see("both") { $0.contains("sent     9999") && $0.contains("stored   500") }
      #expect(try messages == 500)
    }

    @Test("a conflict: nothing is sent, theirs beside mine, and editing on starts from theirs")
    func conflict() throws {
      let cockpit = try open()
      try review("maxMessagesPerHour", "45", cockpit)
      // Somebody saves in the web form meanwhile.
      let answer = try backend.request("GET", "/api/settings").object
      var intent = try #require(answer["intent"] as? [String: Any])
      let version = try #require((answer["_meta"] as? [String: Any])?["updatedAt"] as? String)
      var permissions = intent["permissions"] as? [String: Any] ?? [:]
      var replies = permissions["replies"] as? [String: Any] ?? [:]
      replies["maxMessagesPerHour"] = 33
      permissions["replies"] = replies
      intent["permissions"] = permissions
      intent["_meta"] = ["expectedUpdatedAt": version]
      #expect(try backend.request("PUT", "/api/settings", intent).status == 200)
      cockpit.type("y")
      try cockpit.see("the conflict") {
        $0.contains("CONFLICT") && $0.contains("theirs   33") && $0.contains("yours    45")
      }
      // The one PUT is theirs.
      #expect(try puts() == 1)
      #expect(try messages == 33)
      cockpit.type("\r")
      try cockpit.see("the form with what was typed") { $0.contains("> 45") }
      cockpit.type("\u{13}")
      try cockpit.see("their value") { $0.contains("- 33") && $0.contains("+ 45") }
      cockpit.type("y")
      try cockpit.see("STORED")
      #expect(try puts() == 2)
      #expect(try messages == 45)
    }

    @Test("every step failing: refused, lost before, lost after, not applied, odd answer")
    func faults() throws {
      let cockpit = try open()
      let steps = [
        ("conflict", "CONFLICT", 60), ("lostRequest", "did not arrive", 60),
        ("lostAnswer", "Saved.", 45), ("notApplied", "were not told", 46),
        ("oddAnswer", "Saved.", 47),
      ]
      for (kind, words, expected) in steps {
        let value = expected == 60 ? 45 : expected
        try fault(["fault": "settingsSave", "kind": kind])
        let before = try puts()
        try review("maxMessagesPerHour", "\(value)", cockpit)
        cockpit.type("y")
        try cockpit.see(kind) { $0.contains(words) }
        #expect(try puts() == before + 1, "\(kind)")
        #expect(try messages == expected, "\(kind)")
        // Esc leads back to the form where nothing was stored, and out of it.
        cockpit.type("\u{1B}")
        try cockpit.see("the form or the list") { !$0.contains(words) || !$0.contains("[") }
        if cockpit.screen.contains("EDIT SETTING") {
          try cockpit.type("\u{1B}", see: "Esc again drops")
          cockpit.type("\u{1B}")
        }
        try cockpit.see("the list") { !$0.contains("EDIT SETTING") && !$0.contains("[CLOSE]") }
      }
      try cockpit.type(":settings-apply\r", see: "APPLY THE SETTINGS")
      cockpit.type("y")
      try cockpit.see("The settings are applied")
    }

    @Test(
      "killed while a save is out: the journal has the before-image, the next start says how it stands"
    )
    func killed() throws {
      let first = try open()
      try review("maxMessagesPerHour", "45", first)
      // Each answer takes a while: the program ends between its line in the journal and the answer.
      try fault(["fault": "slowREST", "ms": 1500])
      first.type("y")
      let deadline = ContinuousClock.now + Tool.patience
      while (try? journal().count) != 1, ContinuousClock.now < deadline {
        first.pty.pump(timeout: .milliseconds(10)) { false }
      }
      first.pty.signal(SIGKILL)
      #expect(first.pty.wait(timeout: Tool.patience) == .signaled(SIGKILL))
      try fault(["fault": "clear"])
      let lines = try journal()
      #expect(lines.compactMap { $0["outcome"] as? String } == ["sending"])
      #expect(lines[0]["before"] is [String: Any])
      let stored = try messages
      #expect(stored == 60 || stored == 45)

      let second = try open()
      try second.see("that it is not on record") { $0.contains("is not on record") }
      #expect(
        second.screen.contains(
          stored == 45 ? "say what was sent" : "say what they said before"))
      second.type("u")
      if stored == 45 {
        try second.see("WRITE BACK WHAT STOOD THERE?")
        second.type("y")
        try second.see("STORED")
      } else {
        try second.see("no save")
      }
      #expect(try messages == 60)
      #expect(try puts() <= 2)
    }

    @Test(
      "what was typed is there after a kill; saved or dropped it is gone; a secret is on no disk")
    func drafts() throws {
      let folder = home.path + "/.local/state/clanky-cockpit/settings-drafts"
      func files() -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".json") }
      }
      let first = try open()
      try find("persona.flavor", first)
      try first.type("e", see: "EDIT SETTING")
      first.type("\u{15}with a pinch of salt")
      try first.see("the draft") { _ in
        files().count == 1
          && ((try? String(contentsOfFile: folder + "/" + files()[0], encoding: .utf8)) ?? "")
            .contains("pinch of salt")
      }
      first.pty.signal(SIGKILL)
      #expect(first.pty.wait(timeout: Tool.patience) == .signaled(SIGKILL))

      let second = try open()
      try find("persona.flavor", second)
      try second.see("that there is a draft") { $0.contains("and not saved") }
      try second.type("e", see: "Your draft of")
      #expect(second.screen.contains("pinch of salt"))
      #expect(try puts() == 0)
      second.type("\u{13}")
      try second.see("SAVE THIS SETTING?")
      second.type("y")
      try second.see("STORED")
      #expect(files().isEmpty)
      #expect((try effective("persona", "flavor") as? String)?.hasSuffix("pinch of salt") == true)
      second.type("\u{1B}\u{1B}")
      try second.see("the list") { !$0.contains("STORED") }

      try find("rssFeeds", second)
      try second.type("e", see: "EDIT SETTING")
      second.type("https://user:hunter2")
      second.type("@feeds.example")
      try second.see("it") { $0.contains("hunter2@") }
      let kept = files().compactMap {
        try? String(contentsOfFile: folder + "/" + $0, encoding: .utf8)
      }
      #expect(!kept.contains { $0.contains("feeds.example") })
      second.type("\u{1B}")
      try second.see("Esc again drops")
      second.type("\u{1B}")
      try second.see("nothing kept") { _ in files().isEmpty }
    }

    @Test("quitting during a save waits for its outcome")
    func quitting() throws {
      let cockpit = try open()
      try review("maxMessagesPerHour", "45", cockpit)
      try fault(["fault": "slowREST", "ms": 1200])
      try cockpit.type("y", see: "SAVING")
      try cockpit.type("\u{1B}", see: "only here")
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("SAVING") && $0.contains("are being") }
      cockpit.type("qqq")
      try cockpit.see("the question") { $0.contains("1 change is on the way") }
      cockpit.type("\u{1B}[C\r")
      cockpit.expectEnd(.exited(0))
      try fault(["fault": "clear"])
      #expect(try messages == 45)
      #expect(try journal().compactMap { $0["outcome"] as? String } == ["sending", "stored"])
    }

    @Test("--read-only shows everything and sends nothing")
    func readOnly() throws {
      let cockpit = try open(["--read-only"])
      try find("flavor", cockpit)
      cockpit.type("\r")
      try cockpit.see("the value") { $0.contains("read-only") && $0.contains("toaster") }
      for keys in ["y", "\u{13}", "\r", "e", "D", "u", ":settings-reset\r", ":settings-apply\r"] {
        cockpit.type(keys)
        cockpit.type("\u{7}")
      }
      try cockpit.see("the list") { !$0.contains("[CLOSE]") }
      let log = try backend.request("GET", "/__demo/log").object["requests"] as? [[String: Any]]
      let writes = (log ?? []).filter {
        $0["method"] as? String != "GET"
          && ($0["path"] as? String)?.hasPrefix("/api/settings") == true
      }
      #expect(writes.isEmpty)
    }

    @Test("a preset and a reset want their word, and can be taken back whole")
    func presets() throws {
      let cockpit = try open()
      try cockpit.type(":settings-preset\r", see: "TAKE A PRESET")
      cockpit.type("j\r")
      try cockpit.see("Type claude_api to do it")
      cockpit.type("y\r")
      try cockpit.see("Type claude_api to do it")
      #expect(try puts() == 0)
      cockpit.type("\u{7F}claude_api\r")
      try cockpit.see("STORED")
      #expect(try effective("agentStack", "preset") as? String == "claude_api")
      // What is permitted where survives.
      #expect(try messages == 60)
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("STORED") }
      try cockpit.type("u", see: "WRITE BACK")
      cockpit.type("y")
      try cockpit.see("STORED")
      #expect(try effective("persona", "flavor") as? String == "toaster with opinions")
      #expect(try puts() == 2)
    }
  }
}
