import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Streams that are closed or full are an exit code and a sentence, never a crash.
  @Suite("standard streams (promise P9)") struct StandardStreamTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// What a shell writes behind the command, the code, and the words on stderr where it is open.
    static let cases: [(command: String, redirection: String, code: Int32, words: String)] = [
      ("tail --demo quiet --json", ">/dev/full", 1, "stdout cannot be written: No space left"),
      ("tail --demo quiet --json", ">&-", 1, "stdout cannot be written"),
      ("tail --demo quiet --json", "<&- >&- 2>&-", 1, ""),
      ("tail --url http://127.0.0.1:1", "2>/dev/full", 3, ""),
      ("tail --url http://127.0.0.1:1", "2>&-", 3, ""),
      ("snapshot --demo quiet --view pulse", ">&-", 1, "stdout cannot be written"),
      ("status --demo quiet", ">/dev/full 2>&1", 1, ""),
      ("doctor --demo quiet", ">&- 2>&-", 1, ""),
      ("--demo quiet --linear", "</dev/null >&-", 1, "stdout cannot be written"),
      ("--version", ">/dev/full", 1, "stdout cannot be written"),
      ("--help", ">&-", 1, "stdout cannot be written"),
      ("nonsense", "2>&-", 2, ""),
    ]

    @Test("closed and full", arguments: cases)
    func streams(command: String, redirection: String, code: Int32, words: String) throws {
      let what = "\(command) \(redirection)"
      let process = try PipedProcess(
        "/bin/sh", ["-c", "\"$0\" \(command) \(redirection)", Tool.path],
        environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(code), "\(what): \(process.errorText)")
      #expect(
        words.isEmpty || process.errorText.contains(words), "\(what): \(process.errorText)")
      #expect(process.output.isEmpty, "\(what)")
    }

    @Test("a file that may not grow is an error where it is written, not the end (promise P7)")
    func fileSizeLimit() throws {
      let process = try PipedProcess(
        "/bin/sh",
        [
          "-c", "ulimit -f 0; exec \"$0\" facts export --demo quiet --output \"$HOME/facts.json\"",
          Tool.path,
        ], environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(1), "\(process.errorText)")
      #expect(process.errorText.contains("cannot be written"), "\(process.errorText)")
      #expect(!FileManager.default.fileExists(atPath: "\(home.path)/facts.json"))
    }

    @Test("under nohup a hang-up ends neither a tail nor a backend")
    func hangUpIgnored() throws {
      let process = try PipedProcess(
        "/bin/sh", ["-c", "trap '' HUP; exec \"$0\" demo --scenario quiet", Tool.path],
        environment: Tool.environment(home: home))
      #expect(process.pump(until: { !process.lines.isEmpty }))
      process.signal(SIGHUP)
      process.signal(SIGTERM)
      // The first signal that counts gives the code.
      #expect(process.wait() == .exited(143))
    }
  }
}
