import ClankyWire
import CockpitStores
import TerminalCore
import TerminalUI
import Testing

@testable import CockpitPanes
@testable import CockpitShell

/// The figures of VOICE, BRAIN and MEMORY: each has exactly its rows behind it, or says what it is of.
@MainActor
@Suite struct VoiceFigureTests {
  private static let size = Size(width: 200, height: 60)

  private func voice() -> Fixture {
    let fixture = Fixture()
    VoiceFixture.rich(fixture)
    return fixture
  }

  private func figures(_ keys: String, _ fixture: inout Fixture) -> (CockpitShell, FigureList) {
    var shell = CockpitShell(size: Self.size)
    shell.type(keys, &fixture)
    let frame = shell.render(fixture.facts(), size: Self.size)
    return (shell, FigureList(frame))
  }

  /// The rows of PULSE after a click on the figure that begins like this.
  private func opened(
    _ head: String, _ keys: String, _ fixture: inout Fixture
  ) throws -> (text: String, rows: Int, note: String) {
    var (shell, list) = figures(keys, &fixture)
    let figure = try #require(
      list.figures.first { $0.text.description.hasPrefix(head) },
      "\(head) is not among \(list.figures.map(\.text))")
    let facts = fixture.facts()
    _ = shell.followed([.press(figure.target)], facts)
    #expect(shell.tab == .pulse, "\(figure.words)")
    let rows = fixture.facts(query: shell.pulse.feedQuery).feed.count
    return (figure.text.description, rows, shell.note?.description ?? "")
  }

  @Test("tool calls, percentiles, turns, decisions and events open as many rows as they say")
  func rows() throws {
    var fixture = voice()
    let record = try #require(
      {
        _ = fixture.facts()
        return fixture.voice.record("s-1")
      }())
    let measured = record.turns.count { $0.latency?.isComplete == true }
    let percentiles = try opened("p50", "2", &fixture)
    #expect(percentiles.rows == measured, "\(percentiles)")
    let turns = try opened("\(record.turns.count) turns", "2 R", &fixture)
    #expect(turns.rows == record.turns.count, "\(turns)")
    let skips = try opened("SKIP", "2", &fixture)
    #expect(skips.rows == record.skipRate.decisions, "\(skips)")
    let events = try opened("events", "2 R", &fixture)
    let said = try #require(events.text.firstMatch(of: /events\s+(\d+)/))
    #expect(Int(said.1) == events.rows, "\(events)")
    // Calls that only the bot lists have no row: the row above the hints says so.
    let tools = try opened("TOOL CALLS", "2", &fixture)
    let count = try #require(tools.text.firstMatch(of: /TOOL CALLS (\d+)/).flatMap { Int($0.1) })
    #expect(
      tools.rows == count || tools.note.hasPrefix("\(tools.rows) of \(count) calls"), "\(tools)")
  }

  @Test("what the bot only says of itself is called so, on one line of the narrowest screen")
  func none() throws {
    var fixture = voice()
    for keys in ["2", "3", "4", "5", "2 R", "2 ] ]"] {
      let (_, list) = figures(keys, &fixture)
      #expect(!list.figures.isEmpty)
      for figure in list.figures where figure.isBare {
        let words = figure.words
        #expect(words.columns <= 78, "\(figure.text): \(words)")
        #expect(words.description != "-", "\(figure.text)")
      }
      // Those with rows come first.
      let firstBare = list.figures.firstIndex(where: \.isBare) ?? list.figures.count
      let areLast = list.figures[firstBare...].allSatisfy { $0.isBare }
      #expect(areLast)
    }
    let (shell, list) = figures("2", &fixture)
    let people = try #require(
      list.figures.first { $0.text.description.hasSuffix(" ppl") })
    var copy = shell
    _ = copy.followed([.press(people.target)], fixture.facts())
    #expect(copy.tab == .voice && copy.note?.description.contains("the bot's own list") == true)
  }

  @Test("the measurement of a turn opens its own row")
  func measurement() throws {
    var fixture = voice()
    let measured = try opened("fin>asr", "2 } } ] ]", &fixture)
    #expect(measured.rows == 1, "\(measured)")
  }

  @Test("the calls of BRAIN open as many rows as the title says")
  func brain() throws {
    var fixture = Fixture.brain()
    let calls = try opened("LLM CALLS", "3", &fixture)
    let count = try #require(calls.text.firstMatch(of: /LLM CALLS (\d+)/).flatMap { Int($0.1) })
    #expect(calls.rows == count, "\(calls)")
  }

  @Test("the subjects of MEMORY list their facts from the list of figures, as many as they say")
  func memory() throws {
    var fixture = MemoryFixture()
    var shell = CockpitShell(tab: .memory, size: Self.size)
    let list = FigureList(fixture.draw(&shell))
    let subject = try #require(
      list.figures.first { $0.behind == nil && $0.text.description.hasPrefix("james") },
      "\(list.figures.map(\.text))")
    let count = try #require(
      subject.text.description.split(separator: " ").last.flatMap { Int($0) })
    #expect(list.figures.contains { $0.text.description.hasSuffix("facts") && $0.isBare })
    #expect(list.figures.contains { $0.text.description.hasPrefix("REFLECT") && !$0.isBare })
    _ = shell.followed([.press(subject.target)], fixture.facts(shell))
    #expect(fixture.facts(shell).factView.rows.count == count)
  }
}
