import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `explain`: needs neither a backend nor a valid configuration.
  @Suite("explain") struct ExplainTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("a name, several meanings, a beginning, a slip, and nothing")
    func names() throws {
      // A configuration that cannot be read does not matter to it.
      try FileManager.default.createDirectory(
        atPath: "\(home.path)/.config/clanky-cockpit", withIntermediateDirectories: true)
      _ = try home.file(".config/clanky-cockpit/config.toml", "[[[")
      func run(_ words: String...) throws -> (code: Int32?, output: String, errors: String) {
        let process = try PipedProcess(
          Tool.path, ["explain"] + words, environment: Tool.environment(home: home))
        let status = process.wait()
        let code: Int32? = if case .exited(let code) = status { code } else { nil }
        return (code, process.text, process.errorText)
      }
      let reason = try run("llm_skip")
      #expect(reason.code == 0 && reason.output.hasPrefix("llm_skip  (reason)\n  The answering"))
      let several = try run("asr")
      #expect(several.output.contains("(stage)") && several.output.contains("(word)"))
      #expect(try run("voice_turn_dropped_a").output.contains("voice_turn_dropped_asr_control"))
      let slip = try run("repyl_skiped")
      #expect(slip.code == 1 && slip.output.isEmpty)
      #expect(slip.errors.contains("Did you mean reply_skipped"))
      #expect(slip.errors.split(separator: "\n").count == 1)
      #expect(try run("zzzzqqqqxxxx").code == 1)
      let json = try run("llm_skip", "--json").output
      #expect(json.hasPrefix(#"{"name":"llm_skip","family":"reason","text":""#))
      let hostile = try run("\u{1B}[31m")
      #expect(hostile.code == 1 && !hostile.errors.contains("\u{1B}"))
    }
  }
}
