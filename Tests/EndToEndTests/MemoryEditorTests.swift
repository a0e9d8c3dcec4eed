import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A fact in the user's own editor.
  @Suite("MEMORY and $EDITOR (promise P8)") struct MemoryEditorTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func cockpit(_ environment: [String: String]) throws -> Cockpit {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let cockpit = try Cockpit(
        on: demo, home: home, rows: 40, columns: 120, environment: environment)
      try cockpit.type("4", see: "[4 MEMORY]")
      try cockpit.see("facts") { $0.firstMatch(of: /FACT #\d+/) != nil }
      return cockpit
    }

    @Test("E lends the terminal, takes the text over, sends nothing and leaves no file")
    func edits() throws {
      let copy = "\(home.path)/edited"
      let editor = try home.file(
        "editor",
        """
        #!/bin/sh
        stat -c %a "$2" > "\(copy)" 2> /dev/null || stat -f %Lp "$2" > "\(copy)"
        echo "$1 $2" >> "\(copy)"
        echo "EDITOR HAS IT" > /dev/tty
        read -r line
        sed 's/^confidence: .*/confidence: 0.125/' "$2" > "$2.new" && mv "$2.new" "$2"
        """, mode: 0o700)
      let cockpit = try cockpit(["VISUAL": "\(editor) --wait", "EDITOR": "/no/such/editor"])
      try cockpit.type("E", see: "EDITOR HAS IT")
      cockpit.type("\r")
      try cockpit.see("the form with the text") {
        $0.contains("EDIT FACT #") && $0.contains("0.125") && $0.contains("nothing is sent yet")
      }
      let lines = try String(contentsOfFile: copy, encoding: .utf8).split(separator: "\n")
      #expect(lines.first == "600")
      let path = try #require(lines.last?.split(separator: " ").last)
      #expect(lines.last?.hasPrefix("--wait ") == true)
      #expect(!FileManager.default.fileExists(atPath: String(path)))
      cockpit.type("\u{1B}")
      try cockpit.see("the draft in the list") {
        $0.contains("draft") && !$0.contains("EDIT FACT #")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    /// An editor that writes, says so, and then does something else.
    private func writing(_ then: String) throws -> String {
      try home.file(
        "writer",
        """
        #!/bin/sh
        sed 's/^confidence: .*/confidence: 0.125/' "$1" > "$1.new" && cat "$1.new" > "$1"
        rm "$1.new"
        echo "$1" > "$HOME/name"
        echo "IT IS SAVED" > /dev/tty
        \(then)
        """, mode: 0o700)
    }

    private func editedFile() throws -> String {
      try String(contentsOfFile: "\(home.path)/name", encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    @Test("what an editor wrote that then fails stays in its file, which is named")
    func failing() throws {
      let cockpit = try cockpit(["VISUAL": try writing("exit 3")])
      try cockpit.type("E", see: "what you wrote in the editor is in")
      let path = try editedFile()
      defer { try? FileManager.default.removeItem(atPath: path) }
      #expect(cockpit.screen.contains(path))
      #expect(!cockpit.screen.contains("left the text as it was"))
      #expect(try String(contentsOfFile: path, encoding: .utf8).contains("0.125"))
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("EDIT FACT #") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "a signal while the editor has the text: what it saved is a draft",
      arguments: [SIGTERM, SIGHUP])
    func ended(number: Int32) throws {
      let cockpit = try cockpit(["VISUAL": try writing("exec sleep 60")])
      try cockpit.type("E", see: "IT IS SAVED")
      cockpit.pty.signal(number)
      #expect(cockpit.pty.wait(timeout: Tool.patience) == .exited(128 + number))
      #expect(FactState(home).draftText.contains("0.125"))
      let output = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(output.contains("kept as a draft"), "\(output.suffix(300))")
      #expect(!FileManager.default.fileExists(atPath: try editedFile()))
    }

    @Test("what cannot be read is in a file until it can be, however the program ends (promise P8)")
    func unreadable() throws {
      let editor = try home.file(
        "garbling",
        """
        #!/bin/sh
        if [ -e "$HOME/again" ]; then sed -i 1d "$1"; else
        { echo 'words of mine'; cat "$1"; } > "$1.new" && cat "$1.new" > "$1" && rm "$1.new"; fi
        """, mode: 0o700)
      for isMended in [false, true] {
        let cockpit = try cockpit(["VISUAL": editor])
        try cockpit.type("E", see: "what you wrote in the editor is in")
        let line = try #require(cockpit.screen.firstMatch(of: /is in\s+(\S+\.txt)/))
        let path = String(line.output.1)
        defer { try? FileManager.default.removeItem(atPath: path) }
        #expect(try String(contentsOfFile: path, encoding: .utf8).contains("words of mine"))
        if isMended {
          _ = try home.file("again", "")
          try cockpit.type("\u{18}\u{05}", see: "The editor left the text as it was")
          cockpit.type("\u{1B}")
          try cockpit.see("the list") { !$0.contains("EDIT FACT #") }
          cockpit.type("q")
          cockpit.expectEnd(.exited(0))
          #expect(!FileManager.default.fileExists(atPath: path))
        } else {
          cockpit.pty.signal(SIGTERM)
          #expect(cockpit.pty.wait(timeout: Tool.patience) == .exited(143))
          let output = String(decoding: cockpit.pty.output, as: UTF8.self)
          #expect(output.components(separatedBy: path).count > 2, "\(output.suffix(300))")
          #expect(try String(contentsOfFile: path, encoding: .utf8).contains("words of mine"))
        }
      }
    }

    @Test("F10: VISUAL is what a shell makes of it: quotes, options, a path with a blank")
    func quotes() throws {
      let copy = "\(home.path)/words"
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/my editor", withIntermediateDirectories: true)
      let editor = try home.file(
        "my editor/ed",
        """
        #!/bin/sh
        for word; do echo "[$word]"; done > "\(copy)"
        for last; do :; done
        sed 's/^confidence: .*/confidence: 0.125/' "$last" > "$last.new" && mv "$last.new" "$last"
        """, mode: 0o700)
      let cockpit = try cockpit(["VISUAL": "'\(editor)' -w --cmd 'let g:x=1' -a \"\""])
      cockpit.type("E")
      try cockpit.see("the form with the text") {
        $0.contains("EDIT FACT #") && $0.contains("0.125")
      }
      let words = try String(contentsOfFile: copy, encoding: .utf8).split(separator: "\n")
      #expect(words.dropLast() == ["[-w]", "[--cmd]", "[let g:x=1]", "[-a]", "[]"])
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("EDIT FACT #") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("F10: facts edit does the same, and names what it does not find")
    func quotesInTheShell() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      func run(_ visual: String) throws -> PTYProcess {
        try PTYProcess(
          Tool.path,
          ["facts", "edit", "3", "--url", demo.url, "--token-file", demo.tokenFile],
          environment: Tool.environment(home: home, ["VISUAL": visual]), rows: 30, columns: 200)
      }
      let script = #"sh -c 'sed -i "s/red rope to/blue rope to/" "$1"' --"#
      let edited = try run(script)
      try edited.expect("Send this change? [y/N]", timeout: Tool.patience)
      #expect(edited.terminal.text.contains("blue rope to"))
      edited.send("n\n")
      #expect(edited.wait(timeout: Tool.patience) == .exited(1))
      let missing = try run("'/opt/my editor/ed' -w")
      #expect(missing.wait(timeout: Tool.patience) == .exited(1))
      let words =
        "the editor was not found; set VISUAL or EDITOR to one that is installed (VISUAL is '/opt/my editor/ed' -w)"
      #expect(missing.terminal.text.contains(words), "\(missing.terminal.text)")
    }

    @Test("an editor that is not there, or fails, is said and changes nothing")
    func missing() throws {
      let cockpit = try cockpit(["VISUAL": "/no/such/editor"])
      try cockpit.type("E", see: "the editor was not found")
      try cockpit.see("the form as it was") {
        $0.contains("EDIT FACT #") && $0.contains("nothing changed")
      }
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("EDIT FACT #") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
