/// Ours: a tool server failed and has not been well since.
struct McpDown: RuleState {
  static let rule = Rule(
    id: .mcpDown, level: .warning,
    condition: "a tool server is not connected and has an error",
    advice:
      "Restart the server, and see its error in CMD; the bot has none of its tools until then.",
    input: RuleInput(voiceState: true), limits: [], begin: { _ in McpDown() })

  /// By server: since when it is down.
  private var down: [String: Int64] = [:]

  mutating func take(_ event: RuleEvent, _ found: inout Findings) {
    guard case .voice(let samples) = event.body, !samples.isEmpty else { return }
    var failed: [String: String] = [:]
    for sample in samples { failed.merge(sample.failedServers) { $1 } }
    down = down.filter { failed[$0.key] != nil }
    for (server, error) in failed.sorted(by: { $0.key < $1.key }) where down[server] == nil {
      down[server] = event.timeMs
      var print = Fingerprint()
      print.add("mcp " + server)
      print.add(event.timeMs)
      found.report(
        .init(
          .warning, "The tool server \(server) is down: \(RuleWords.quoted(error) ?? "no error")",
          [
            Citation(
              timeMs: event.timeMs, name: "voice_state", fingerprint: print.value,
              words: "\(server): \(error)")
          ], subject: server))
    }
  }
}
