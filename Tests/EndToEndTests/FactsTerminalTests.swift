import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `facts edit` and `facts delete` on a terminal, where they ask, and when they are interrupted.
  @Suite("facts on a terminal (promise P8)") struct FactsTerminalTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// Runs a `facts` verb on a terminal wide enough for one line for each sentence.
    private func run(
      _ arguments: [String], on demo: DemoBackend, editor: String? = nil
    ) throws -> PTYProcess {
      try PTYProcess(
        Tool.path,
        ["facts"] + arguments + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(
          home: home, editor.map { ["EDITOR": $0] } ?? [:]), rows: 40, columns: 200)
    }

    private func text(of id: Int, on demo: DemoBackend) throws -> String? {
      let reply = try demo.request("GET", "/api/memory/facts?guildId=771043920118841344&limit=500")
      let facts = reply.object["facts"] as? [[String: Any]] ?? []
      return facts.first { $0["id"] as? Int == id }?["fact"] as? String
    }

    private var drafts: [String] {
      let folder = "\(home.path)/.local/state/clanky-cockpit/drafts"
      return (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    }

    /// An editor that replaces words.
    private func editor(_ script: String) throws -> String {
      try home.file("editor", "#!/bin/sh\n\(script)\n", mode: 0o700)
    }

    @Test("the editor's text is shown and sent after a yes; nothing is left behind")
    func editor() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let before = try FileManager.default.contentsOfDirectory(atPath: home.path)
      let process = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/red rope to/blue rope to/' "$1""#))
      try process.expect("Send this change? [y/N]", timeout: Tool.patience)
      #expect(process.terminal.text.contains("+  fact        Nadia lent her blue rope to tomasz."))
      #expect(try text(of: 3, on: demo) == "Nadia lent her red rope to tomasz.")
      #expect(drafts.count == 1, "kept before it is sent")
      process.send("y\n")
      #expect(process.wait(timeout: Tool.patience) == .exited(0), "\(process.terminal.text)")
      #expect(try text(of: 3, on: demo) == "Nadia lent her blue rope to tomasz.")
      #expect(drafts.isEmpty)
      let after = try FileManager.default.contentsOfDirectory(atPath: home.path)
      #expect(Set(after).subtracting(before) == ["editor", ".local"])
    }

    @Test(
      "a terminal whose locale does not name UTF-8 gets ASCII from every verb (promise P1)",
      arguments: [
        ["facts", "export"], ["facts", "export", "--format", "csv"],
        ["facts", "export", "--format", "markdown"], ["facts", "list"], ["widget", "large"],
        ["widget", "large", "--format", "tmux"], ["widget", "medium", "--format", "waybar"],
        ["snapshot", "--view", "pulse"], ["snapshot", "--view", "memory", "--ansi"],
        ["doctor"], ["status"], ["actions", "-n", "200"], ["themes", "show", "mono"],
        ["tail", "--help"],
      ])
    func asciiTerminal(arguments: [String]) throws {
      let process = try PTYProcess(
        Tool.path,
        arguments + (["themes", "tail"].contains(arguments[0]) ? [] : ["--demo", "hostile"]),
        environment: Tool.environment(home: home, ["LC_ALL": "C"]), rows: 40, columns: 200)
      #expect(process.wait(timeout: Tool.patience) != nil)
      #expect(!process.output.isEmpty && process.output.allSatisfy { $0 < 0x80 }, "\(arguments)")
    }

    @Test("a no keeps the draft, and the next edit opens it")
    func draft() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let first = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/red rope to/long rope to/' "$1""#))
      try first.expect("Send this change? [y/N]", timeout: Tool.patience)
      first.send("\n")
      #expect(first.wait(timeout: Tool.patience) == .exited(1))
      #expect(try text(of: 3, on: demo) == "Nadia lent her red rope to tomasz.")
      #expect(drafts.count == 1)
      let second = try run(["edit", "3"], on: demo, editor: "true")
      try second.expect("long rope", timeout: Tool.patience)
      try second.expect("Send this change? [y/N]", timeout: Tool.patience)
      second.send("y\n")
      #expect(second.wait(timeout: Tool.patience) == .exited(0), "\(second.terminal.text)")
      #expect(try text(of: 3, on: demo) == "Nadia lent her long rope to tomasz.")
    }

    @Test(
      "an editor that changes nothing, fails or is not there sends nothing",
      arguments: ["true", "false", "no-such-editor-anywhere"])
    func nothing(name: String) throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(["edit", "3"], on: demo, editor: name)
      #expect(process.wait(timeout: Tool.patience) == .exited(1), "\(process.terminal.text)")
      #expect(drafts.isEmpty)
      #expect(try text(of: 3, on: demo) == "Nadia lent her red rope to tomasz.")
    }

    @Test("what the editor left unreadable is opened again, or kept in a file")
    func unreadable() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/^type: .*/typo/' "$1""#))
      try process.expect("Open it again? [y/N]", timeout: Tool.patience)
      process.send("y\n")
      try process.expect("has no field", timeout: Tool.patience)
      #expect(
        process.pump(timeout: Tool.patience) {
          process.terminal.text.components(separatedBy: "Open it again?").count == 3
        })
      process.send("n\n")
      #expect(process.wait(timeout: Tool.patience) == .exited(2), "\(process.terminal.text)")
      let path = try #require(
        process.terminal.text.firstMatch(of: /what you wrote in the editor is in (\S+\.txt)/)?
          .output.1)
      #expect(try String(contentsOfFile: String(path), encoding: .utf8).contains("typo"))
      #expect(try text(of: 3, on: demo) == "Nadia lent her red rope to tomasz.")
    }

    @Test(
      "a signal instead of an answer leaves what the editor wrote in its file (promise P8)",
      arguments: [SIGTERM, SIGHUP, SIGINT])
    func endedAtTheQuestion(number: Int32) throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/^type: .*/typo/' "$1""#))
      try process.expect("Open it again? [y/N]", timeout: Tool.patience)
      let path = try leftFile(process)
      defer { try? FileManager.default.removeItem(atPath: path) }
      process.signal(number)
      _ = process.wait(timeout: Tool.patience)
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("typo"))
    }

    /// The file that a sentence on the screen names.
    private func leftFile(_ process: PTYProcess) throws -> String {
      let path = try #require(
        process.terminal.text.firstMatch(of: /is in (\S+\.txt)/)?.output.1,
        "\(process.terminal.text)")
      return String(path)
    }

    @Test("what an editor wrote that then fails stays in its file, which is named")
    func failingEditor() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(
        ["edit", "3"], on: demo,
        editor: try editor(#"sed -i 's/red rope to/long rope to/' "$1"; exit 3"#))
      #expect(process.wait(timeout: Tool.patience) == .exited(1), "\(process.terminal.text)")
      #expect(process.terminal.text.contains("the editor ended with status 3"))
      let path = try leftFile(process)
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("long rope to"))
      #expect(drafts.isEmpty)
    }

    @Test(
      "a signal while the editor has the text: what it saved is a draft, and the editor is ended",
      arguments: [SIGTERM, SIGHUP])
    func endedInEditor(number: Int32) throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let process = try run(
        ["edit", "3"], on: demo,
        editor: try editor(
          #"sed -i 's/red rope to/long rope to/' "$1"; echo $$ > "$HOME/editor-id"; "#
            + #"echo "$1" > "$HOME/name"; echo "IT IS SAVED"; exec sleep 60"#))
      try process.expect("IT IS SAVED", timeout: Tool.patience)
      process.signal(number)
      #expect(process.wait(timeout: Tool.patience) == .exited(128 + number))
      #expect(process.terminal.text.contains("kept as a draft"), "\(process.terminal.text)")
      #expect(drafts.count == 1)
      func line(_ name: String) throws -> String {
        try String(contentsOfFile: "\(home.path)/\(name)", encoding: .utf8)
          .trimmingCharacters(in: .whitespacesAndNewlines)
      }
      #expect(!FileManager.default.fileExists(atPath: try line("name")))
      let id = try #require(pid_t(try line("editor-id")))
      for _ in 0..<200 where kill(id, 0) == 0 { usleep(10_000) }
      #expect(kill(id, 0) != 0, "the editor goes on")

      let second = try run(["edit", "3"], on: demo, editor: "true")
      try second.expect("long rope", timeout: Tool.patience)
      second.send("\n")
      #expect(second.wait(timeout: Tool.patience) == .exited(1))
    }

    @Test("a draft that could not be written is not called kept, and its text is in a file")
    func unsaved() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let state = "\(home.path)/.local/state/clanky-cockpit"
      try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(state)/drafts"))
      let process = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/red rope to/long rope to/' "$1""#))
      try process.expect("Send this change? [y/N]", timeout: Tool.patience)
      process.send("n\n")
      #expect(process.wait(timeout: Tool.patience) == .exited(1))
      #expect(!process.terminal.text.contains("draft is kept"), "\(process.terminal.text)")
      let path = try leftFile(process)
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("long rope to"))
    }

    @Test("an older draft is left as it is by an edit that names what it changes")
    func olderDraft() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let first = try run(
        ["edit", "3"], on: demo, editor: try editor(#"sed -i 's/red rope to/long rope to/' "$1""#))
      try first.expect("Send this change? [y/N]", timeout: Tool.patience)
      first.send("\n")
      #expect(first.wait(timeout: Tool.patience) == .exited(1))
      let kept = drafts
      let second = try run(["edit", "3", "--confidence", "0.5"], on: demo)
      #expect(second.wait(timeout: Tool.patience) == .exited(0), "\(second.terminal.text)")
      #expect(second.terminal.text.contains("An older draft of fact 3 is kept"))
      #expect(drafts == kept && kept.count == 1)
    }

    @Test("delete names the fact and asks; only a yes deletes")
    func delete() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let arguments = ["delete", "3", "--guild", "771043920118841344"]
      for (answer, status) in [("n", 1), ("", 1), ("yeah", 1), ("y", 0)] as [(String, Int32)] {
        let process = try run(arguments, on: demo)
        try process.expect("This cannot be undone. [y/N]", timeout: Tool.patience)
        #expect(process.terminal.text.contains("Nadia lent her red rope to tomasz."))
        process.send(answer + "\n")
        #expect(
          process.wait(timeout: Tool.patience) == .exited(status), "\(process.terminal.text)")
        #expect(try (text(of: 3, on: demo) == nil) == (status == 0))
      }
    }

    // MARK: Interrupted

    @Test(
      "interrupted while a change is under way: unknown is said, and the journal has it",
      arguments: ["edit", "delete"])
    func interrupted(verb: String) throws {
      let isOut = Gate()
      let end = Gate()
      defer { end.open() }
      let server = try StubServer { request in
        guard request.method == "GET" else {
          isOut.open()
          _ = end.wait(milliseconds: 60_000)
          return StubReply(isClosed: true)
        }
        switch request.path {
        case "/api/guilds": return .json(#"[{"id":"1","name":"One"}]"#)
        case "/api/memory/subjects": return .json(#"{"guildId":"1","limit":500,"subjects":[]}"#)
        case "/api/memory/facts":
          return .json(
            #"{"guildId":"1","limit":500,"facts":[{"id":5,"guild_id":"1","subject":"__lore__","fact":"old","fact_type":"other","confidence":0.5}]}"#
          )
        default: return .json("{}")
        }
      }
      defer { server.stop() }
      let more = verb == "edit" ? ["--fact", "new"] : ["--yes"]
      let process = try PipedProcess(
        Tool.path, ["facts", verb, "5", "--guild", "1", "--url", server.url] + more,
        environment: Tool.environment(home: home))
      #expect(process.pump { isOut.wait(milliseconds: 20) }, "\(process.errorText)")
      process.signal(SIGINT)
      #expect(process.wait() == .exited(130))
      #expect(process.errorText.contains("its outcome is unknown"), "\(process.errorText)")
      #expect(process.output.isEmpty)
      let journal = try PipedProcess(
        Tool.path, ["facts", "journal", "--json"], environment: Tool.environment(home: home))
      #expect(journal.wait() == .exited(0))
      let lines = try PlainAction.objects(journal.text)
      #expect(lines.count == 1)
      #expect(lines.first?["outcome"] as? String == "sending")
      #expect((lines.first?["before"] as? [String: Any])?["fact"] as? String == "old")
    }
  }
}
