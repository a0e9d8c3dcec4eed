import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The tools sheet of a gateway, against what the gateway says that it was asked.
  @Suite("tools of a gateway") struct GatewayToolsTests {
    @Test("tools are probed, sessions listed and read; what is off says what would enable it")
    func sheet() throws {
      let claw = try GatewayHome()
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 36, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("5")
      cockpit.type("]]]]")
      try cockpit.see("all agents") { screen in
        ["heron", "moss", "tally"].allSatisfy(screen.contains)
          && screen.contains("7 of 7") && screen.contains("3 of 7") && screen.contains("6 of 7")
      }
      try cockpit.see("Can't reach the browser control service")
      try cockpit.see("tools.profile messaging, coding or full has it")
      try cockpit.type("jj\r", see: "sessions that it sees")
      try cockpit.see("agent:heron:main")
      let entries = try #require(
        try claw.demo.request("GET", "/__demo/truth").object["entries"] as? [[String: Any]])
      let tools = entries.filter { $0["what"] as? String == "tool invoked" }
      // Seven of three agents, and the list.
      #expect(tools.count == 22)
      #expect(tools.allSatisfy { ($0["args"] as? [String: Any])?["query"] == nil })
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a screenshot of an agent's browser is shown, and saved as it came")
    func screenshot() throws {
      let claw = try GatewayHome()
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 36, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("5")
      cockpit.type("]]]]")
      try cockpit.see("its tools") { $0.contains("7 of 7") }
      // The last of the first agent's seven.
      try cockpit.type("jjjjjjj\r", see: "Enter here takes a screenshot")
      try cockpit.type("G\r", see: "320 x 200 pixels")
      try cockpit.see("the picture") { $0.contains("▀▀▀▀▀▀▀▀") }
      try cockpit.type("G\r", see: "the image is in 'screenshot-heron-")
      let name = try #require(cockpit.screen.firstMatch(of: /in '(screenshot-heron-[0-9-]+\.png)'/))
      // The folder of the cockpit is that of the test.
      let file = URL(filePath: String(name.1))
      defer { try? FileManager.default.removeItem(at: file) }
      let bytes = try Data(contentsOf: file)
      #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && bytes.count > 60_000)
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
