import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Panels use the room that is there.
  @Suite("room") struct RoomTests {
    /// A box on the screen: its title and how many of its rows are blank.
    private struct Box {
      var title: String
      var rows = 0
      var blank = 0
    }

    /// The boxes of a screen that lie within it.
    private func boxes(_ screen: String) -> [Box] {
      let lines = screen.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
      var boxes: [Box] = []
      for (top, line) in lines.enumerated() {
        for (left, character) in line.enumerated() where character == "┌" {
          guard let right = line[left...].firstIndex(of: "┐") else { continue }
          let words = line[(left + 1)..<right].split(whereSeparator: { $0 == "─" })
          var box = Box(title: String(words.first ?? []).trimmingCharacters(in: .whitespaces))
          for row in lines.dropFirst(top + 1) {
            guard left < row.count, row[left] == "│" else { break }
            box.rows += 1
            let inner = row[(left + 1)..<max(left + 1, min(right, row.count))]
            if inner.allSatisfy({ $0 == " " || $0 == "│" }) { box.blank += 1 }
          }
          boxes.append(box)
        }
      }
      return boxes
    }

    @Test("after two minutes of story no panel of 200x60 is half empty")
    func story() throws {
      let home = try TemporaryFolder()
      let demo = try DemoBackend(["--scenario", "story", "--rate", "12"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      cockpit.type("2")
      // The eighth turn comes towards the end of the second minute.
      try cockpit.see("a session with turns") { $0.firstMatch(of: /TURN #(8|9|\d\d)/) != nil }
      // Charts draw what they have over all of their height. How much a generation was given depends on the turn that
      // came last.
      let exempt = ["RATE 60M", "LATENCY TREND", "COST (UTC DAYS)", "GENERATION CONTEXT"]
      for (key, title) in [
        ("1", "LIVE FEED"), ("2", "LANES"), ("3", "LLM CALLS"), ("4", "FACTS"), ("5", "SYSTEM"),
      ] {
        cockpit.type(key)
        try cockpit.see("the tab of \(title)") {
          $0.contains("┌ \(title)") && !$0.contains("sking") && !$0.contains("loading")
        }
        let found = boxes(cockpit.screen)
        #expect(found.count >= 4)
        for box in found where !exempt.contains(where: box.title.hasPrefix) && box.rows > 4 {
          #expect(
            box.blank * 2 <= box.rows,
            "\(box.title): \(box.blank) of \(box.rows) rows are blank\n\(cockpit.screen)")
        }
      }
    }
  }
}
