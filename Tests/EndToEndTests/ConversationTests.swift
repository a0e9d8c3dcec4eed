import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The text conversations: what the log here lacks is fetched, and the figures are the backend's.
  @Suite("conversations") struct ConversationTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// The rows of some kinds in the backend's log, each once, by channel.
    private func counts(_ kinds: String, _ demo: DemoBackend) throws -> [String: Int] {
      let reply = try demo.request("GET", "/api/actions?kinds=\(kinds)&sinceHours=24&limit=1000")
      let rows = try #require(
        try JSONSerialization.jsonObject(with: Data(reply.body)) as? [[String: Any]])
      try #require(rows.count < 1000)
      var seen: Set<String> = []
      var counts: [String: Int] = [:]
      for row in rows {
        let words = ["created_at", "kind", "channel_id", "content"].map { "\(row[$0] ?? "")" }
        guard seen.insert(words.joined(separator: "|")).inserted else { continue }
        counts[row["channel_id"] as? String ?? "", default: 0] += 1
      }
      return counts
    }

    @Test(
      "a night: every reply and silence of it, by channel, is fetched and counted",
      arguments: [3, 9])
    func night(seed: Int) throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "\(seed)"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 60, columns: 200)
      cockpit.type("gd")
      try cockpit.see("all of it") { $0.contains("all of 24 h") }
      // The night goes on: what the backend has is counted at each look.
      try cockpit.see("the counts of the backend, and of each channel") { screen in
        guard let replies = try? counts("sent_reply,sent_message", demo),
          let silences = try? counts("reply_skipped", demo)
        else { return false }
        let total = replies.values.reduce(0, +)
        let row = screen.split(separator: "\n").first { $0.contains("[ALL \(total)]") }
        let shown = row?.matches(of: /#\S+(?: \S+)*? (\d+)(?= |$)/).compactMap { Int($0.1) }
        return shown?.sorted() == replies.values.sorted()
          && screen.contains("\(total) replies  \(silences.values.reduce(0, +)) silences")
      }
      // How the newest came about is the row's own account.
      try cockpit.see("model, phases, prompts") {
        $0.contains("MEANT ") && $0.contains("MODEL ") && $0.contains("PHASES ")
          && $0.contains("PROMPTS ")
      }
      demo.stop()
    }

    @Test("snapshot: the view as text, and its rows as JSON")
    func snapshot() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "5"], home: home)
      let environment = Tool.environment(home: home, token: demo.token)
      let arguments = ["snapshot", "--view", "conversations", "--url", demo.url]
      let text = try PipedProcess(
        Tool.path, arguments + ["--width", "160", "--height", "40"], environment: environment)
      #expect(text.wait() == .exited(0), "\(text.errorText)")
      #expect(text.text.contains("HOW IT CAME ABOUT") && text.text.contains("all of 24 h"))
      let json = try PipedProcess(Tool.path, arguments + ["--json"], environment: environment)
      #expect(json.wait() == .exited(0), "\(json.errorText)")
      let object = try #require(try PlainAction.objects(json.text).first)
      let rows = try #require(object["actions"] as? [[String: Any]])
      let kinds = Set(rows.compactMap { $0["kind"] as? String })
      #expect(kinds.isSubset(of: ["sent_reply", "sent_message", "reply_skipped"]))
      let expected = try counts("sent_reply,sent_message,reply_skipped", demo)
      #expect(rows.count >= expected.values.reduce(0, +))
      demo.stop()
    }

    @Test("without a connection it is said that none can be asked for")
    func unheard() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "5"], home: home)
      let cockpit = try Cockpit(on: demo, home: home, rows: 40, columns: 120)
      cockpit.type("gd")
      try cockpit.see("all of it") { $0.contains("all of 24 h") }
      demo.stop()
      try cockpit.see("the lost connection") { $0.contains("RETRY") || $0.contains("RECONNECTING") }
      try cockpit.see("until when it is all") { $0.contains("all of 24 h, as of ") }
      // What is here stays, and a wider window cannot be asked for.
      cockpit.type("-")
      try cockpit.see("why not") { $0.contains("not connected, so no") }
      #expect(cockpit.screen.contains(" replies "))
    }
  }
}
