import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// One answer on all tabs, compared with what really happened.
  @Suite("selected answer") struct SelectedAnswerTests {
    @Test("a reply chosen in PULSE is the answer of BRAIN and MEMORY, until Esc lets it go")
    func night() throws {
      let home = try TemporaryFolder()
      let truth = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "5", "--truth", truth], home: home)
      let file =
        try JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(fileURLWithPath: truth))) as? [String: Any]
      let exchanges = file?["exchanges"] as? [[String: Any]] ?? []
      let answer = try #require(
        exchanges.last {
          $0["outcome"] as? String == "replied" && $0["medium"] as? String == "text"
        })
      let name = try #require((answer["author"] as? [String: Any])?["name"] as? String)
      let words = try #require(answer["words"] as? String)
      let cost = try #require(answer["cost_usd"] as? Double)
      let facts = try #require(answer["facts"] as? [Int])

      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      cockpit.type("fkind:sent_reply\r")
      try cockpit.see("the filter") {
        $0.contains("f> kind:sent_reply") || $0.contains("kind:sent_reply")
      }
      cockpit.type("j3")
      let header = " to \(name)"
      try cockpit.see("the answer in the header") {
        ($0.split(separator: "\n").first ?? "").contains(header)
      }
      try cockpit.see("its words and its cost in the first line of BRAIN") { screen in
        let line = screen.split(separator: "\n").dropFirst().first ?? ""
        return line.contains(words.prefix(20)) && line.contains(String(format: "$%.4f", cost))
      }
      cockpit.type("4")
      try cockpit.see("the facts that stood in front of the model") { screen in
        guard !facts.isEmpty else { return screen.contains("no fact known") }
        guard let found = screen.firstMatch(of: /FACTS (\d+) OF ANSWER/) else { return false }
        return Int(found.1).map { (1...facts.count).contains($0) } ?? false
      }
      cockpit.type("\u{1B}")
      try cockpit.see("the answer is let go") { screen in
        !(screen.split(separator: "\n").first ?? "").contains(header)
          && !screen.contains("OF ANSWER")
      }
    }
  }
}
