import Foundation
import TerminalCurses
import TerminalTestKit
import Testing

extension TerminalSuite {
  @Suite(.serialized, .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/less")))
  struct PagerTests {
    @Test("the pager gets the text, clean, and quitting it brings the screen back")
    func pages() throws {
      let process = try Probe.start()
      process.send("v")
      try process.expect("line 1 of the text")
      #expect(!process.terminal.text.contains("PROBE"))
      let escapes = process.output.contains(Array("text \u{1B}[31m".utf8))
      #expect(!escapes, "only plain text reaches the pager")
      process.send("G")
      try process.expect("line 200 of the text")
      process.resize(rows: 30, columns: 100)
      // The pager forgets keys that wait when the size changes: ask until it answers.
      process.pump(timeout: .seconds(5)) {
        process.send("q")
        process.pump(timeout: .milliseconds(200), until: { false })
        return process.terminal.text.contains("paged")
      }
      try process.expect("paged ended(status: 0)")
      let screen = process.terminal
      #expect(screen.line(0).hasPrefix("┌ PROBE ─"))
      #expect(screen.text.contains("meanwhile"), "the main queue went on")
      #expect(process.isRaw)
      try process.expect("size 100x30")
      process.send("k")
      try process.expect("key k")
      #expect(!screen.text.contains("key G"), "keys of the pager are not ours")
      process.send("q")
      #expect(process.wait() == .exited(0))
    }

    @Test("Ctrl-C is the pager's, and nobody is ended two seconds later")
    func interrupts() throws {
      let process = try Probe.start()
      process.send("v")
      try process.expect("line 1 of the text")
      process.send("\u{03}")
      process.pump(timeout: .milliseconds(2600), until: { false })
      // less forgets keys that wait while it handles an interrupt: ask until it answers.
      process.pump(timeout: .seconds(10)) {
        process.send("G")
        process.pump(timeout: .milliseconds(200), until: { false })
        return process.terminal.text.contains("line 200 of the text")
      }
      try process.expect("line 200 of the text")
      process.send("q")
      try process.expect("paged ended")
      process.send("\u{03}")
      try process.expect("key C-c")
      process.signal(SIGINT)  // ours again
      #expect(process.wait() == .exited(130))
      #expect(!process.isRaw)
    }

    @Test("a pager that is not there is told, and one with arguments is taken")
    func other() throws {
      let missing = try Probe.start(environment: Probe.environment(["PAGER": "no-such-pager -x"]))
      missing.send("v")
      try missing.expect("paged ended(status: 127)")
      #expect(missing.terminal.line(0).hasPrefix("┌ PROBE ─"))
      missing.send("q")
      #expect(missing.wait() == .exited(0))

      let tail = try Probe.start(environment: Probe.environment(["PAGER": "tail -n 1"]))
      tail.send("v")
      // It ends at once: what it has printed stays until a key is pressed.
      try tail.expect("any key goes back")
      #expect(tail.terminal.text.contains("line 200 of the text"))
      tail.send("k")
      try tail.expect("paged ended(status: 0)")
      #expect(!tail.terminal.text.contains("key k"))
      #expect(tail.output.contains(Array("line 200 of the text".utf8)))
      #expect(!tail.output.contains(Array("line 199 of the text".utf8)))
    }

    @Test("a signal to end also ends the pager")
    func ending() throws {
      let process = try Probe.start()
      process.send("v")
      try process.expect("line 1 of the text")
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(143))
      #expect(!process.isRaw)
    }
  }
}
