import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The cockpit on a terminal, with a demo backend of its own: reading, filtering, finding.
  @Suite("cockpit: keys and mouse") struct CockpitReadingTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func demo(_ arguments: [String] = ["--scenario", "quiet"]) throws -> DemoBackend {
      try DemoBackend(arguments, home: home)
    }

    /// How many rows the filter lets through, and of how many: `FILTER 12/220`.
    private func filterCount(_ screen: String) -> (shown: Int, all: Int)? {
      guard let match = screen.firstMatch(of: /FILTER ([\d,]+)\/([\d,]+)/) else { return nil }
      func number(_ text: Substring) -> Int { Int(text.replacing(",", with: "")) ?? -1 }
      return (number(match.1), number(match.2))
    }

    @Test("the first paint: live, figures and rows, and the way out")
    func firstPaint() throws {
      let cockpit = try Cockpit(on: try demo(), home: home)
      try cockpit.see("rows") { $0.contains("[1 PULSE]") && $0.contains("FOLLOW") }
      try cockpit.see("rows of the feed") { $0.firstMatch(of: /ACT \d{2,}/) != nil }
      #expect(cockpit.line(23).contains("? help"))
      let text = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(text.contains("\u{1B}]2;clanky: "))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: "q")
    }

    /// What Dispatch's pool of threads costs once it has been used: a wake-up every second for ever.
    @Test(
      "the first screen is painted once, and nothing but the main thread is left after the start")
    func quietStart() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 120)
      let output = String(decoding: cockpit.pty.output, as: UTF8.self)
      #expect(output.components(separatedBy: "\u{1B}[2J").count <= 2, "the screen is cleared once")
      #expect(!output.contains("\u{1B}[1;24r"), "a scrolling region would outlive the program")
      #if os(Linux)
        let folder = "/proc/\(cockpit.pty.processID)/task"
        func threads() -> Int {
          (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
        }
        // The thread that looked for the token may not have ended yet.
        cockpit.pty.pump(timeout: Tool.patience) { threads() == 1 }
        #expect(threads() == 1)
      #endif
    }

    @Test("help lists the keys, narrows with typing, and goes away")
    func help() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 50, columns: 100)
      try cockpit.type("?", see: "find text, keeping")
      for words in ["PULSE: what the bot does", "this help"] { try cockpit.see(words) }
      for _ in 1...10 { cockpit.type("\u{1B}[6~") }  // page down
      try cockpit.see("suspend; fg comes back")
      cockpit.type("gap")
      try cockpit.see("fewer keys") { $0.contains("next gap") && !$0.contains("suspend; fg") }
      cockpit.type("\u{1B}")
      try cockpit.see("all keys again") { $0.contains("find text, keeping") }
      cockpit.type("\u{1B}")
      try cockpit.see("no help") { !$0.contains("find text, keeping") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("the tabs, by number, by g and by mouse")
    func tabs() throws {
      let cockpit = try Cockpit(on: try demo(), home: home)
      for (key, tab) in [
        ("2", "[2 VOICE]"), ("3", "[3 BRAIN]"), ("4", "[4 MEMORY]"), ("5", "[5 CMD]"),
        ("1", "[1 PULSE]"), ("gv", "[2 VOICE]"), ("gt", "[3 BRAIN]"), ("gT", "[2 VOICE]"),
        ("gp", "[1 PULSE]"),
      ] { try cockpit.type(key, see: tab) }
      try cockpit.click(on: "4 MEMORY")
      try cockpit.see("[4 MEMORY]")
      try cockpit.click(on: "1 PULSE")
      try cockpit.see("[1 PULSE]")
    }

    @Test("filter: what passes, what is wrong with it, and what can follow")
    func filter() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 120)
      try cockpit.type("f", see: "f>")
      cockpit.type("kind:llm_*")
      try cockpit.see("kind:llm_*")
      cockpit.type("\r")
      try cockpit.see("a count") {
        filterCount($0).map { 0 < $0.shown && $0.shown < $0.all } ?? false
      }
      let narrow = try #require(filterCount(cockpit.screen))

      try cockpit.type("\\", see: "FILTER OFF")
      cockpit.type("\\")
      try cockpit.see("the filter again") { filterCount($0)?.shown == narrow.shown }

      // A wrong one is explained and not applied.
      cockpit.type("f")
      cockpit.type("\u{15}kidn:llm")
      try cockpit.see("did you mean kind")
      cockpit.type("\r\u{15}cost>much")
      try cockpit.see("a sentence about the number") {
        $0.contains("cost") && $0.contains("number")
      }
      cockpit.type("\u{1B}")
      try cockpit.see("the old filter") { filterCount($0)?.shown == narrow.shown }

      // Tab completes fields and values.
      cockpit.type("f")
      try cockpit.type("\u{15}ki\t", see: "f> kind:")
      cockpit.type("llm_c\t")
      try cockpit.see("f> kind:llm_call")
      cockpit.type("\r")
      try cockpit.see("fewer rows") { (filterCount($0)?.shown ?? .max) <= narrow.shown }

      // Esc, at the top, takes the filter away.
      cockpit.type("\u{1B}")
      try cockpit.see("no filter") { filterCount($0) == nil && $0.contains("FOLLOW") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("find walks the hits, and & keeps them alone")
    func find() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 120)
      try cockpit.see("LLM_CALL")
      cockpit.type("/opus")
      try cockpit.see("/ opus")
      cockpit.type("\r")
      func selected(_ screen: String) -> String? {
        screen.split(separator: "\n").first { $0.contains("│>") }.map(String.init)
      }
      try cockpit.see("a selected hit") { selected($0)?.contains("opus") ?? false }
      let first = selected(cockpit.screen)
      cockpit.type("n")
      try cockpit.see("an older hit") {
        selected($0).map { $0 != first && $0.contains("opus") } ?? false
      }
      cockpit.type("N")
      try cockpit.see("the newer hit") { selected($0) == first }
      cockpit.type("&")
      try cockpit.see("hits alone") { filterCount($0).map { $0.shown < $0.all } ?? false }
      cockpit.type("\u{1B}")
      try cockpit.see("all rows") { filterCount($0) == nil }
      cockpit.type("/no such words anywhere\r")
      try cockpit.see("no older hit")
    }

    @Test("pause holds the view while rows arrive; F follows again")
    func pause() throws {
      let demo = try demo(["--flood", "5"])
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      // Names of channels come a moment later and change rows that are there.
      try cockpit.see("names") { $0.firstMatch(of: /#[a-z]/) != nil }
      cockpit.type(" ")
      try cockpit.see("a whole frame of the pause") { $0.firstMatch(of: /PAUSED \+[1-9]/) != nil }
      let held = (6..<20).map { cockpit.line($0) }
      try cockpit.see("ten new rows") {
        ($0.firstMatch(of: /PAUSED \+(\d+)/).flatMap { Int($0.1) } ?? 0) >= 10
      }
      // What is on the screen has not moved; a fresh row may have lost its emphasis, not its text.
      #expect((6..<20).map { cockpit.line($0) } == held)
      cockpit.type("F")
      try cockpit.see("following") { $0.contains("FOLLOW") && !$0.contains("PAUSED") }
      try cockpit.see("other rows") { _ in cockpit.line(6) != held[0] }
    }

    @Test("detail, its pages, raw JSON and zoom")
    func detail() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 140)
      cockpit.type("f")
      cockpit.type("kind:llm_call\r")
      try cockpit.see("FILTER")
      cockpit.type("\r")
      try cockpit.see("1/3") { $0.contains(" 1/") }
      cockpit.type("p")
      try cockpit.see("page 2") { $0.contains(" 2/") }
      cockpit.type("p")
      try cockpit.see("page 3") { $0.contains(" 3/") }
      cockpit.type("J")
      try cockpit.see("raw JSON") { $0.contains("\"created_at\"") || $0.contains("\"createdAt\"") }
      cockpit.type("J")
      try cockpit.see("no raw JSON") { !$0.contains("\"created_at\"") }
      // The feed is on the screen beside the detail; zoomed the focused panel is alone.
      cockpit.type("z")
      try cockpit.see("one panel") { $0.contains("LIVE FEED") && !$0.contains(" 3/") }
      cockpit.type("z")
      try cockpit.see("both panels") { $0.contains("LIVE FEED") && $0.contains(" 3/") }
      cockpit.type("q")
      try cockpit.see("no detail") { !$0.contains(" 3/") }
    }

    @Test("]e goes to errors, and says when there is none")
    func errors() throws {
      let failing = try demo(["--scenario", "failing", "--rate", "20"])
      let cockpit = try Cockpit(on: failing, home: home, rows: 40, columns: 120)
      try cockpit.see("an error") { $0.firstMatch(of: /ERR [1-9]/) != nil }
      cockpit.type("]")
      try cockpit.see("] …")
      cockpit.type("e")
      try cockpit.see("a selected row") { $0.contains("│>") }
      cockpit.type("]g")
      try cockpit.see("no older gap")
    }

    @Test("clicks on a chip, a row and a hint; the wheel")
    func mouse() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 140)
      try cockpit.see("chips") { $0.firstMatch(of: /LLM \d\d/) != nil && $0.contains("[ALL]") }
      let chips = try #require((0..<6).first { cockpit.line($0).contains("[ALL]") })
      let column = try #require(cockpit.line(chips).range(of: "LLM")).lowerBound
      let line = cockpit.line(chips)
      cockpit.click(row: chips, column: line.distance(from: line.startIndex, to: column))
      try cockpit.see("[LLM") { $0.contains("[LLM") && filterCount($0) != nil }
      try cockpit.click(on: "[LLM")
      try cockpit.see("[ALL]")

      let feed = try #require(cockpit.find("LIVE FEED")).row
      cockpit.click(row: feed + 4, column: 20)
      try cockpit.see("a selection") { _ in cockpit.line(feed + 4).contains(">") }
      cockpit.click(row: feed + 4, column: 20)
      try cockpit.see("the detail") { $0.contains(" 1/") }
      cockpit.type("q")
      cockpit.type("F")
      try cockpit.see("FOLLOW")

      let top = cockpit.line(feed + 1)
      cockpit.type("\u{1B}[<65;20;\(feed + 5)M")
      try cockpit.see("older rows") { _ in cockpit.line(feed + 1) != top }
      cockpit.type("\u{1B}[<64;20;\(feed + 5)M")
      try cockpit.see("the newest row") { _ in cockpit.line(feed + 1) == top }

      try cockpit.click(on: "? help")
      try cockpit.see("find text, keeping")
    }

    @Test("a paste is text, never keys")
    func paste() throws {
      let cockpit = try Cockpit(on: try demo(), home: home, rows: 40, columns: 120)
      try cockpit.see("LIVE FEED")
      cockpit.type("\u{1B}[200~q2?\r\u{3}\u{1B}[201~")
      try cockpit.see("a paste is text")
      #expect(cockpit.screen.contains("[1 PULSE]"))
      cockpit.type("f")
      try cockpit.see("f>")
      cockpit.type("\u{1B}[200~kind:llm_call\nuser:x\u{1B}[201~")
      try cockpit.see("f> kind:llm_call user:x")
      #expect(filterCount(cockpit.screen) == nil, "a pasted line end applies nothing")
      cockpit.type("\u{1B}")
      try cockpit.see("f filter")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("every size is drawn, and 1x1 does no harm")
    func resize() throws {
      let cockpit = try Cockpit(on: try demo(), home: home)
      func expectFilled(_ rows: Int, _ columns: Int) throws {
        cockpit.pty.resize(rows: rows, columns: columns)
        try cockpit.see("\(columns)x\(rows)") { screen in
          guard rows >= 10 else { return cockpit.line(0).count <= columns }
          // The clock stands at the right end of the first line, the hints on the last line.
          let header = cockpit.line(0)
          return header.contains("PULSE") && header.firstMatch(of: /\d\d:\d\d:\d\d$/) != nil
            && CellWidth.columns(of: header) == columns - 1
            && (rows < 12 || cockpit.line(rows - 1).contains("help"))
        }
      }
      try expectFilled(60, 200)
      try expectFilled(10, 40)
      cockpit.pty.resize(rows: 1, columns: 1)
      let before = cockpit.pty.output.count
      cockpit.pty.pump(timeout: .seconds(5)) { cockpit.pty.output.count > before }
      for (rows, columns) in [(3, 7), (1, 200), (100, 1), (50, 132)] {
        cockpit.pty.resize(rows: rows, columns: columns)
      }
      try expectFilled(24, 80)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test(
      "the recorded backend is live on the screen",
      .enabled(if: Captures.areThere, "\(Captures.absence)"))
    func recordings() throws {
      let server = try CaptureServer()
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: Captures.token, rows: 40, columns: 140)
      try cockpit.see("live") { _ in cockpit.isLive }
      // The two recordings are of different minutes: 28 stored rows, 295 and 200 live ones.
      try cockpit.see("all rows") { $0.contains("523 rows") }
      for stream in ["activity", "voice"] {
        #expect(server.server.requests(for: "/api/\(stream)/events").count == 1)
      }
      for key in ["2", "3", "4", "5", "1"] { try cockpit.type(key, see: "[\(key) ") }
      #expect(!cockpit.screen.contains("could not be read"))
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(
        server.server.requests.allSatisfy { $0.headers["x-dashboard-token"] == Captures.token })
    }
  }
}
