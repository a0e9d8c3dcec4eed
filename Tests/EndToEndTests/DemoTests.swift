import Foundation
import Testing

extension EndToEnd {
  @Suite("demo") struct DemoTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test(
      "a line that cannot be written leaves no token file",
      arguments: [(">/dev/full", 1), (">&-", 1), ("| true", 0)])
    func unwritten(redirection: String, code: Int32) throws {
      let process = try PipedProcess(
        "/bin/sh", ["-c", "\"$0\" demo --scenario quiet \(redirection)", Tool.path],
        environment: Tool.environment(home: home, ["TMPDIR": home.path]))
      #expect(process.wait() == .exited(code), "\(process.errorText)")
      // Behind a pipe the program may outlive the shell for a moment.
      _ = process.pump { tokenFiles.isEmpty }
      #expect(tokenFiles.isEmpty)
    }

    @Test("a port that is taken is said in one sentence, with what to do")
    func portInUse() throws {
      let first = try DemoBackend(home: home)
      let port = try #require(URL(string: first.url)?.port)
      let second = try PipedProcess(
        Tool.path, ["demo", "--port", "\(port)"], environment: Tool.environment(home: home))
      #expect(second.wait() == .exited(1))
      #expect(
        second.errorText.contains(
          "cannot listen on 127.0.0.1 port \(port): another program has that port. Choose another"),
        "\(second.errorText)")
      #expect(!second.errorText.contains("errno"))
      first.stop()
    }

    private var tokenFiles: [String] {
      let names = try? FileManager.default.contentsOfDirectory(atPath: home.path)
      return (names ?? []).filter { $0.hasSuffix(".token") }
    }

    @Test(
      "one JSON line, a token file for us alone, an answer, and nothing left behind",
      arguments: [SIGINT, SIGTERM, SIGHUP])
    func lifeOfADemo(number: Int32) throws {
      let demo = try DemoBackend(home: home)
      #expect(demo.process.lines.count == 1)
      #expect(demo.url.hasPrefix("http://127.0.0.1:"))
      let attributes = try FileManager.default.attributesOfItem(atPath: demo.tokenFile)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      #expect(attributes[.type] as? FileAttributeType == .typeRegular)
      #expect(!demo.process.text.contains(demo.token))

      let tail = try PipedProcess(
        Tool.path,
        ["tail", "--json", "-n", "3", "--url", demo.url, "--token-file", demo.tokenFile],
        environment: Tool.environment(home: home))
      #expect(tail.pump { tail.text.contains(#""type":"action""#) }, "\(tail.errorText)")

      #expect(demo.stop(number) == .exited(128 + number))
      #expect(!FileManager.default.fileExists(atPath: demo.tokenFile))
      #expect(demo.process.lines.count == 1)
      #expect(demo.process.errors.isEmpty, "\(demo.process.errorText)")
    }
  }
}
