import TerminalUI
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct VerbOutputTests {
  private let size = Size(width: 80, height: 24)

  private func shell(_ fixture: inout Fixture, size: Size, _ line: String = "status")
    -> CockpitShell
  {
    var shell = CockpitShell.withVerbs(size: size)
    _ = shell.line(line, &fixture)
    return shell
  }

  private func text(_ shell: inout CockpitShell, _ fixture: inout Fixture, _ size: Size) -> String {
    let facts = fixture.facts()
    _ = shell.update(facts, size: size)
    return shell.render(facts, size: size).canvas.text
  }

  @Test("it runs, and shows what was said without another key")
  func shows() {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    #expect(text(&shell, &fixture, size).contains("RUNNING"))
    shell.verbEnded(["status"], output: Array("LIVE  3 actions\n".utf8), end: .exited(0))
    let screen = text(&shell, &fixture, size)
    #expect(screen.contains("LIVE  3 actions"))
    #expect(screen.contains("done"))
    shell.type("Esc", &fixture)
    #expect(shell.overlay == nil)
  }

  @Test("an answer to a run that was closed is not shown")
  func late() {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    #expect(shell.send(.key(.escape, []), &fixture) == [.cancelVerb])
    shell.verbEnded(["status"], output: Array("late".utf8), end: .exited(0))
    #expect(shell.overlay == nil)
    _ = shell.line("status --json", &fixture)
    shell.verbEnded(["status"], output: Array("late".utf8), end: .exited(0))
    #expect(text(&shell, &fixture, size).contains("RUNNING"))
  }

  @Test("a colon begins the next line; while it runs it does nothing")
  func colon() {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    shell.type(":", &fixture)
    #expect(text(&shell, &fixture, size).contains("RUNNING"))
    shell.verbEnded(["status"], output: Array("LIVE".utf8), end: .exited(0))
    #expect(text(&shell, &fixture, size).contains(": next verb"))
    shell.type(":", &fixture)
    #expect(shell.overlay == nil)
    #expect(shell.commandLine != nil)
  }

  @Test("C-c ends it and stays, a second one closes")
  func interrupt() {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    #expect(shell.send(.key(.char("c"), .ctrl), &fixture) == [.cancelVerb])
    shell.verbEnded(["status"], output: Array("half".utf8), end: .cancelled)
    #expect(text(&shell, &fixture, size).contains("cancelled"))
    #expect(shell.send(.key(.char("c"), .ctrl), &fixture) == [])
    #expect(shell.overlay == nil)
  }

  @Test("ends are told in words")
  func ends() {
    for (end, words): (VerbOutput.End, String) in [
      (.exited(3), "exit 3"), (.timedOut(seconds: 20), "20 s"),
      (.tooMuch(limit: 1 << 20), "1.0 MB"),
    ] {
      var fixture = Fixture()
      var shell = shell(&fixture, size: size)
      shell.verbEnded(["status"], output: Array("some words".utf8), end: end)
      #expect(text(&shell, &fixture, size).contains(words), "\(end)")
    }
  }

  @Test("it scrolls, wraps and copies the whole text")
  func scrolls() {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    let lines = (1...200).map { "line \($0) " + String(repeating: "x", count: 100) }
    shell.verbEnded(["status"], output: Array(lines.joined(separator: "\n").utf8), end: .exited(0))
    #expect(text(&shell, &fixture, size).contains("line 1 "))
    shell.type("G", &fixture)
    #expect(text(&shell, &fixture, size).contains("line 200 "))
    shell.type("g w", &fixture)
    #expect(text(&shell, &fixture, size).contains("line 15 "))
    shell.type("l l l l l l l l", &fixture)
    #expect(!text(&shell, &fixture, size).contains("line 1 "))
    let effects = shell.send(.key(.char("y"), []), &fixture)
    #expect(effects == [.copy(text: lines.joined(separator: "\n") + "\n", what: "what it said")])
  }

  nonisolated static let sizes = [
    Size(width: 80, height: 24), Size(width: 120, height: 40), Size(width: 200, height: 60),
    Size(width: 40, height: 10),
  ]

  @Test("hostile output is drawn as text", arguments: sizes.ends)
  func hostile(size: Size) throws {
    var fixture = Fixture()
    var shell = shell(&fixture, size: size)
    let bytes: [UInt8] =
      Array("one \u{1B}[31mred\u{1B}]0;title\u{7} \u{202E}back 作者 👩‍👩‍👧\r\n\ttab\n".utf8)
      + [0xFF, 0xC3, 0x28, 0x9B, 0x41, 0x0A] + Array(String(repeating: "long ", count: 80).utf8)
    shell.verbEnded(["status"], output: bytes, end: .exited(1))
    _ = shell.update(fixture.facts(), size: size)
    try expectGolden(
      shell.render(fixture.facts(), size: size).canvas,
      "verb-output-hostile-\(size.width)x\(size.height)")
  }
}
