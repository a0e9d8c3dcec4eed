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
  }
}
