import TerminalUI
import Foundation
import TerminalCore
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// Rows of the feed at 80 columns, and what the search in them says.
@MainActor
@Suite struct NarrowRowTests {
  private let size = Size(width: 80, height: 24)

  private func lines(_ shell: CockpitShell, _ fixture: inout Fixture) -> [String] {
    let canvas = shell.render(fixture.facts(query: shell.pulse.feedQuery), size: size).canvas
    return (0..<size.height).map { canvas.text(row: $0) }
  }

  @Test(
    "H9: words run on over the duration and the cost that a row has not; the columns of others stay"
  )
  func words() throws {
    let words = "the quick brown fox jumps over the lazy dog and comes back for the bone it left"
    var fixture = Fixture(rows: [
      Fixture.row(1, "14:32:08.120", "sent_message", content: words),
      Fixture.row(2, "14:32:07.120", "search_call", content: words, cost: 0.0084),
    ])
    let shell = CockpitShell(size: size)
    let rows = lines(shell, &fixture)
    let free = try #require(rows.first { $0.contains("SENT_MESSAGE") })
    let shown = (0...words.count).last { free.contains(words.prefix($0)) } ?? 0
    #expect(shown >= 30, "\(shown): \(free)")
    let priced = try #require(rows.first { $0.contains("SEARCH_CALL") })
    #expect(priced.trimmingCharacters(in: .whitespaces).hasSuffix("$0.0084"), "\(priced)")
    let cost = try #require(priced.range(of: "$0.0084")?.lowerBound)
    #expect(priced.distance(from: priced.startIndex, to: cost) >= 72)
  }

  @Test("S4: a search without a hit says that prompts are not searched, and where the rows begin")
  func prompts() {
    var fixture = Fixture()
    var shell = CockpitShell(size: size)
    shell.type("/", &fixture)
    shell.write("nowhere at all", &fixture)
    shell.type("Enter", &fixture)
    shell.type("n", &fixture)
    let message = shell.pulse.message?.description ?? ""
    #expect(message.contains("prompts are not searched"), "\(message)")
    #expect(message.contains("rows here begin 14:29"), "\(message)")
  }
}
