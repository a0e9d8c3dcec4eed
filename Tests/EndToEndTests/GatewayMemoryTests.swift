import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// MEMORY of a gateway, against what the gateway says that it was asked.
  @Suite("memory of a gateway") struct GatewayMemoryTests {
    @Test("files are listed and read, a search finds a line and opens it there")
    func read() throws {
      let claw = try GatewayHome()
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: claw.home, rows: 30, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("4", see: "MEMORY.md")
      try cockpit.see("all of them") { $0.contains("missing") && $0.contains("3 files") }
      try cockpit.type("jj\r", see: "allergic to walnuts")
      try cockpit.type("\u{1B}", see: "reads the file under the cursor")
      try cockpit.type("s", see: "Enter searches on the gateway")
      cockpit.type("neighbours\r")
      try cockpit.see("memory/2026-05-06.md:42")
      try cockpit.type("j\r", see: "they went to the neighbours")
      let entries = try #require(
        try claw.demo.request("GET", "/__demo/truth").object["entries"] as? [[String: Any]])
      let reads = entries.filter { $0["what"] as? String == "file read" }
      #expect(reads.compactMap { $0["name"] as? String } == ["MEMORY.md"])
      let tools = entries.filter { $0["what"] as? String == "tool invoked" }
      #expect(tools.compactMap { $0["tool"] as? String } == ["memory_search", "memory_get"])
      #expect(tools.allSatisfy { $0["agent"] as? String == "heron" })
      #expect((tools.first?["args"] as? [String: Any])?["query"] as? String == "neighbours")
      // The workspace: a folder, a file in it, and back up to the list of all agents.
      cockpit.type("\u{1B}\u{1B}\u{1B}")
      try cockpit.see("workspace/")
      try cockpit.type("gjjjjj\r", see: "heron/workspace")
      try cockpit.see("drafts/")
      try cockpit.type("j\r", see: "heron/workspace/drafts")
      try cockpit.type("j\r", see: "Dear neighbours")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}
