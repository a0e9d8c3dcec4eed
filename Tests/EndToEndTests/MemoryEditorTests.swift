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
