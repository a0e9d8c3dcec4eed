import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `whatif` against the rows that the demo's backend gives.
  @Suite("whatif") struct WhatIfTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("thresholds and prices agree with the backend's own rows")
    func verb() throws {
      let demo = try DemoBackend(["--scenario", "night", "--seed", "3"], home: home)
      defer { demo.stop() }
      let folder = "\(home.path)/.config/clanky-cockpit"
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
      try """
      [prices."a/m"]
      from = "2020-01-01"
      input = 3.0
      output = 15.0
      """.write(toFile: folder + "/config.toml", atomically: true, encoding: .utf8)
      func run(_ arguments: [String]) throws -> [String: Any] {
        let process = try PipedProcess(
          Tool.path, ["whatif"] + arguments + ["--since", "2h", "--json", "--url", demo.url],
          environment: Tool.environment(home: home, token: demo.token))
        process.wait()
        return try #require(
          try PlainAction.objects(process.text).first, "\(process.text) \(process.errorText)")
      }
      func rows(_ kind: String) throws -> [[String: Any]] {
        let reply = try demo.request(
          "GET", "/api/actions?limit=1000&sinceHours=2&kinds=\(kind)")
        let json = try JSONSerialization.jsonObject(with: Data(reply.body))
        let list = (json as? [String: Any])?["actions"] ?? json
        return try #require(list as? [[String: Any]])
      }
      func differing(_ ids: Set<Int>, _ others: Set<Int>) -> Int {
        ids.symmetricDifference(others).count
      }
      // The silences with a score between the threshold that is tried and the one that held.
      let skipped = try rows("reply_skipped").filter { row in
        let signal = (row["metadata"] as? [String: Any])?["addressing"] as? [String: Any]
        guard let score = signal?["confidence"] as? Double else { return false }
        let held = signal?["threshold"] as? Double ?? 1
        return signal?["direct"] as? Bool != true && score >= 0.2 && score < held
      }
      let text = try run(["--threshold", "text=0.2"])
      let family = try #require((text["families"] as? [[String: Any]])?.first)
      let flips = try #require(family["flips"] as? [[String: Any]])
      #expect(!skipped.isEmpty)
      // A row at the edge of the time may be in one answer alone.
      #expect(
        differing(
          Set(flips.compactMap { $0["id"] as? Int }), Set(skipped.compactMap { $0["id"] as? Int }))
          <= 1, "\(flips.count), the backend \(skipped.count)")
      #expect(flips.allSatisfy { $0["becomes"] as? String == "answered" })
      #expect(text["modelled"] as? Bool == true)

      let cost = try run(["--model", "a/m"])
      let calls = try rows("llm_call") + rows("llm_tool_call")
      #expect(calls.count < 1000)
      let truth = calls.reduce(0.0) { sum, row in
        let usage = (row["metadata"] as? [String: Any])?["usage"] as? [String: Any]
        guard let input = usage?["inputTokens"] as? Double,
          let output = usage?["outputTokens"] as? Double
        else { return sum }
        // Without prices of its own what was read from the cache costs as much as other input.
        let read = usage?["cacheReadTokens"] as? Double ?? 0
        let written = usage?["cacheWriteTokens"] as? Double ?? 0
        let all = (input < read ? input + read : input) + written
        return sum + (all * 3 + output * 15) / 1e6
      }
      let modelled = try #require(cost["modelled_usd"] as? Double, "\(cost)")
      #expect(truth > 0 && abs(modelled - truth) <= truth * 0.02, "\(modelled), truth \(truth)")
      #expect(abs((cost["calls"] as? Int ?? 0) - calls.count) <= 1)
      #expect(cost["state"] as? String == "inferred")
      #expect((cost["caveat"] as? String ?? "").hasPrefix("Modelled"))
    }
  }
}
