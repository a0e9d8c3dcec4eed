import Foundation
import Testing

extension EndToEnd {
  @Suite("demo") struct DemoTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

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
