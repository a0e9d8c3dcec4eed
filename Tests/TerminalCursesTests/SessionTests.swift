import Foundation
import TerminalCurses
import TerminalTestKit
import Testing

/// Everything that uses a terminal runs one test at a time.
@Suite(.serialized) enum TerminalSuite {}

extension TerminalSuite {
  @Suite(.serialized) struct SessionTests {
    @Test("keys, paste, mouse and focus arrive")
    func input() throws {
      let process = try Probe.start()
      process.send("k")
      try process.expect("key k")
      process.send("\u{1B}[A")
      try process.expect("key Up")
      process.send("\u{1B}")
      try process.expect("key Esc")
      process.send("\u{1B}[200~two\rlines q\u{1B}[201~")
      try process.expect("paste two⏎lines q")
      process.send("\u{1B}[<0;5;7M")
      try process.expect("mouse down(0) 4 6")
      process.send("\u{1B}[I")
      try process.expect("focus in")
      process.send("é世")
      try process.expect("key 世")
      process.send("q")
      #expect(process.wait() == .exited(0))
    }

    @Test("the first frame comes without anything, and idle is silent")
    func idle() throws {
      let process = try Probe.start()
      process.pump(timeout: .milliseconds(200), until: { false })
      let count = process.output.count
      process.pump(timeout: .milliseconds(500), until: { false })
      #expect(process.output.count == count)
    }

    @Test("a storm of sizes, with nothing and almost nothing among them")
    func resizes() throws {
      let process = try Probe.start()
      for (rows, columns) in [(1, 1), (0, 0), (2, 2), (3, 200), (100, 1), (0, 50), (1000, 1000)] {
        process.resize(rows: rows, columns: columns)
        process.pump(timeout: .milliseconds(30), until: { false })
      }
      for step in 0..<50 { process.resize(rows: 10 + step % 17, columns: 20 + step * 3) }
      process.resize(rows: 30, columns: 100)
      let isWhole = process.pump {
        let terminal = process.terminal
        return terminal.text.contains("size 100x30") && terminal.line(0).hasPrefix("┌ PROBE ─")
          && terminal.line(0).hasSuffix("┐") && terminal.line(29).hasSuffix("┘")
      }
      #expect(isWhole, "\(process.terminal.text)")
      process.send("q")
      #expect(process.wait() == .exited(0))
    }

    @Test("tiny terminals from the start", arguments: [(0, 0), (1, 1), (1, 80), (2, 2)])
    func tiny(rows: Int, columns: Int) throws {
      let process = try PTYProcess(
        Probe.path, environment: Probe.environment(), rows: rows, columns: columns)
      try process.expectBytes("\u{1B}[?2004h")
      process.send("jq")
      #expect(process.wait() == .exited(0))
      #expect(!process.isRaw)
    }

    @Test("the terminal is asked, answers are never keys, and frames are bracketed if it can")
    func facts() throws {
      let process = try Probe.start(["facts"])
      try process.expectBytes("\u{1B}[c")
      process.send("\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c")
      try process.expect("facts 1e1e2e sync 1")
      #expect(!process.terminal.text.contains("key"))
      let count = process.output.count
      process.send("k")
      try process.expect("key k")
      let frame = Array(process.output[count...])
      #expect(frame.starts(with: Array("\u{1B}[?2026h".utf8)))
      #expect(frame.contains(Array("\u{1B}[?2026l".utf8)))

      let mute = try Probe.start(["facts"])
      try mute.expect("facts none sync 0", timeout: .seconds(2))
      // Late, and in pieces: still no key.
      mute.send("\u{1B}]11;rgb:")
      mute.pump(timeout: .milliseconds(80), until: { false })
      mute.send("00/00/00\u{07}")
      try mute.expect("reply")
      #expect(!mute.terminal.text.contains("key"))
    }

    @Test("titles, copies and notifications cannot be broken out of")
    func outside() throws {
      let process = try Probe.start()
      process.send("t")
      try process.expectBytes("\u{1B}[22;2t\u{1B}]2;probe #2\u{1B}\\")
      process.send("c")
      try process.expectBytes("\u{1B}]52;c;aGVsbG8b\u{1B}\\")
      process.send("n")
      try process.expectBytes("\u{1B}]777;notify;a,b\u{FFFD};c\u{FFFD}d\u{1B}\\")
      process.send("m")
      try process.expectBytes("\u{1B}[?1006l\u{1B}[?1002l")
      process.send("q")
      #expect(process.wait() == .exited(0))
      #expect(process.output.contains(Array("\u{1B}[23;2t".utf8)))

      let tmux = try Probe.start(environment: Probe.environment(["TMUX": "/tmp/x,1,0"]))
      tmux.send("c")
      try tmux.expectBytes("\u{1B}Ptmux;\u{1B}\u{1B}]52;c;aGVsbG8b\u{1B}\u{1B}\\\u{1B}\\")
    }

    @Test(
      "every colour depth shows the same text",
      arguments: [
        ("vt100", [:]), ("linux", [:]), ("xterm", [:]), ("xterm-16color", [:]),
        ("xterm-256color", [:]), ("xterm-256color", ["COLORTERM": "truecolor"]),
        ("tmux-256color", ["COLORTERM": "truecolor"]), ("xterm-256color", ["NO_COLOR": "1"]),
        ("screen", ["LANG": "C"]),
      ])
    func depths(term: String, more: [String: String]) throws {
      let process = try Probe.start(environment: Probe.environment(more, term: term))
      for _ in 0..<5 { process.send("p") }
      process.send("世k")
      try process.expect("key k")
      let text = String(decoding: process.output, as: UTF8.self)
      #expect(process.terminal.line(0).contains(" PROBE "))
      #expect(text.contains("38;2;") == (more["COLORTERM"] != nil))
      if more["NO_COLOR"] != nil {
        #expect(text.firstMatch(of: /\[([0-9]+;)*[349][0-9](;[0-9]+)*m/) == nil)
      }
      process.send("q")
      #expect(process.wait() == .exited(0))
    }

    @Test(
      "F04: no terminal gets what it is not known to take",
      arguments: [
        ("screen", ["STY": "1.x"], ["38;2;", "48;2;", "$p", "777;"]),
        ("screen.xterm-256color", [:], ["38;2;", "48;2;", "$p", "777;"]),
        ("xterm-mono", [:], ["38;2;", "38;5;", "48;"]),
        (
          "linux", [:],
          ["38;2;", "]", "?1004h", "?2004h", "?1002h", "?1006h", "?2031h", "[c", "22;2t"]
        ),
        ("vt220", [:], ["38;", "]", "?1004h", "?2004h", "?1002h", "[c"]),
        ("eterm-color", [:], ["]", "?1004h", "?2004h", "?1002h", "[c", "?5h"]),
        ("rxvt", [:], ["38;2;", "?1002h", "?2004h", "$p", "]52", "]777"]),
        ("xterm-256color", ["TERM_PROGRAM": "Apple_Terminal"], ["38;2;", "$p", "]52", "]777"]),
      ] as [(String, [String: String], [String])])
    @MainActor func kinds(term: String, more: [String: String], never: [String]) throws {
      guard CursesScreen.isKnown(term) else { return }
      let environment = Probe.environment(
        more.merging(["COLORTERM": "truecolor"]) { $1 }, term: term)
      let process = try Probe.start(["facts"], environment: environment)
      // Title, copy, notification, flash, all themes.
      for key in "tcnlpppp" { process.send(String(key)) }
      process.send("k")
      try process.expect("key k")
      process.send("q")
      #expect(process.wait() == .exited(0))
      let text = String(decoding: process.output, as: UTF8.self)
      for sequence in never {
        let escaped = sequence.hasPrefix("]") || sequence.hasPrefix("[") || sequence.hasPrefix("?")
        let bytes = sequence.hasPrefix("?") ? "\u{1B}[" + sequence : "\u{1B}" + sequence
        #expect(!text.contains(escaped ? bytes : sequence), "\(term) \(sequence.debugDescription)")
      }
      #expect(!process.isRaw)
    }

    @Test("F04: a copy gets through screen in pieces that it can hold")
    func throughScreen() throws {
      let process = try Probe.start(environment: Probe.environment(["STY": "1.x"], term: "screen"))
      process.send("c")
      try process.expectBytes("\u{1B}P\u{1B}]52;c;aGVsbG8b\u{07}\u{1B}\\")
      process.send("n")
      try process.expectBytes("\u{07}")
      #expect(!process.output.contains(Array("]777".utf8)))
      process.send("q")
      #expect(process.wait() == .exited(0))
    }
  }
}
