import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A draft outlives whatever ends the program (promise P8).
  @Suite("MEMORY: drafts (promise P8)") struct MemoryDraftTests {
    let home: TemporaryFolder
    let server: FactServer

    init() throws {
      home = try TemporaryFolder()
      server = try FactServer()
    }

    static let mine = "Mira prefers answers in rhyme."

    @Test("a draft is offered again, whatever signal ended the program")
    func signals() throws {
      let first = try FactScreen(server, home: home)
      try first.edit("Mira prefers")
      try first.replace(with: Self.mine)
      first.wait("the draft is on the disk") { first.state.draftText.contains(Self.mine) }
      first.state.expectPrivate()
      var screen = first
      for (number, status) in [
        (SIGKILL, PTYProcess.Status.signaled(SIGKILL)), (SIGTERM, .exited(128 + SIGTERM)),
        (SIGHUP, .exited(128 + SIGHUP)),
      ] {
        screen.cockpit.pty.signal(number)
        #expect(screen.cockpit.pty.wait() == status)
        #expect(screen.state.draftText.contains(Self.mine))
        screen = try FactScreen(server, home: home)
        try screen.edit("Mira prefers")
        try screen.see("the draft", /Your draft from .* is here again.*in rhyme/)
      }
      #expect(server.writes.isEmpty)
      screen.send()
      try screen.seeStored()
      #expect(server.count(.put) == 1)
      screen.wait("the draft is gone") { screen.state.drafts.isEmpty }
    }

    @Test("a draft survives Esc and quitting, and is dropped only when asked for")
    func leaving() throws {
      let first = try FactScreen(server, home: home)
      try first.edit("Mira prefers")
      try first.replace(with: Self.mine)
      try first.close()
      first.type("q")
      #expect(first.cockpit.pty.wait() == .exited(0))
      #expect(first.state.draftText.contains(Self.mine))

      let second = try FactScreen(server, home: home)
      try second.edit("Mira prefers")
      try second.see("the draft") { FactScreen.plain($0).contains(Self.mine) }
      try second.dropDraft()
      second.wait("the draft is gone") { second.state.drafts.isEmpty }
      #expect(server.writes.isEmpty)
    }

    @Test("killed while the request is out: the journal says so, the draft is there")
    func killedWhileSending() throws {
      let gate = Gate()
      server.script(.put, .held(gate))
      let first = try FactScreen(server, home: home)
      try first.correct("Mira prefers", to: Self.mine)
      first.expect(1, .put)
      first.end()
      #expect(first.state.outcomes == ["sending"])
      #expect(first.state.draftText.contains(Self.mine))
      gate.open()

      let second = try FactScreen(server, home: home)
      try second.edit("Mira prefers")
      try second.see("the draft") { FactScreen.plain($0).contains(Self.mine) }
      try second.see("that nobody knows", /draft kept, outcome unknown.*what came of it is unknown/)
      #expect(!second.plain.contains("not sent"))
      try second.close()
      second.type("[[")
      try second.see("the journal", /edit #41 sent, no outcome/)
      #expect(server.count(.put) == 1)
    }

    @Test("a draft that could not be written is said to be in memory only, and is not lost unasked")
    func unsaved() throws {
      let state = FactState(home)
      try FileManager.default.createDirectory(
        atPath: state.folder, withIntermediateDirectories: true)
      try Data().write(to: URL(filePath: "\(state.folder)/drafts"))
      let screen = try FactScreen(server, home: home)
      try screen.edit("Mira prefers")
      try screen.replace(with: Self.mine)
      try screen.see("that it is not kept", /in memory only, not sent/)
      try screen.close()
      screen.type("q")
      try screen.see("the question", /Quitting loses the text.*QUIT, LOSE THE TEXT/)
      screen.type("\r")
      try screen.see("the list") { !$0.contains("LOSE THE TEXT") }
      // A signal asks no question: the text is left where possible.
      screen.cockpit.pty.signal(SIGTERM)
      #expect(screen.cockpit.pty.wait() == .exited(128 + SIGTERM))
      let output = String(decoding: screen.cockpit.pty.output, as: UTF8.self)
      let path = String(
        try #require(output.firstMatch(of: /its text is in (\S+\.txt)/)?.output.1, "\(output)"))
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains(Self.mine))
      #expect(server.writes.isEmpty)
    }

    @Test("two cockpits on one home keep a draft of the same fact each")
    func twoCockpits() throws {
      let (first, second) = (
        try FactScreen(server, home: home), try FactScreen(server, home: home)
      )
      try first.edit("Mira prefers")
      try second.edit("Mira prefers")
      try first.replace(with: Self.mine)
      first.wait("the draft is on the disk") { first.state.draftText.contains(Self.mine) }
      try second.replace(with: "Mira prefers prose.")
      second.wait("both are on the disk") {
        second.state.draftText.contains("Mira prefers prose.")
      }
      #expect(second.state.draftText.contains(Self.mine))
      try second.see("that there are two", /There is another draft of this fact/)
      first.end()
      second.end()
      #expect(first.state.draftText.contains(Self.mine) && first.state.drafts.count == 2)
    }

    @Test("a draft whose fact was changed meanwhile leads to a conflict, not to a PUT")
    func changedMeanwhile() throws {
      let first = try FactScreen(server, home: home)
      try first.edit("Mira prefers")
      try first.replace(with: Self.mine)
      first.wait("the draft is on the disk") { first.state.draftText.contains(Self.mine) }
      first.end()
      server.meanwhile { $0.change(41) { $0.fact = "Mira prefers silence." } }
      let second = try FactScreen(server, home: home)
      try second.edit("Mira prefers")
      second.send()
      try second.see("both texts") {
        let text = FactScreen.plain($0)
        return text.contains("silence") && text.contains("in rhyme")
      }
      #expect(server.writes.isEmpty)
    }

    @Test(
      "a draft whose fact is gone is in the list, can be read and dropped; facts edit prints it")
    func factGone() throws {
      let first = try FactScreen(server, home: home)
      try first.edit("Mira prefers")
      try first.replace(with: Self.mine)
      first.wait("the draft is on the disk") { first.state.draftText.contains(Self.mine) }
      first.end()
      server.meanwhile { $0.remove(41) }
      for arguments in [["--confidence", ".5"], ["--fact", "Something else"]] {
        let command = try PipedProcess(
          Tool.path, ["facts", "edit", "41", "--url", server.url] + arguments,
          environment: Tool.environment(home: home, token: FactServer.token))
        command.wait()
        #expect(command.status == .exited(1))
        #expect(command.errorText.contains("A draft of fact 41 is kept"), "\(command.errorText)")
        #expect(command.errorText.contains(Self.mine) && command.text.isEmpty)
      }
      #expect(first.state.draftText.contains(Self.mine))

      let second = try FactScreen(server, home: home, seeing: "Tobias learns")
      try second.see("the draft") { $0.firstMatch(of: /Mira .*gone/) != nil }
      try second.edit("in rhyme")
      try second.see("the text") { FactScreen.plain($0).contains(Self.mine) }
      second.send()
      try second.see("that it is gone", /GONE: FACT #41/)
      #expect(server.writes.isEmpty && second.state.draftText.contains(Self.mine))
      try second.dropDraft()
      try second.see("the list without it") { !$0.contains("rhyme") && !$0.contains("gone") }
      #expect(second.state.drafts.isEmpty)
    }

    @Test("a draft that cannot be read is put aside, never away")
    func unreadable() throws {
      let state = FactState(home)
      let first = try FactScreen(server, home: home)
      try first.edit("Mira prefers")
      try first.replace(with: Self.mine)
      first.wait("the draft is on the disk") { state.draftText.contains(Self.mine) }
      first.end()
      let name = try #require(state.drafts.first)
      let file = "\(state.folder)/drafts/\(name)"
      try Data("{\"torn".utf8).write(to: URL(filePath: file))
      let second = try FactScreen(server, home: home)
      second.wait("it is aside") {
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(state.folder)/drafts")
        return names?.contains { $0.contains("unreadable") } ?? false
      }
      try second.edit("Mira prefers")
      #expect(server.writes.isEmpty)
    }

    @Test("$EDITOR: what it saved is in the form, and only sending sends")
    func editor() throws {
      let editor = try home.file(
        "editor",
        """
        #!/bin/sh
        for file; do :; done
        ls -l "$file" > "\(home.path)/mode"
        sed 's/concise/no/' "$file" > "$file.new" && cat "$file.new" > "$file" && rm "$file.new"
        """, mode: 0o700)
      let screen = try FactScreen(server, home: home, environment: ["EDITOR": editor])
      try screen.select("Mira prefers")
      screen.type("E")
      try screen.see("the new text in the form") {
        $0.contains("/400") && FactScreen.plain($0).contains("Mira prefers no answers.")
      }
      #expect(
        try String(contentsOfFile: "\(home.path)/mode", encoding: .utf8).hasPrefix("-rw-------"))
      #expect(server.writes.isEmpty)
      screen.send()
      try screen.seeStored()
      #expect(server.fact(41)?.fact == "Mira prefers no answers.")
      #expect(server.count(.put) == 1)
    }
  }
}
