import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Every way of writing settings, with every step of it failing: at most one PUT, none on a conflict, the
  /// before-image on the disk, and a way back.
  @Suite("CMD: every write of settings, every step failing") struct SettingsWriteTests {
    /// A verb that writes, and what makes it ready.
    struct Write: CustomTestStringConvertible, Sendable {
      var name: String
      var arguments: [String]
      var ready: [[String]] = []
      var testDescription: String { name }
    }

    static let writes = [
      Write(name: "set", arguments: ["set", "memory.enabled", "off", "--yes"]),
      Write(
        name: "set to the default",
        arguments: ["set", "voice.sessionLimits.maxSessionMinutes", "--default", "--yes"]),
      Write(name: "edit", arguments: ["edit", "persona.flavor", "--yes"]),
      Write(name: "preset", arguments: ["preset", "openai_api", "--confirm", "openai_api"]),
      Write(name: "reset", arguments: ["reset", "--confirm", "reset"]),
      Write(
        name: "undo", arguments: ["undo", "--yes"],
        ready: [["set", "memory.enabled", "off", "--yes"]]),
    ]

    let home: TemporaryFolder
    let backend: DemoBackend

    init() throws {
      home = try TemporaryFolder()
      backend = try DemoBackend(["--scenario", "quiet", "--fault-control"], home: home)
      _ = try home.file("editor", "#!/bin/sh\nprintf 'a new flavour\\n' > \"$1\"\n", mode: 0o755)
    }

    /// A verb; the editor wants a terminal.
    private struct Running {
      let piped: PipedProcess?
      let terminal: PTYProcess?

      /// The exit code; nil if a signal ended it.
      func wait() -> Int32? {
        if let terminal {
          if case .exited(let code)? = terminal.wait(timeout: Tool.patience) { return code }
          return nil
        }
        if case .exited(let code)? = piped?.wait() { return code }
        return nil
      }

      func kill() {
        piped?.signal(SIGKILL)
        terminal?.signal(SIGKILL)
      }

      var text: String {
        (piped.map { $0.text + $0.errorText } ?? "")
          + (terminal.map { String(decoding: $0.output, as: UTF8.self) } ?? "")
      }
    }

    private func start(_ arguments: [String]) throws -> Running {
      let all = ["settings"] + arguments + ["--url", backend.url]
      let variables = ["VISUAL": "\(home.path)/editor"]
      let environment = Tool.environment(home: home, token: backend.token, variables)
      guard arguments.first == "edit" else {
        return Running(
          piped: try PipedProcess(Tool.path, all, environment: environment), terminal: nil)
      }
      return Running(
        piped: nil,
        terminal: try PTYProcess(
          Tool.path, all, environment: environment, rows: 40, columns: 120))
    }

    private func run(_ arguments: [String]) throws -> (code: Int32?, text: String) {
      let process = try start(arguments)
      let code = process.wait()
      return (code, process.text)
    }

    private func fault(_ json: [String: Any]) throws {
      #expect(try backend.request("POST", "/__demo/fault", json).status == 200)
    }

    private func puts() throws -> Int {
      let log = try backend.request("GET", "/__demo/log").object["requests"] as? [[String: Any]]
      return (log ?? []).count { $0["method"] as? String == "PUT" }
    }

    /// What was asked for, and the version.
    private func stored() throws -> (intent: NSDictionary, version: String) {
      let answer = try backend.request("GET", "/api/settings").object
      let intent = try #require(answer["intent"] as? NSDictionary)
      let meta = try #require(answer["_meta"] as? [String: Any])
      return (intent, try #require(meta["updatedAt"] as? String))
    }

    private func journal() throws -> [[String: Any]] {
      let path = home.path + "/.local/state/clanky-cockpit/settings.jsonl"
      guard FileManager.default.fileExists(atPath: path) else { return [] }
      return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        .flatMap { try PlainAction.objects(String($0)) }
    }

    /// The lines that the last write added: the first has everything that was asked for before.
    private func expectBeforeImage(_ before: NSDictionary, _ lines: [[String: Any]]) {
      #expect(lines.first?["outcome"] as? String == "sending")
      #expect(lines.first?["before"] as? NSDictionary == before)
    }

    @Test(
      "each: one PUT, the before-image, and undo brings back what was asked for", arguments: writes)
    func good(write: Write) throws {
      for line in write.ready { #expect(try run(line).code == 0) }
      let (before, _) = try stored()
      let (puts, lines) = (try puts(), try journal().count)
      let done = try run(write.arguments)
      #expect(done.code == 0, "\(done.text)")
      #expect(try self.puts() == puts + 1)
      #expect(try stored().intent != before)
      let added = Array(try journal().dropFirst(lines))
      #expect(added.compactMap { $0["outcome"] as? String } == ["sending", "stored"])
      expectBeforeImage(before, added)
      guard write.name != "undo" else { return }
      let back = try run(["undo", "--yes"])
      #expect(back.code == 0, "\(back.text)")
      #expect(try self.puts() == puts + 2)
      #expect(try stored().intent == before)
    }

    @Test(
      "each with each failure: never more than one PUT, and never a word that is not so",
      arguments: writes)
    func failing(write: Write) throws {
      for line in write.ready { #expect(try run(line).code == 0) }
      for kind in ["conflict", "lostRequest", "lostAnswer", "oddAnswer", "notApplied"] {
        let (before, _) = try stored()
        let (puts, lines) = (try puts(), try journal().count)
        try fault(["fault": "settingsSave", "kind": kind])
        let done = try run(write.arguments)
        let what: Comment = "\(write.name), \(kind): \(done.text)"
        let isStored = try stored().intent != before
        #expect(try self.puts() == puts + 1, what)
        let added = Array(try journal().dropFirst(lines))
        #expect(added.count == 2, what)
        expectBeforeImage(before, added)
        switch kind {
        case "conflict":
          // The save that came first is another setting's; ours was not stored.
          #expect(done.code == 1, what)
          #expect(added.last?["outcome"] as? String == "conflict", what)
        case "lostRequest":
          #expect(done.code == 1 && !isStored, what)
        case "notApplied":
          #expect(done.code == 1 && isStored, what)
        default:
          #expect(isStored, what)
          #expect(added.last?["outcome"] as? String == "stored", what)
        }
        guard isStored, kind != "conflict", write.name != "undo" else {
          if write.name == "undo", isStored, kind != "conflict" {
            for line in write.ready { #expect(try run(line).code == 0) }
          }
          continue
        }
        let back = try run(["undo", "--yes"])
        #expect(back.code == 0, "\(back.text)")
        #expect(try stored().intent == before, what)
      }
      // The reading before the PUT fails: nothing is sent.
      let puts = try puts()
      try fault(["fault": "http500"])
      let done = try run(write.arguments)
      #expect(done.code != 0)
      try fault(["fault": "clear"])
      #expect(try self.puts() == puts)
    }

    @Test(
      "each killed while it is out: the before-image is on the disk, and undo knows of it",
      arguments: writes)
    func killed(write: Write) throws {
      for line in write.ready { #expect(try run(line).code == 0) }
      let (before, _) = try stored()
      let (puts, lines) = (try puts(), try journal().count)
      try fault(["fault": "slowREST", "ms": 700])
      let process = try start(write.arguments)
      let deadline = ContinuousClock.now + Tool.patience
      while try journal().count == lines, ContinuousClock.now < deadline { usleep(10_000) }
      process.kill()
      _ = process.wait()
      try fault(["fault": "clear"])
      let added = Array(try journal().dropFirst(lines))
      #expect(added.compactMap { $0["outcome"] as? String } == ["sending"])
      expectBeforeImage(before, added)
      #expect(try self.puts() <= puts + 1)
      guard write.name != "undo" else { return }
      let isStored = try stored().intent != before
      let back = try run(["undo", "--yes"])
      if isStored {
        #expect(back.code == 0, "\(back.text)")
        #expect(try stored().intent == before)
      } else {
        #expect(back.code != 0)
        #expect(try self.puts() <= puts + 1)
      }
    }

    @Test("the setting changed while it was being edited: a conflict, and no PUT")
    func conflict() throws {
      _ = try home.file(
        "editor",
        """
        #!/bin/sh
        printf 'a new flavour\\n' > "$1"
        touch "$HOME/editing"
        while [ ! -e "$HOME/go" ]; do sleep 0.05; done
        """, mode: 0o755)
      let process = try start(["edit", "persona.flavor", "--yes"])
      let deadline = ContinuousClock.now + Tool.patience
      while !FileManager.default.fileExists(atPath: home.path + "/editing"),
        ContinuousClock.now < deadline
      { usleep(10_000) }
      let (intent, version) = try stored()
      let body = try #require(intent.mutableCopy() as? NSMutableDictionary)
      body["persona"] = ["flavor": "somebody else's"]
      body["_meta"] = ["expectedUpdatedAt": version]
      #expect(try backend.request("PUT", "/api/settings", body).status == 200)
      _ = try home.file("go", "")
      let code = process.wait()
      #expect(code == 1, "\(process.text)")
      #expect(try puts() == 1, "the other one's")
      #expect(try journal().isEmpty)
      #expect(
        (try stored().intent["persona"] as? [String: Any])?["flavor"] as? String
          == "somebody else's")
    }
  }
}
