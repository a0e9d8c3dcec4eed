import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Small answers that become large.
  @Suite(
    "compression bombs (promise P5b)",
    .enabled(if: Bomb.canBeMade, "\(Bomb.tool) is not there"))
  struct BombTests {
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test("an answer that unpacks to more than is read is dropped in time and memory, and said")
    func answers() throws {
      let once = try Bomb.of([UInt8](repeating: 0x20, count: 200 << 20))
      let twice = try Bomb.of(once)
      #expect(once.count < 1 << 20)
      for (coding, body, says) in [
        ("gzip", once, "too large"), ("gzip, gzip", twice, "too large"),
        ("br", once, "could not be understood"),
        ("gzip", Array(once.dropFirst(40)), "could not be understood"),
      ] {
        let server = try StubServer { request in
          switch request.path {
          case "/api/activity/events":
            let row = RowServer.stored(7, "sent_reply", content: "seven")
            let text = "event: activity_snapshot\ndata: {\"actions\":[\(row)]}\n\n"
            return .stream([.chunk(Array(text.utf8)), .stayAlive])
          case "/api/voice/events": return FactRoutes.voice
          default:
            return StubReply(
              headers: [("Content-Type", "application/json"), ("Content-Encoding", coding)],
              body: body)
          }
        }
        defer { server.stop() }
        for verb in [
          ["status", "--timeout", "20"], ["actions"], ["facts", "list", "--guild", "1"],
        ] {
          let start = ContinuousClock.now
          let process = try PipedProcess(
            Tool.path, verb + ["--url", server.url],
            environment: Tool.environment(home: home, token: "some-token-1"))
          var peak = 0
          let hasEnded = process.pump(.seconds(60)) {
            peak = max(peak, ProcessMemory.peakMB(process.processID) ?? 0)
            return process.status != nil
          }
          #expect(hasEnded || process.status != nil, "\(coding), \(verb)")
          #expect(process.status != .exited(0), "\(coding), \(verb): \(process.text.prefix(200))")
          // That list is requested in parts, each of which is too large.
          let words = verb == ["actions"] && says == "too large" ? "Not all actions" : says
          #expect(process.errorText.contains(words), "\(coding), \(verb): \(process.errorText)")
          #expect(peak < 400, "\(coding), \(verb): \(peak) MB")
          #expect(ContinuousClock.now - start < .seconds(45), "\(coding), \(verb)")
        }
        let cockpit = try Cockpit(
          ["--url", server.url, "--tab", "cmd"], home: home, token: "some-token-1", columns: 140)
        try cockpit.see("[5 CMD]") { $0.contains("[5 CMD]") && cockpit.isLive }
        try cockpit.type("1", see: "seven")
        let quit = ContinuousClock.now
        cockpit.type("q")
        cockpit.expectEnd(.exited(0), what: coding)
        #expect(ContinuousClock.now - quit < .seconds(1.5), "\(coding)")
      }
    }
  }
}

/// Bytes, packed by the `gzip` of the machine.
enum Bomb {
  static let tool = "/usr/bin/gzip"
  static var canBeMade: Bool { FileManager.default.isExecutableFile(atPath: tool) }

  static func of(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    let file = "\(folder.path)/bytes"
    try Data(bytes).write(to: URL(filePath: file))
    let process = try PipedProcess(tool, ["-9", file], environment: ["PATH": "/usr/bin:/bin"])
    try #require(process.wait() == .exited(0), "gzip says: \(process.errorText)")
    return Array(try Data(contentsOf: URL(filePath: file + ".gz")))
  }
}
