import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A backend full of escape sequences, bidi controls, broken text and odd shapes.
  @Suite("hostile backend") struct HostileTests {
    let home: TemporaryFolder
    let demo: DemoBackend

    init() throws {
      home = try TemporaryFolder()
      demo = try DemoBackend(["--scenario", "hostile", "--rate", "20"], home: home)
    }

    private func run(_ arguments: [String]) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
    }

    @Test(
      "tail lets no byte through that acts on a terminal",
      arguments: ["--plain", "--json", "--raw"])
    func tail(format: String) throws {
      let process = try run(["tail", format])
      let isFull = process.pump { process.lines.count > 100 }
      #expect(isFull, "\(process.lines.count) lines \(process.errorText)")
      process.signal(SIGTERM)
      #expect(process.wait() == .signaled(SIGTERM) || process.status == .exited(143))
      let whole = Array(process.output[...(process.output.lastIndex(of: 0x0A) ?? 0)])
      #expect(ForbiddenBytes.found(in: whole).prefix(5) == [])
      #expect(ForbiddenBytes.found(in: process.errors).prefix(5) == [])
      guard format != "--plain" else { return }
      #expect(whole.allSatisfy { $0 < 0x80 })
      var count = 0
      for line in process.lines {
        // Foundation refuses lone surrogates, which are allowed to come out as escapes.
        let text = line.replacing(/\\\\|\\u[dD][89a-fA-F][0-9a-fA-F]{2}/) {
          $0.0 == #"\\"# ? #"\\"# : "?"
        }
        if (try? JSONSerialization.jsonObject(with: Data(text.utf8))) is [String: Any] {
          count += 1
        }
      }
      #expect(count == process.lines.count, "\(process.lines.count - count) lines are no JSON")
    }

    @Test(
      "snapshot lets none through, at any width",
      arguments: ["pulse", "voice", "brain", "memory", "cmd", "stats"])
    func snapshot(view: String) throws {
      let isLong = ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] != nil
      let sizes = [(1, 1), (80, 24), (300, 100)] + (isLong ? [(20, 8), (120, 40)] : [])
      for (width, height) in sizes {
        let process = try run(
          ["snapshot", "--view", view, "--width", "\(width)", "--height", "\(height)"])
        #expect(process.wait() == .exited(0), "\(process.errorText)")
        #expect(ForbiddenBytes.found(in: process.output).prefix(5) == [])
        #expect(ForbiddenBytes.found(in: process.errors).prefix(5) == [])
        #expect(process.lines.count <= height)
        for line in process.lines {
          let cells = CellWidth.columns(of: line)
          #expect(cells <= width, "\(view) \(width): \(cells) cells: \(line)")
        }
      }
      let json = try run(["snapshot", "--view", view, "--json"])
      #expect(json.wait() == .exited(0), "\(json.errorText)")
      #expect(json.output.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
      #expect(json.lines.count == 1)
    }

    @Test(
      "the cockpit's borders stay straight, and no row acts on the terminal",
      arguments: [(24, 80), (40, 120)])
    func screen(rows: Int, columns: Int) throws {
      let cockpit = try Cockpit(on: demo, home: home, rows: rows, columns: columns)
      try cockpit.see("rows") { $0.firstMatch(of: /ACT \d{2,}/) != nil }
      try expectStraight(cockpit, "feed")
      for page in 1...6 {
        cockpit.type("\u{6}")  // Ctrl-F: a page down
        let before = cockpit.pty.output.count
        cockpit.pty.pump(timeout: .seconds(2)) { cockpit.pty.output.count > before }
        try expectStraight(cockpit, "page \(page)")
      }
      for key in ["\r", "p", "p", "J", "J", "\t"] {
        cockpit.type(key)
        let before = cockpit.pty.output.count
        cockpit.pty.pump(timeout: .seconds(2)) { cockpit.pty.output.count > before }
        try expectStraight(cockpit, "detail, key \(key.debugDescription)")
      }
      for tab in ["2", "3", "4", "5", "1"] {
        try cockpit.type(tab, see: "[\(tab) ")
        try expectStraight(cockpit, "tab \(tab)")
      }
      expectOwnSequencesOnly(cockpit)
      cockpit.type("\u{3}")
      try cockpit.see("no detail") { !$0.contains(" 1/") }
      cockpit.type("\u{3}\u{3}\u{3}")
      cockpit.expectEnd(.exited(0))
    }

    /// Reads until a frame is complete: it ends where the synchronized update, or the wait, ends.
    private func expectStraight(
      _ cockpit: Cockpit, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let isStraight = cockpit.pty.pump(timeout: .seconds(4)) {
        Borders.tears(of: cockpit.pty.terminal).isEmpty
      }
      #expect(
        isStraight, "\(what): \(Borders.tears(of: cockpit.pty.terminal))\n\(cockpit.screen)",
        sourceLocation: sourceLocation)
    }

    /// The title has words of ours and figures, and no string sequence but the program's own is on the terminal.
    private func expectOwnSequencesOnly(_ cockpit: Cockpit) {
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      var strings = Set<String>()
      for match in text.matches(of: /\u{1B}[\]P_^X]([^\u{1B}\u{7}]*)/) {
        strings.insert(String(match.0.dropFirst()))
      }
      let titles = strings.filter {
        $0.wholeMatch(of: /\]2;clanky: [A-Z]+( voice)?( \$[\d.]+)?( !\d+)?/) != nil
      }
      #expect(strings.subtracting(titles) == ["]11;?"], "\(strings)")
      #expect(!cockpit.pty.output.contains([0x07]), "a bell")
      #expect(!text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) }, "C1")
      #expect(
        !text.unicodeScalars.contains {
          (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
            || (0x2028...0x2029).contains($0.value)
        }, "bidi controls or separators")
    }
  }
}
