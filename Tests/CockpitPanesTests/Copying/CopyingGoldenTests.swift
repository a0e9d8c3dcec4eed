import TerminalUI
import TerminalCore
import TerminalTestKit
import Testing

@testable import CockpitPanes
@testable import CockpitShell

@MainActor
@Suite struct CopyingGoldenTests {
  private func golden(_ keys: String, _ name: String, _ fixture: inout Fixture, _ size: Size) throws
  {
    var shell = CockpitShell(size: size)
    shell.type(keys, &fixture)
    let facts = fixture.facts(query: shell.pulse.feedQuery)
    try expectGolden(
      shell.render(facts, size: size).canvas, "\(name)-\(size.width)x\(size.height)")
  }

  @Test("the copy menu at two sizes", arguments: PulseGoldenTests.sizes.ends)
  func menu(size: Size) throws {
    var fixture = Fixture()
    try golden("j j j j y Down", "copy", &fixture, size)
  }

  @Test("a hostile row in the copy menu, and links that are too long for a line")
  func hostile() throws {
    let size = Size(width: 80, height: 24)
    let path = String(repeating: "very/long/", count: 20)
    var fixture = Fixture(rows: [
      Fixture.row(
        1, "14:32:00", "sent_reply",
        content:
          "\u{1B}]52;c;eA==\u{07}\u{202E}\u{9B}31m https://example.org/\(path)é http://10.0.0.1/x")
    ])
    try golden("y", "copy-hostile", &fixture, size)
    try golden("o j", "links", &fixture, size)
    try golden("o j", "links", &fixture, Size(width: 40, height: 10))
  }
}
