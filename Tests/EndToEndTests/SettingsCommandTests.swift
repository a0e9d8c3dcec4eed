import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `clanky-cockpit settings …` from a shell, on a demo backend in a process of its own.
  @Suite("CMD: the settings commands") struct SettingsCommandTests {
    let home: TemporaryFolder
    let backend: DemoBackend

    init() throws {
      home = try TemporaryFolder()
      backend = try DemoBackend(["--scenario", "quiet", "--fault-control"], home: home)
    }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      let process = try PipedProcess(
        Tool.path, ["settings"] + arguments + ["--url", backend.url],
        environment: Tool.environment(home: home, token: backend.token))
      process.wait()
      return process
    }

    @discardableResult
    private func expect(
      _ code: Int32, _ arguments: [String], says words: String...,
      sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> PipedProcess {
      let process = try run(arguments)
      let what: Comment = "\(arguments.joined(separator: " ")): \(process.text)\(process.errorText)"
      #expect(process.status == .exited(code), what, sourceLocation: sourceLocation)
      #expect(ForbiddenBytes.found(in: process.output) == [], what, sourceLocation: sourceLocation)
      #expect(ForbiddenBytes.found(in: process.errors) == [], what, sourceLocation: sourceLocation)
      for word in words {
        #expect(
          (process.text + process.errorText).contains(word), what, sourceLocation: sourceLocation)
      }
      return process
    }

    private func effective(_ path: String...) throws -> Any? {
      var value: Any? = try backend.request("GET", "/api/settings").object["effective"]
      for key in path { value = (value as? [String: Any])?[key] }
      return value
    }

    private func puts() throws -> Int {
      let log = try backend.request("GET", "/__demo/log").object["requests"] as? [[String: Any]]
      return (log ?? []).count { $0["method"] as? String == "PUT" }
    }

    @Test("reading: sections, words, one setting, JSON, the differences, the document")
    func reading() throws {
      try expect(
        0, ["get", "voice.sessionLimits"], says: "* voice.sessionLimits.maxSessionMinutes = 60")
      try expect(
        0, ["get", "voice.sessionLimits.maxSessionMinutes"], says: "default: 30",
        "a whole number from 1 to 240", "clock anew")
      try expect(0, ["get", "--search", "videos day"], says: "maxVideosPerDay")
      try expect(1, ["get", "no.such.setting"], says: "No setting matches.")
      try expect(2, ["get", "no such"])
      let lines = try expect(0, ["get", "--json"]).lines
      #expect(lines.count > 250)
      for line in lines {
        let object = try #require(try PlainAction.objects(String(line)).first)
        #expect(object["path"] is String && object["differs"] is Bool)
      }
      try expect(0, ["diff"], says: "permissions.replies.maxMessagesPerHour", "- 20", "+ 60")
      let document = try expect(0, ["export"])
      let json = try JSONSerialization.jsonObject(with: Data(document.output)) as? [String: Any]
      #expect((json?["persona"] as? [String: Any])?["flavor"] as? String == "toaster with opinions")
      #expect(try puts() == 0)
    }

    @Test("set: one PUT, read back, journal, undo")
    func set() throws {
      try expect(2, ["set", "memory.enabled", "off"], says: "--yes")
      try expect(2, ["set", "memory.enabled", "perhaps", "--yes"], says: "true or false")
      try expect(2, ["set", "memory.enabled", "off", "--yes", "--read-only"], says: "--read-only")
      #expect(try puts() == 0)
      try expect(
        0, ["set", "memory.enabled", "off", "--yes"], says: "Saved.", "memory.enabled: false")
      #expect(try effective("memory", "enabled") as? Bool == false)
      #expect(try effective("persona", "flavor") as? String == "toaster with opinions")
      try expect(0, ["set", "memory.enabled", "off", "--yes"], says: "already")
      #expect(try puts() == 1)
      // The bot clamps without a word.
      let clamped = try expect(
        1, ["set", "permissions.replies.maxMessagesPerHour", "9999", "--yes", "--json"],
        says: "will probably store 500", "sent 9999, stored 500")
      let record = try #require(try PlainAction.objects(clamped.text).first)
      #expect(record["stored"] as? Bool == true && record["exact"] as? Bool == false)
      try expect(0, ["journal"], says: "sending", "stored", "memory.enabled")
      try expect(0, ["undo", "--yes"], says: "Saved.")
      #expect(try effective("permissions", "replies", "maxMessagesPerHour") as? Int == 60)
      try expect(0, ["undo", "--yes"], says: "Saved.")
      #expect(try effective("memory", "enabled") as? Bool == true)
      try expect(1, ["undo", "--yes"], says: "no save")
    }

    @Test("a conflict in between, a lost answer, live sessions that were not told")
    func faults() throws {
      func fault(_ kind: String) throws {
        _ = try backend.request("POST", "/__demo/fault", ["fault": "settingsSave", "kind": kind])
      }
      try fault("conflict")
      try expect(
        1, ["set", "memory.enabled", "off", "--yes"], says: "meanwhile", "nothing was stored")
      #expect(try effective("memory", "enabled") as? Bool == true)
      try fault("lostAnswer")
      try expect(0, ["set", "memory.enabled", "off", "--yes"], says: "Saved.")
      try fault("lostRequest")
      try expect(1, ["set", "memory.enabled", "on", "--yes"], says: "did not arrive")
      try fault("notApplied")
      try expect(1, ["set", "memory.enabled", "on", "--yes"], says: "were not told")
      #expect(try puts() == 4)
      try expect(0, ["refresh", "--yes"], says: "applied")
    }

    @Test("presets and reset want their word")
    func presets() throws {
      try expect(2, ["reset"], says: "--confirm reset")
      try expect(2, ["preset", "openai_api", "--confirm", "yes"], says: "openai_api")
      try expect(2, ["preset", "no_such", "--confirm", "no_such"], says: "no preset")
      #expect(try puts() == 0)
      try expect(0, ["preset", "openai_api", "--confirm", "openai_api"], says: "Saved.")
      #expect(
        try effective("agentStack", "overrides", "orchestrator", "provider") as? String == "openai")
      try expect(0, ["reset", "--confirm", "reset"], says: "Saved.")
      #expect(try effective("persona", "flavor") as? String != "toaster with opinions")
      // What is permitted where survives.
      #expect(try effective("permissions", "replies", "maxMessagesPerHour") as? Int == 60)
      try expect(0, ["undo", "--yes"], says: "Saved.")
      try expect(0, ["undo", "--yes"], says: "Saved.")
      #expect(try effective("persona", "flavor") as? String == "toaster with opinions")
    }

    @Test("secrets: sent, and neither printed nor in the journal")
    func secrets() throws {
      let secret = "https://user:hunter2@feeds.example/x"
      let path = "initiative.discovery.rssFeeds"
      let set = try expect(0, ["set", path, "[\"\(secret)\"]", "--yes", "--json"])
      let get = try expect(0, ["get", path, "--json"])
      let export = try expect(0, ["export"])
      let journal = try expect(0, ["journal", "--json"])
      for process in [set, get, export, journal] {
        #expect(!(process.text + process.errorText).contains("hunter2"))
        #expect(process.text.contains("[secret]"))
      }
      #expect(try effective("initiative", "discovery", "rssFeeds") as? [String] == [secret])
      // Another change keeps it.
      try expect(0, ["set", "memory.enabled", "off", "--yes"])
      #expect(try effective("initiative", "discovery", "rssFeeds") as? [String] == [secret])
    }
  }
}
