import Foundation
import TerminalTestKit
import Testing

extension TerminalSuite {
  /// A terminal that answers late, when somebody else already waits for keys.
  @Suite("late answers", .serialized) struct AnswerTests {
    private static let answers =
      "\u{1B}]11;rgb:1e1e/1e1e/2e2e\u{1B}\\\u{1B}[?2026;2$y\u{1B}[?62;22c"
    /// Writes what nobody has read, and a word after it.
    private static let rest =
      "stty -icanon -echo min 0 time 3 </dev/tty; od -An -c </dev/tty; echo rest over"

    private func answer(_ process: PTYProcess, after delay: Duration) {
      process.pump(timeout: delay, until: { false })
      process.send(Self.answers)
    }

    /// What the terminal has shown after the alternate screen, up to that word.
    private func unread(_ process: PTYProcess) throws -> String {
      try process.expectBytes("rest over")
      let text = String(decoding: process.output, as: UTF8.self)
      let start = text.range(of: "\u{1B}[?1049l")?.upperBound ?? text.startIndex
      let end = text.range(of: "rest over")?.lowerBound ?? text.endIndex
      return String(text[start..<end])
    }

    @Test("a quit reads the answers that are on the way: none is left for the shell")
    func quitting() throws {
      let shell = try PTYProcess(
        "/bin/sh", ["-c", "\"$1\" facts; \(Self.rest)", "sh", Probe.path],
        environment: Probe.environment())
      try shell.expectBytes("\u{1B}[c")
      shell.send("q")
      answer(shell, after: .milliseconds(60))
      let text = try unread(shell)
      #expect(!text.contains("r g b") && !text.contains("6 2"), "\(text.debugDescription)")
    }

    @Test("so does a suspension")
    func suspending() throws {
      // A shell with job control: without one nothing is stopped.
      let shell = try PTYProcess(
        "/bin/sh", ["-c", "set -m; \"$1\" facts & fg; \(Self.rest)", "sh", Probe.path],
        environment: Probe.environment())
      try shell.expectBytes("\u{1B}[c")
      shell.send("\u{1A}")
      answer(shell, after: .milliseconds(60))
      let text = try unread(shell)
      #expect(!text.contains("r g b") && !text.contains("6 2"), "\(text.debugDescription)")
    }

    @Test("and the pager")
    func paging() throws {
      let script = FileManager.default.temporaryDirectory.appending(path: "pager-\(UUID())")
      defer { try? FileManager.default.removeItem(at: script) }
      try Data("#!/bin/sh\ncat >/dev/null\n\(Self.rest)\n".utf8).write(to: script)
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: script.path)
      let process = try Probe.start(
        ["facts"], environment: Probe.environment(["PAGER": script.path]))
      try process.expectBytes("\u{1B}[c")
      process.send("v")
      answer(process, after: .milliseconds(60))
      let text = try unread(process)
      #expect(!text.contains("r g b") && !text.contains("6 2"), "\(text.debugDescription)")
      try process.expect("paged ended(status: 0)")
      process.send("q")
      #expect(process.wait() == .exited(0))
    }

    @Test("a terminal that answers nothing holds a quit up for less than a fifth of a second")
    func mute() throws {
      let process = try Probe.start(["facts"])
      try process.expectBytes("\u{1B}[c")
      let start = ContinuousClock.now
      process.send("q")
      #expect(process.wait() == .exited(0))
      // 150 ms, and what a busy machine and the last bytes take.
      #expect(ContinuousClock.now - start < .milliseconds(900))
      #expect(!process.isRaw)
    }

    @Test("what is cut after its ESC is no letter, and Escape does not wait")
    func lateSequences() throws {
      let process = try Probe.start()
      for (rest, words) in [("[[D", "key F4"), ("[24~", "key F12"), ("[77;3x", "unknown")] {
        process.send("\u{1B}")
        process.pump(timeout: .milliseconds(400), until: { false })
        try process.expect("key Esc")
        process.send(String(rest.prefix(1)))
        process.pump(timeout: .milliseconds(400), until: { false })
        process.send(String(rest.dropFirst()))
        try process.expect(words)
      }
      process.send("k")
      try process.expect("key k")
      for letter in ["D", "[", "~", "x", "4"] {
        #expect(!process.terminal.text.contains("key \(letter) "), "\(process.terminal.text)")
      }
      process.send("q")
      #expect(process.wait() == .exited(0))
    }
  }
}
