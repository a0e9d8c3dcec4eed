import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `mcp --allow-changes`: what a scripted client changes, the backend and the gateway have.
  @Suite("agents that may change something") struct AgentChangeTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private static let changing = [
      "fact_edit", "fact_delete", "setting_set", "setting_undo", "voice_join", "voice_leave",
    ]

    private func client(_ demo: DemoBackend, _ more: [String] = []) throws -> AgentClient {
      try AgentClient(
        ["--url", demo.url, "--token-file", demo.tokenFile] + more, home: home)
    }

    /// The tools that a client sees, with their annotations.
    private func tools(_ client: AgentClient) throws -> [String: [String: Any]] {
      let result = try client.ask("tools/list", [:])["result"] as? [String: Any]
      var found: [String: [String: Any]] = [:]
      for tool in result?["tools"] as? [[String: Any]] ?? [] {
        found[try #require(tool["name"] as? String)] = tool["annotations"] as? [String: Any]
      }
      return found
    }

    /// An answer of the backend. Half of a surrogate pair, as a hostile one sends it, is not JSON for Foundation.
    private func answer(_ path: String, _ demo: DemoBackend) throws -> Any {
      let text = String(decoding: try demo.request("GET", path).body, as: UTF8.self)
        .replacing(/\\u[dD][89a-fA-F][0-9a-fA-F]{2}/, with: "?")
      return try JSONSerialization.jsonObject(with: Data(text.utf8))
    }

    /// What the backend has of a fact.
    private func fact(_ id: Int, _ demo: DemoBackend) throws -> [String: Any]? {
      for guild in try answer("/api/guilds", demo) as? [[String: Any]] ?? [] {
        let name = try #require(guild["id"] as? String)
        let list =
          try answer("/api/memory/facts?guildId=\(name)&limit=500", demo) as? [String: Any]
        let facts = list?["facts"] as? [[String: Any]] ?? []
        if let found = facts.first(where: { $0["id"] as? Int == id }) { return found }
      }
      return nil
    }

    @Test("without the option no tool changes anything; with it each says so")
    func listed() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let plain = try client(demo)
      for (name, annotations) in try tools(plain) {
        #expect(annotations["readOnlyHint"] as? Bool == true, "\(name)")
        #expect(!Self.changing.contains(name) && name != "settings")
      }
      let refused = try plain.ask(
        "tools/call", ["name": "fact_edit", "arguments": ["id": 1, "fact": "x"]])
      #expect(refused["error"] != nil && refused["result"] == nil)
      _ = plain.end()
      let writing = try client(demo, ["--allow-changes"])
      let tools = try tools(writing)
      for (name, annotations) in tools {
        #expect(
          annotations["readOnlyHint"] as? Bool == !Self.changing.contains(name), "\(name)")
      }
      #expect(Set(Self.changing).isSubset(of: tools.keys))
      #expect(tools["fact_delete"]?["destructiveHint"] as? Bool == true)
      #expect(tools["voice_join"]?["destructiveHint"] as? Bool == false)
      #expect(tools["approval_allow"] == nil)
      _ = writing.end()
    }

    @Test("a fact is corrected and deleted, and the backend, the answer and the journal have it")
    func facts() throws {
      let demo = try DemoBackend(["--scenario", "quiet", "--seed", "3"], home: home)
      let client = try client(demo, ["--allow-changes"])
      let list = try client.call("facts", ["limit": 50])
      let ids = try #require(list.structured["facts"] as? [Int])
      let first = try #require(ids.first)
      let last = try #require(ids.last)
      let edited = try client.call(
        "fact_edit", ["id": first, "fact": "Likes tea --with lemon", "confidence": "0.75"])
      #expect(!edited.isError, "\(edited.texts)")
      #expect(edited.structured["changed"] as? Bool == true)
      #expect(edited.structured["facts"] as? [Int] == [first])
      #expect(edited.texts.first?.hasPrefix("Done.") == true)
      #expect(edited.notes == ["Fact \(first) is changed."])
      #expect(!edited.outside.contains("lemon"))
      let stored = try #require(try fact(first, demo))
      #expect(stored["fact"] as? String == "Likes tea --with lemon", "\(stored)")
      #expect(stored["confidence"] as? Double == 0.75)
      let nothing = try client.call("fact_edit", ["id": first])
      #expect(nothing.isError && nothing.structured["changed"] as? Bool == false)
      let gone = try client.call("fact_delete", ["id": last])
      #expect(!gone.isError && gone.structured["facts"] as? [Int] == [last], "\(gone.texts)")
      #expect(try fact(last, demo) == nil)
      let again = try client.call("fact_delete", ["id": last])
      #expect(again.isError && again.structured["changed"] as? Bool != true)
      #expect(client.end() == .exited(0))
      let journal = try PipedProcess(
        Tool.path, ["facts", "journal", "--json"], environment: Tool.environment(home: home))
      journal.wait()
      #expect(journal.text.contains("with lemon") && journal.text.contains("\(last)"))
    }

    @Test("a setting is changed and taken back; a value that is none is refused")
    func settings() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let client = try client(demo, ["--allow-changes"])
      let path = "voice.sessionLimits.maxSessionMinutes"
      func value() throws -> Int? {
        let answer = try client.call("settings", ["path": path]).untrusted["answer"]
        return (answer as? [[String: Any]])?.first?["value"] as? Int
      }
      let before = try #require(try value())
      let wanted = before == 33 ? 34 : 33
      let set = try client.call("setting_set", ["path": path, "value": "\(wanted)"])
      #expect(!set.isError && set.structured["changed"] as? Bool == true, "\(set.texts)")
      #expect(try value() == wanted)
      let wrong = try client.call("setting_set", ["path": path, "value": "--yes"])
      #expect(wrong.isError && wrong.structured["changed"] as? Bool == false)
      #expect(try client.call("setting_undo").structured["changed"] as? Bool == true)
      #expect(try value() == before)
      _ = client.end()
    }

    @Test("a read-only profile refuses every change, and nothing is sent")
    func readOnly() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let folder = home.path + "/.config/clanky-cockpit"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let text = """
        [profiles.bot]
        url = "\(demo.url)"
        token_file = "\(demo.tokenFile)"
        read_only = true
        """
      try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
      let client = try AgentClient(["--profile", "bot", "--allow-changes"], home: home)
      let list = try client.call("facts", ["limit": 1])
      let id = try #require((list.structured["facts"] as? [Int])?.first)
      let before = try #require(try fact(id, demo)?["fact"] as? String)
      let calls: [(String, [String: Any])] = [
        ("fact_edit", ["id": id, "fact": "other"]), ("fact_delete", ["id": id]),
        ("setting_set", ["path": "voice.sessionLimits.maxSessionMinutes", "value": "33"]),
        ("setting_undo", [:]), ("voice_join", [:]), ("voice_leave", [:]),
      ]
      #expect(calls.map(\.0) == Self.changing)
      for (tool, arguments) in calls {
        let result = try client.call(tool, arguments)
        #expect(result.isError && result.structured["exit_code"] as? Int == 2, "\(tool)")
        #expect(result.structured["changed"] as? Bool == false, "\(tool)")
        #expect(result.texts.first?.hasPrefix("Nothing was changed") == true, "\(tool)")
        #expect(result.notes.joined().contains("read-only"), "\(tool): \(result.notes)")
      }
      #expect(try fact(id, demo)?["fact"] as? String == before)
      _ = client.end()
    }

    @Test("no word of a hostile bot stands outside of the fence when it is changed")
    func hostile() throws {
      let demo = try DemoBackend(["--scenario", "hostile", "--seed", "3"], home: home)
      let client = try client(demo, ["--allow-changes"])
      let ids = try #require(
        try client.call("facts", ["limit": 50]).structured["facts"] as? [Int])
      for id in ids.prefix(8) {
        let words = try fact(id, demo)?.values.compactMap { $0 as? String } ?? []
        let telling = words.filter {
          $0.count >= 4 && ($0.contains(" ") || !$0.allSatisfy(\.isASCII))
        }
        for result in [
          try client.call("fact_edit", ["id": id, "confidence": "0.5"]),
          try client.call("fact_delete", ["id": id]),
        ] {
          #expect(
            result.outside.unicodeScalars.allSatisfy {
              $0.isASCII && ($0.value >= 0x20 || $0 == "\n")
            })
          for word in telling { #expect(!result.outside.contains(word), "\(word)") }
        }
      }
      for tool in ["settings", "setting_undo", "voice_leave"] { _ = try client.call(tool) }
      #expect(client.process.output.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
      for code in ["\\u001b", "\\u009b", "\\u202e", "\\u2066", "\\u0000"] {
        #expect(!client.process.text.contains(code), "\(code)")
      }
      _ = client.end()
    }

    @Test("approvals are answered by what was read; a swapped command is not")
    func approvals() throws {
      let claw = try GatewayHome(profile: "scopes = \"operate\"")
      try claw.fault("ask", ["command": "make all"])
      let client = try AgentClient(["--profile", "claw", "--allow-changes"], home: claw.home)
      let list = try client.call("approvals")
      let cards = try #require(list.untrusted["answer"] as? [[String: Any]])
      let card = try #require(cards.first { $0["subject"] as? String == "make all" }, "\(cards)")
      let id = try #require(card["id"] as? String)
      let fingerprint = try #require(card["fingerprint"] as? String)
      let wrong = try client.call("approval_allow", ["id": id, "fingerprint": "0123456789abcdef"])
      #expect(wrong.isError && wrong.structured["changed"] as? Bool != true)
      let done = try client.call("approval_allow", ["id": id, "fingerprint": fingerprint])
      #expect(!done.isError && done.structured["changed"] as? Bool == true, "\(done.texts)")
      #expect(try claw.truth(of: id, status: "allowed")["decision"] as? String == "allow-once")
      try claw.fault("ask", ["command": "make none"])
      let next = try #require(
        (try client.call("approvals").untrusted["answer"] as? [[String: Any]])?.first {
          $0["subject"] as? String == "make none"
        })
      let swapped = try #require(next["id"] as? String)
      let old = try #require(next["fingerprint"] as? String)
      try claw.fault("swapCommands")
      let late = try client.call("approval_deny", ["id": swapped, "fingerprint": old])
      #expect(late.isError && late.structured["changed"] as? Bool != true)
      #expect(
        try claw.truth("approvals").contains {
          $0["id"] as? String == swapped && $0["status"] as? String == "pending"
        })
      _ = client.end()
      try claw.configure("scopes = \"operate\"\nread_only = true")
      let reading = try AgentClient(["--profile", "claw", "--allow-changes"], home: claw.home)
      let refused = try reading.call(
        "approval_deny", ["id": swapped, "fingerprint": old])
      #expect(refused.isError && refused.structured["changed"] as? Bool == false)
      _ = reading.end()
    }
  }
}
