import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Figures of the screen and the rows behind them: as many as they say.
  @Suite("figures") struct FigureTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// The line of the list of figures that matches, chosen and opened.
    /// - Returns: What it says: the screen behind the list may have gone on since it was read.
    @discardableResult private func open(
      _ what: String, _ cockpit: Cockpit, where isIt: (String) -> Bool
    ) throws -> String {
      cockpit.type("#")
      try cockpit.see("the list of figures") { $0.contains("FIGURES") }
      let lines = (0..<60).map { cockpit.line($0) }
      let top = try #require(lines.firstIndex { $0.contains("FIGURES") })
      let place = try #require(
        lines[(top + 1)...].firstIndex { isIt($0) && $0.contains("│") },
        "\(what) is not among\n\(cockpit.screen)")
      cockpit.type(String(repeating: "j", count: place - top - 1) + "\r")
      try cockpit.see("PULSE") { $0.contains("[1 PULSE]") }
      return lines[place]
    }

    private func open(_ head: String, _ cockpit: Cockpit) throws {
      try open(head, cockpit) { $0.contains(head) }
    }

    /// How many rows the filter finds.
    private func rows(_ cockpit: Cockpit) throws -> Int {
      var count: Int?
      try cockpit.see("the number of rows") { screen in
        let found = screen.firstMatch(of: /FILTER ([\d,]+)/)
        count = found.flatMap { Int($0.1.replacing(",", with: "")) }
        return count != nil
      }
      return try #require(count)
    }

    @Test("a live session: percentiles, turns and decisions open as many rows as they count")
    func voice() throws {
      let demo = try DemoBackend(["--scenario", "story", "--rate", "20"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      cockpit.type("2")
      try cockpit.see("measured turns", .seconds(60)) {
        $0.firstMatch(of: /p95 \S+ +(\d+) turns since/) != nil
      }
      cockpit.type("R#")
      try cockpit.see("figures of the report") { $0.contains("FIGURES") }
      let screen = cockpit.screen
      let turns = try #require(
        screen.firstMatch(of: /p50 \S+ p95 \S+ (\d+) turns since/).flatMap { Int($0.1) })
      cockpit.type("\u{1B}")
      try cockpit.see("no list") { !$0.contains("FIGURES") }
      // The session goes on: a turn more may have come.
      try open("p95", cockpit)
      let measured = try rows(cockpit)
      #expect((turns...turns + 2).contains(measured), "\(turns) turns, \(measured) rows")
      cockpit.type("2")
      try cockpit.see("REPORT")
      let turnsOfReport = /│ (\d+) turns\b/
      let line = try open("the turns of the report", cockpit) {
        $0.firstMatch(of: turnsOfReport) != nil
      }
      let told = try #require(line.firstMatch(of: turnsOfReport).flatMap { Int($0.1) })
      let ends = try rows(cockpit)
      #expect((told...told + 2).contains(ends), "\(told) turns, \(ends) rows")
    }

    @Test("a past session, the people whose calls failed, and what only the bot counts")
    func others() throws {
      let demo = try DemoBackend(
        ["--scenario", "failing", "--seed", "3", "--rate", "20"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      cockpit.type("5")
      try cockpit.see("people without an answer", .seconds(60)) {
        $0.firstMatch(of: /CALL FAILED +([2-9]) people/) != nil
      }
      let people = try #require(
        cockpit.screen.firstMatch(of: /CALL FAILED +(\d+) people/).flatMap { Int($0.1) })
      try open("CALL FAILED", cockpit)
      let failed = try rows(cockpit)
      #expect((people...people + 2).contains(failed), "\(people) people, \(failed) rows")
      cockpit.type("5")
      try cockpit.see("CMD") { $0.contains("in bot's queue,") }
      try cockpit.click(on: "GUILDS")
      try cockpit.see("the backend's list of guilds; no row counts it")
      cockpit.type("3")
      try cockpit.see("LLM CALLS")
      let calls = try #require(
        cockpit.screen.firstMatch(of: /LLM CALLS (\d+)/).flatMap { Int($0.1) })
      try open("LLM CALLS", cockpit)
      let listed = try rows(cockpit)
      #expect((calls...calls + 8).contains(listed), "\(calls) calls, \(listed) rows")
    }
  }
}
