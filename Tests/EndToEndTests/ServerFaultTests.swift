import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// What answers at the address is not what it should be: each fault by `tail`, `snapshot`, `status`
  /// and the cockpit at the same time.
  @Suite("faults of the server") struct ServerFaultTests {
    /// With an upper-case letter, because parts of what is echoed come back in lower case.
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    @Test(
      "each fault is named, with the next step, at once and without a hot loop (promises P4b, P5, P6)",
      arguments: ServerFault.all)
    func fault(fault: ServerFault) throws {
      let server = try StubServer(handler: fault.reply)
      defer { server.stop() }
      let start = ContinuousClock.now
      let environment = Tool.environment(home: home, token: Self.token)
      let verbs = try [
        ["tail", "--json"], ["snapshot", "--view", "pulse"], ["status", "--timeout", "20"],
      ].map { verb in
        (
          name: verb[0],
          process: try PipedProcess(
            Tool.path, verb + ["--url", server.url], environment: environment)
        )
      }
      let cockpit = try Cockpit(
        ["--url", server.url], home: home, token: Self.token, columns: 160)
      for (name, process) in verbs {
        #expect(process.wait() == .exited(fault.code), "\(name): \(process.errorText)")
        expectManners(of: process, name, fault)
      }
      try cockpit.see(fault.shows)
      #expect(!cockpit.screen.contains("<html"), "\(cockpit.screen)")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0), what: fault.name)
      expectNoToken(in: cockpit.pty.output, "the screen")
      // 10 s and more are the time limits; none of these faults needs one.
      #expect(ContinuousClock.now - start < Tool.patience)
      #expect(server.requests.count <= fault.requestLimit, "\(server.requests.count) requests")
    }

    /// One cleaned sentence with cause and next step on stderr, and no data but what `tail --json` and
    /// `status` say of themselves.
    private func expectManners(of process: PipedProcess, _ name: String, _ fault: ServerFault) {
      let text = process.errorText
      #expect(
        text.hasPrefix("clanky-cockpit: ") && text.split(separator: "\n").count == 1,
        "\(name) says: \(text)")
      for words in name == "status" ? fault.statusSays : fault.says {
        #expect(text.contains(words), "\(name) says: \(text)")
      }
      // What a command says last is not what somebody does who stays.
      #expect(!text.contains("being made") && !text.contains("keeps trying"), "\(text)")
      #expect(ForbiddenBytes.found(in: process.errors) == [], "\(name)")
      #expect(ForbiddenBytes.found(in: process.output) == [], "\(name)")
      expectNoToken(in: process.errors, "stderr of \(name)")
      expectNoToken(in: process.output, "stdout of \(name)")
      let lowered = (text + process.text).lowercased()
      #expect(!lowered.contains("<html") && !lowered.contains("sign in"), "\(name): \(lowered)")
      switch name {
      case "snapshot": #expect(process.output.isEmpty, "\(process.text)")
      case "tail":
        let lines = TailLines(process.lines)
        #expect(lines.objects.allSatisfy { $0["type"] as? String == "status" }, "\(process.text)")
      default: #expect(process.lines.count == 1, "\(process.text)")
      }
    }

    /// Neither the token nor the beginning of it.
    private func expectNoToken(in bytes: [UInt8], _ place: String) {
      let text = String(decoding: bytes, as: UTF8.self).lowercased()
      #expect(!text.contains(Self.token.lowercased().prefix(5)), "\(place) has the token")
    }
  }
}
