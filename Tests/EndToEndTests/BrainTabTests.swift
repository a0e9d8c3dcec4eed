import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The BRAIN tab on a terminal: prompts and their versions, the pager, calls, facts.
  @Suite("BRAIN") struct BrainTabTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// BRAIN of a session that answers.
    private func cockpit(
      rows: Int = 40, columns: Int = 120, environment: [String: String] = [:]
    ) throws -> (cockpit: Cockpit, demo: DemoBackend) {
      let demo = try DemoBackend(["--scenario", "quiet", "--rate", "6"], home: home)
      try demo.joinVoice()
      let cockpit = try Cockpit(
        on: demo, home: home, rows: rows, columns: columns, environment: environment)
      try cockpit.type("3", see: "[3 BRAIN]")
      if rows > 10 {
        try cockpit.see("a prompt") { $0.contains("SYSTEM") && $0.contains("USER") }
      }
      return (cockpit, demo)
    }

    @Test("versions of a prompt: what changed, the older ones, words in it")
    func prompts() throws {
      let (cockpit, demo) = try cockpit()
      try cockpit.see("two versions") {
        $0.firstMatch(of: /PROMPT {2}GENERATION ─+ answer .* v(\d+)/).map { (Int($0.1) ?? 0) >= 2 }
          ?? false
      }
      cockpit.type("=")
      try cockpit.see("what changed") {
        $0.firstMatch(of: /[+-]\d+ characters since v\d+/) != nil && $0.contains("@@")
          && $0.contains("+ Incoming speech:") && $0.contains("- Incoming speech:")
      }
      cockpit.type("=")
      try cockpit.see("the text again") { !$0.contains("@@") }

      cockpit.type("/")
      cockpit.type("conversation so far\r")
      try cockpit.see("the hit, unfolded") { $0.contains("Conversation so far:") }
      cockpit.type("h")
      try cockpit.see("an older version") { $0.firstMatch(of: /v\d+ of \d+|v\d+\/\d+/) != nil }
      cockpit.type("F")
      cockpit.type("]]")
      try cockpit.see("the next prompt") { $0.contains("[bridge]") }
      cockpit.type("[[[[")
      try cockpit.see("the one before") { $0.contains("[classifier]") }
      try cockpit.click(on: "instructions")
      try cockpit.see("[instructions]")
      try demo.disableVoice()
      // BRAIN goes on with the newest answer.
      try cockpit.type("2", see: "no voice session is live")
      cockpit.type("1")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("o gives the prompt to $PAGER, Ctrl-C is the pager's, and the screen comes back")
    func pager() throws {
      let copy = "\(home.path)/paged.txt"
      let pager = try home.file(
        "pager",
        """
        #!/bin/sh
        trap 'echo INTERRUPTED > /dev/tty' INT
        cat > "\(copy)"
        echo >> "\(copy).count"
        echo "PAGER HAS IT $(wc -l < "\(copy).count")" > /dev/tty
        until read -r line < /dev/tty; do :; done
        """, mode: 0o700)
      let (cockpit, demo) = try cockpit(environment: ["PAGER": pager])
      // The newest prompt may give way to one without words of a user before "o" arrives.
      var text = ""
      for turn in 1...10 where !text.contains("Incoming speech:") {
        if turn > 1 { cockpit.type("\r") }
        try cockpit.see("the prompt of a turn") {
          $0.contains("[3 BRAIN]") && $0.contains("Incoming speech:")
        }
        try cockpit.type("o", see: "PAGER HAS IT \(turn)")
        text = try String(contentsOfFile: copy, encoding: .utf8)
      }
      #expect(text.contains("===== SYSTEM "))
      #expect(text.contains("===== USER "))
      #expect(text.contains("Incoming speech:"))
      #expect(ForbiddenBytes.found(in: Array(text.utf8)) == [])
      let paints = cockpit.pty.output.count
      try cockpit.type("\u{3}", see: "INTERRUPTED")
      // Events went on arriving and nothing of them was drawn over the pager.
      let added = String(decoding: cockpit.pty.output[paints...], as: UTF8.self)
      #expect(!added.contains("LLM CALLS"))
      // A pager that ends sooner than anybody reads leaves its text (F11).
      cockpit.pty.pump(timeout: .milliseconds(500)) { false }
      cockpit.type("\r")
      try cockpit.see("the cockpit again") {
        $0.contains("[3 BRAIN]") && $0.contains("LLM CALLS") && !$0.contains("PAGER HAS IT")
          && cockpit.isLive && cockpit.pty.isRaw
      }
      // It still hears.
      try cockpit.type("2", see: "[2 VOICE]")
      try demo.disableVoice()
      try cockpit.see("the end of the session") { $0.contains("no voice session is live") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("F11: what a pager that ends at once has printed can be read, until a key is pressed")
    func briefPager() throws {
      let (cockpit, _) = try cockpit(environment: ["PAGER": "head -n 3 | sed 's/^/SEEN /'"])
      try cockpit.see("GENERATION CONTEXT")
      cockpit.type("o")
      try cockpit.see("the text and how to go back") {
        $0.contains("SEEN =====") && $0.contains("any key goes back to clanky-cockpit")
          && !$0.contains("LLM CALLS")
      }
      #expect(cockpit.pty.isRaw)
      // Nothing is drawn over it while rows go on arriving.
      cockpit.pty.pump(timeout: .milliseconds(1500)) { false }
      #expect(cockpit.screen.contains("SEEN ====="))
      cockpit.type("x")
      try cockpit.see("the cockpit again") {
        $0.contains("[3 BRAIN]") && $0.contains("LLM CALLS") && !$0.contains("SEEN")
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "F11: less that does not wait, as some shells set it",
      .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less")))
    func less() throws {
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let cockpit = try Cockpit(
        on: demo, home: home, rows: 40, columns: 120, environment: ["LESS": "-FRX"])
      try cockpit.type("4", see: "[4 MEMORY]")
      try cockpit.see("facts") { $0.firstMatch(of: /FACT #\d+/) != nil }
      cockpit.type("o")
      try cockpit.see("the text") {
        $0.contains("any key goes back") && !$0.contains("[4 MEMORY]")
      }
      // The end while it waits gives the terminal back too.
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
    }

    @Test("a pager that is not there is said in words")
    func missingPager() throws {
      let (cockpit, _) = try cockpit(environment: ["PAGER": "/no/such/pager"])
      cockpit.type("o")
      try cockpit.see("the pager was not found")
      try cockpit.see("the screen") { $0.contains("[3 BRAIN]") && $0.contains("LLM CALLS") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("Enter on a fact goes to MEMORY")
    func facts() throws {
      let (cockpit, _) = try cockpit()
      try cockpit.see("facts") { $0.firstMatch(of: /FACTS USED [1-9]/) != nil }
      let facts = try #require(cockpit.find("FACTS USED"))
      cockpit.click(row: facts.row + 1, column: facts.column + 4)
      try cockpit.see("their keys") { $0.contains("Enter") }
      cockpit.type("\r")
      try cockpit.see("[4 MEMORY]")
      try cockpit.type("3", see: "[3 BRAIN]")
      cockpit.type("q")
    }

    @Test("calls: sorted, by model, opened, and how an answer came about")
    func calls() throws {
      let (cockpit, _) = try cockpit()
      try cockpit.see("calls") { $0.firstMatch(of: /LLM CALLS [3-9]/) != nil }
      for order in ["sort cost", "sort tokens", "sort model", "by model", "sort time"] {
        try cockpit.type("O", see: order)
      }
      try cockpit.see("a chain") {
        $0.firstMatch(of: /TOOL CHAIN ─+ answer/) != nil
          && $0.firstMatch(of: /\d+ llm \d+ tools?/) != nil
      }
      cockpit.type("j")
      cockpit.type("\r")
      try cockpit.see("the call") { $0.contains("PROVIDER") && $0.contains("TOKENS") }
      cockpit.type("q")
      try cockpit.see("the prompt again") { $0.contains("[generation]") || $0.contains("[call]") }
      cockpit.type("}")
      cockpit.type("{")
      try cockpit.see("the chain of a turn") {
        $0.firstMatch(of: /TOOL CHAIN ─+ (answer|silence)/) != nil
      }
    }

    @Test(
      "every size has calls and prompts or says which of its panels it shows",
      arguments: [
        (80, 24), (200, 60), (40, 10),
      ])
    func sizes(columns: Int, rows: Int) throws {
      let (cockpit, _) = try cockpit(rows: rows, columns: columns)
      try cockpit.see("calls") { $0.firstMatch(of: /LLM CALLS [1-9]/) != nil }
      for row in 0..<rows {
        #expect(CellWidth.columns(of: cockpit.line(row)) <= columns, "\(cockpit.line(row))")
      }
      if rows >= 24 {
        #expect(cockpit.screen.contains("PROMPT"))
        #expect(cockpit.screen.contains("CONTEXT BUDGET"))
      } else {
        #expect(cockpit.screen.contains(" 1/6 "))
        cockpit.type("\t")
        try cockpit.see("the next panel") { $0.contains("2/6") }
      }
    }
  }
}
