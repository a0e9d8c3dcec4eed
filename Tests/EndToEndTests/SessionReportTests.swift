import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The report of a voice session: on the screen and from the verb.
  @Suite("report of a session") struct SessionReportTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(_ words: [String], _ demo: DemoBackend) throws -> String {
      let process = try PipedProcess(
        Tool.path, words + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      _ = process.wait()
      return process.text
    }

    /// Without blanks and borders: the screen breaks lines elsewhere.
    private func letters(_ text: some StringProtocol) -> String {
      String(text.filter { !$0.isWhitespace && !"│|┃>".contains($0) })
    }

    @Test(
      "screen and verb have the same words for the same session",
      arguments: ["night", "voice"],
      ProcessInfo.processInfo.environment["CLANKY_LONG_TESTS"] == nil ? [1] : [1, 2])
    func words(scenario: String, seed: Int) throws {
      let demo = try DemoBackend(["--scenario", scenario, "--seed", "\(seed)"], home: home)
      let sessions = try run(["sessions", "--json"], demo).split(separator: "\n").compactMap {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let past = try #require(sessions.first { $0["live"] as? Bool == false })
      let id = try #require(past["session_id"] as? String)
      let told = try run(["session", id], demo)
      let cockpit = try Cockpit(on: demo, home: home, rows: 400, columns: 150)
      cockpit.type(":session \(id)\r")
      try cockpit.see("PAST")
      cockpit.type("R")
      try cockpit.see("its facts") { $0.contains("REPORT") && $0.contains("session    \(id)") }
      let paragraphs = told.components(separatedBy: "\n\n").dropFirst().joined()
      #expect(paragraphs.contains("why: "))
      try cockpit.see("every paragraph") { letters($0).contains(letters(paragraphs)) }
      let facts = told.components(separatedBy: "\n\n").first ?? ""
      for line in facts.split(separator: "\n") {
        #expect(letters(cockpit.screen).contains(letters(line)), "\(line)")
      }
    }

    @Test("of a live session it follows the end")
    func live() throws {
      let demo = try DemoBackend(["--scenario", "voice", "--rate", "4"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      try cockpit.type("R", see: "FOLLOW")
      func turns() -> Int {
        cockpit.screen.firstMatch(of: /REPORT ─+ (\d+) turn/).flatMap { Int($0.1) } ?? 0
      }
      try cockpit.see("turns") { _ in turns() > 0 }
      let before = turns()
      try cockpit.see("a new paragraph at the end") { $0.contains("FOLLOW") && turns() > before }
      cockpit.type("}W")
      try cockpit.see("next: ")
    }
  }
}
