import Foundation
import Testing

extension EndToEnd {
  @Suite("demo gateway") struct GatewayDemoTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    /// The independent client needs two Python packages.
    private static let hasPeer: Bool = {
      let python = try? PipedProcess(
        "/usr/bin/env", ["python3", "-c", "import websockets, cryptography"],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
      return python?.wait() == .exited(0)
    }()

    private static let script = URL(filePath: #filePath)
      .appending(path: "../../../scripts/dev/gateway-peer").standardizedFileURL.path
    /// Frames of real gateways beside this repository; without them their shapes are not compared.
    private static var recordings: String {
      Captures.folder?.deletingLastPathComponent().appending(path: "openclaw").path ?? ""
    }

    @Test("one JSON line with the kind, a token file for us alone, a truth, nothing left behind")
    func life() throws {
      let file = home.path + "/gateway.json"
      let demo = try DemoBackend(
        ["--kind", "openclaw", "--scenario", "quiet", "--seed", "5", "--truth", file], home: home)
      #expect(demo.url.hasPrefix("ws://127.0.0.1:"))
      #expect(demo.process.lines.first?.contains(#""kind":"openclaw""#) == true)
      let attributes = try FileManager.default.attributesOfItem(atPath: demo.tokenFile)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      let truth = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: file)))
          as? [String: Any])
      #expect(truth["kind"] as? String == "openclaw" && truth["seed"] as? Int == 5)
      #expect((truth["approvals"] as? [Any])?.count == 1)
      #expect(demo.stop() == .exited(128 + SIGTERM))
      #expect(!FileManager.default.fileExists(atPath: demo.tokenFile))
      #expect(demo.process.errors.isEmpty, "\(demo.process.errorText)")
    }

    @Test(
      "options of the other kind are refused in a sentence",
      arguments: [
        ["--pairing"], ["--kind", "openclaw", "--bots", "2"],
        ["--kind", "openclaw", "--scenario", "night"], ["--kind", "openclaw", "--protocol", "5"],
      ])
    func mistakes(arguments: [String]) throws {
      let process = try PipedProcess(
        Tool.path, ["demo"] + arguments, environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(2), "\(process.errorText)")
      #expect(process.errorText.contains("openclaw") || process.errorText.contains("--protocol"))
    }

    @Test(
      "an independent client finds what the recordings have",
      .enabled(if: hasPeer, "python3 with websockets and cryptography is not there"))
    func peer() throws {
      let demo = try DemoBackend(
        ["--kind", "openclaw", "--rate", "5", "--fault-control"], home: home)
      let peer = try PipedProcess(
        "/usr/bin/env",
        ["python3", Self.script, demo.url, demo.tokenFile, Self.recordings],
        environment: ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"])
      #expect(peer.wait(.seconds(60)) == .exited(0), "\(peer.text) \(peer.errorText)")
      #expect(peer.text.contains("0 failures"))
      demo.stop()
    }
  }
}
