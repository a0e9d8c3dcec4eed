import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `why`: one sentence, wherever it is asked.
  @Suite("why") struct WhyTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(
      _ words: [String], _ demo: DemoBackend
    ) throws -> (code: Int32?, output: String, errors: String) {
      let process = try PipedProcess(
        Tool.path, words + ["--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      let status = process.wait()
      let code: Int32? = if case .exited(let code) = status { code } else { nil }
      return (code, process.text, process.errorText)
    }

    /// Words with single blanks, without the borders of the screen.
    private func words(_ text: some StringProtocol) -> String {
      text.split { $0.isWhitespace || "│|┃".contains($0) }.joined(separator: " ")
    }

    @Test("verb, JSON, screen and linear mode say the same sentence of a demo night")
    func outlets() throws {
      let truth = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "5", "--truth", truth], home: home)
      let file =
        try JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(fileURLWithPath: truth))) as? [String: Any]
      let exchanges = file?["exchanges"] as? [[String: Any]] ?? []
      let wanted = ["replied", "skipped", "not_admitted", "gate_closed", "queue_rejected"]
      for outcome in wanted {
        let exchange = try #require(
          exchanges.last {
            $0["outcome"] as? String == outcome && $0["medium"] as? String == "text"
          })
        let id = try #require(exchange["trigger_message_id"] as? String)
        let json = try run(["why", id, "--json"], demo)
        let object = try #require(
          try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
        let sentence = try #require(object["sentence"] as? String)
        let inner = object["exchange"] as? [String: Any]
        #expect(inner?["outcome"] as? String == outcome)
        #expect(!(object["evidence"] as? [Any] ?? []).isEmpty)
        let plain = try run(["why", id], demo)
        #expect(plain.code == 0)
        #expect(words(plain.output).hasPrefix(sentence), "\(plain.output)")
      }
      let last = try run(["why", "last", "--json"], demo)
      let object = try JSONSerialization.jsonObject(with: Data(last.output.utf8)) as? [String: Any]
      let sentence = try #require(object?["sentence"] as? String)
      let cockpit = try Cockpit(on: demo, home: home)
      cockpit.type(":why last\r")
      try cockpit.see("the sentence") { words($0).contains(sentence) }
      try cockpit.see("next: ")
      let linear = try PTYProcess(
        Tool.path, ["--linear", "--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home, term: "dumb"), rows: 500, columns: 300)
      func told() -> String { String(decoding: linear.output.filter { $0 != 0x0D }, as: UTF8.self) }
      #expect(linear.pump(timeout: Tool.patience) { told().contains("The newest:") })
      linear.send("w\n")
      #expect(
        linear.pump(timeout: Tool.patience) { told().contains("\n" + sentence + "\n") }, "\(told())"
      )
      linear.send("q\n")
      _ = linear.wait(timeout: Tool.patience)
    }

    @Test("a message that left no row is not on record, and the exit code says so")
    func nothing() throws {
      let truth = "\(home.path)/truth.json"
      let demo = try DemoBackend(
        ["--scenario", "night", "--seed", "4", "--truth", truth], home: home)
      let file =
        try JSONSerialization.jsonObject(
          with: Data(contentsOf: URL(fileURLWithPath: truth))) as? [String: Any]
      let exchanges = file?["exchanges"] as? [[String: Any]] ?? []
      let lost = try #require(exchanges.first { $0["outcome"] as? String == "no_row" })
      let id = try #require(lost["trigger_message_id"] as? String)
      let result = try run(["why", id], demo)
      #expect(result.code == 1 && result.output.isEmpty)
      #expect(result.errors.contains("Nothing on record"), "\(result.errors)")
      #expect(try run(["why"], demo).code == 2)
    }
  }
}
