import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The cockpit for screen readers and dumb terminals.
  @Suite("linear mode") struct LinearTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func start(
      _ arguments: [String], term: String = "dumb", locale: String = "C.UTF-8"
    ) throws -> PTYProcess {
      try PTYProcess(
        Tool.path, arguments,
        environment: Tool.environment(home: home, term: term, ["LANG": locale]), rows: 500,
        columns: 300)
    }

    /// With plain line feeds: a carriage return and a line feed are one `Character`.
    private func text(_ process: PTYProcess) -> String {
      String(decoding: process.output.filter { $0 != 0x0D }, as: UTF8.self)
    }

    private func see(
      _ what: String, _ process: PTYProcess, where isThere: (String) -> Bool
    ) throws {
      guard !process.pump(timeout: Tool.patience, until: { isThere(text(process)) }) else { return }
      throw PTYProcess.Failure.timeout(waitingFor: what, screen: text(process))
    }

    private func see(_ words: String, _ process: PTYProcess) throws {
      try see(words, process) { $0.contains(words) }
    }

    /// Nothing that acts on a terminal: no escape sequence, no cursor movement.
    private func expectPlain(
      _ process: PTYProcess, sourceLocation: SourceLocation = #_sourceLocation
    ) {
      let bad = process.output.filter { $0 < 0x20 && $0 != 0x0A && $0 != 0x0D || $0 == 0x7F }
      #expect(bad.isEmpty, "\(bad)", sourceLocation: sourceLocation)
    }

    @Test("a dumb terminal gets sentences, answers to typed lines, and no escape sequence")
    func session() throws {
      let process = try start(["--demo"])
      try see("actions are known. The newest:", process)
      try see("a live sentence", process) {
        $0.firstMatch(of: /\n\d\d:\d\d:\d\d [a-z][a-z0-9 ]+, .*\.\n/) != nil
      }
      process.send("s\n")
      try see("cost today, UTC, $", process)
      process.send("w\n")
      try see("a verdict", process) { $0.contains("came in ") && $0.contains("\nNext: ") }
      process.send("f kind:llm_*\n")
      try see("Only what matches is told: kind:llm_*", process)
      process.send("facts list --limit 1\n")
      try see("a fact", process) { $0.firstMatch(of: /\n\d+  .*  \.\d\d  20\d\d-/) != nil }
      process.send("fackts\n")
      try see("did you mean facts?", process)
      process.send("q\n")
      #expect(process.wait(timeout: Tool.patience) == .exited(0))
      expectPlain(process)
    }

    @Test("a flood becomes a sentence that sums it up; strangers' text stays text")
    func flood() throws {
      let demo = try DemoBackend(
        ["--scenario", "hostile", "--flood", "200", "--open-access"], home: home)
      let process = try start(
        ["--linear", "--url", demo.url], term: "xterm-256color", locale: "C")
      try see("a summary", process) { $0.firstMatch(of: /\d+ more actions in 10 s/) != nil }
      let lines = text(process).split(whereSeparator: \.isNewline).count
      #expect(lines < 200, "\(lines) lines")
      #expect(process.output.allSatisfy { $0 < 0x80 }, "ASCII alone in the C locale")
      process.signal(SIGTERM)
      #expect(process.wait(timeout: Tool.patience) == .exited(143))
      expectPlain(process)
      demo.stop()
    }

    @Test("signals end it with their code", arguments: [SIGINT, SIGHUP])
    func signals(number: Int32) throws {
      let process = try start(["--demo", "quiet", "--linear"])
      try see("actions are known", process)
      process.signal(number)
      #expect(process.wait(timeout: Tool.patience) == .exited(128 + number))
    }

    @Test("it speaks into a pipe, too, and a closed stdin does not end it")
    func pipe() throws {
      let process = try PipedProcess(
        Tool.path, ["--linear", "--demo"], environment: Tool.environment(home: home))
      #expect(process.pump(until: { process.text.contains("The newest:") }))
      process.signal(SIGTERM)
      #expect(process.wait() == .exited(143))
      #expect(!process.text.contains("\u{1B}"))
      #expect(!process.text.contains("Type h"))
    }
  }
}
