import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// The token is seen by the server that was named, and by nobody else.
  @Suite("the token stays where it belongs (promises P6, P12)") struct SecrecyTests {
    static let token = "Sesame-0815-open"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func run(
      _ arguments: [String], _ more: [String: String] = [:]
    ) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments,
        environment: Tool.environment(home: home, token: Self.token, more))
    }

    /// A backend that echoes every request in its answers.
    private static func parrot() throws -> StubServer {
      try StubServer { request in
        let echo = ServerFault.token(of: request)
        let row = RowServer.stored(7, "bot_runtime", content: "parrot \(echo)!")
        let stats =
          #"{"stats":{"last24h":{"\#(echo)":1},"dailyCost":[],"performance":{}},"runtime":{}}"#
        switch request.path {
        case "/api/activity/events":
          let live = RowServer.live("bot_runtime", content: "live \(echo)\(echo) end")
          let text =
            "event: activity_snapshot\ndata: {\"actions\":[\(row)],\"stats\":\(stats)}\n\n"
            + "event: \(echo)\nid: \(echo)\ndata: 1\n\n"
            + "event: action_event\ndata: \(live)\n\n"
          // Cut in the middle of the token.
          let middle = text.utf8.count - 20
          let bytes = Array(text.utf8)
          return .stream([
            .chunk(Array(bytes[..<middle])), .pause(milliseconds: 50),
            .chunk(Array(bytes[middle...])), .stayAlive,
          ])
        case "/api/voice/events": return .stream([.stayAlive])
        case "/api/actions": return .json("[\(row)]")
        case "/api/stats": return .json(stats)
        default: return .json(#"{"error":"\#(echo)"}"#, status: "500 \(echo)")
        }
      }
    }

    @Test("what a server echoes in its data is on no screen and in no output")
    func echo() throws {
      let server = try Self.parrot()
      defer { server.stop() }
      let verbs = try [
        ["tail"], ["tail", "--json"], ["tail", "--raw"],
        ["snapshot", "--view", "pulse", "--json"], ["actions", "--json"], ["facts", "list"],
      ].map { try run($0 + ["--url", server.url]) }
      for (index, process) in verbs.enumerated() {
        if index < 3 {
          let hasBoth = process.pump { process.text.contains(" end") }
          #expect(hasBoth, "\(process.text) \(process.errorText)")
          process.signal(SIGTERM)
        }
        process.wait()
        #expect(!(process.text + process.errorText).contains(Self.token), "\(process.text)")
      }
      // The rest of the text is as it was.
      #expect(verbs[1].text.contains(#""content":"live <token><token> end""#), "\(verbs[1].text)")
      #expect(
        verbs[2].text.contains(#""event":"<token>","data":"1","lastEventId":"<token>""#),
        "\(verbs[2].text)")
      let cockpit = try Cockpit(["--url", server.url], home: home, token: Self.token, columns: 160)
      try cockpit.see("parrot")
      for tab in ["2", "3", "4", "5", "1"] {
        let before = cockpit.pty.output.count
        cockpit.type(tab)
        #expect(cockpit.pty.pump(timeout: Tool.patience) { cockpit.pty.output.count > before })
      }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(!String(decoding: cockpit.pty.output, as: UTF8.self).contains(Self.token))
    }

    @Test("the user's editor does not get the token, neither on the screen nor without one")
    func editors() throws {
      let seen = "\(home.path)/seen"
      let spy = try home.file("spy", "#!/bin/sh\nenv > '\(seen)'\n", mode: 0o700)
      let demo = try DemoBackend(["--scenario", "quiet"], home: home)
      let environment = ["VISUAL": spy, "CLANKY_TOKEN": demo.token]
      func expectNothing() throws {
        let text = try String(contentsOfFile: seen, encoding: .utf8)
        #expect(text.contains("VISUAL="))
        #expect(!text.contains(demo.token) && !text.contains("CLANKY_TOKEN"), "\(text)")
        try FileManager.default.removeItem(atPath: seen)
      }
      let cockpit = try Cockpit(
        ["--url", demo.url], home: home, rows: 40, columns: 120, environment: environment)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("4", see: "[4 MEMORY]")
      try cockpit.see("facts") { $0.firstMatch(of: /FACT #\d+/) != nil }
      try cockpit.type("E", see: "nothing changed")
      try expectNothing()
      cockpit.type("\u{1B}")
      try cockpit.see("the list") { !$0.contains("EDIT FACT #") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      let verb = try PTYProcess(
        Tool.path, ["facts", "edit", "3", "--url", demo.url],
        environment: Tool.environment(home: home, environment), rows: 40, columns: 200)
      #expect(verb.wait(timeout: Tool.patience) == .exited(1), "\(verb.terminal.text)")
      try expectNothing()
    }

    @Test("no proxy of the environment hears of a loopback backend, and nothing else is asked")
    func proxies() throws {
      let proxy = try StubServer { _ in StubReply(status: "502 Bad Gateway") }
      let server = try StubServer { _ in .json("{}", status: "401 Unauthorized") }
      defer {
        proxy.stop()
        server.stop()
      }
      var environment: [String: String] = [:]
      for name in [
        "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
      ] {
        environment[name] = proxy.url
      }
      environment["no_proxy"] = ""
      for host in ["127.0.0.1", "localhost"] {
        let process = try run(
          ["tail", "--url", "http://\(host):\(server.port)"], environment)
        #expect(process.wait() == .exited(4), "\(process.errorText)")
      }
      #expect(proxy.connections == 0)
      #expect(server.requests.count == 2)
    }

    @Test(
      "a name that the proxy of the environment cannot reach is told from one that is not there")
    func remoteProxy() throws {
      let proxy = try StubServer { _ in StubReply(status: "502 Bad Gateway") }
      defer { proxy.stop() }
      let process = try run(
        ["tail", "--url", "https://bot.example"], ["https_proxy": proxy.url])
      #expect(process.wait() == .exited(3))
      #expect(process.errorText.contains("proxy did not let the request through"))
      #expect(process.errorText.contains("Check https_proxy,"), "\(process.errorText)")
      // The proxy receives the host name, and not the token.
      #expect(proxy.requests.map(\.target) == ["bot.example:443"])
      #expect(proxy.requests.allSatisfy { !"\($0)".contains(Self.token) })
    }

    @Test(
      "https to a port that speaks something else is not called a bad certificate (promise P4b)")
    func plainPort() throws {
      let server = try StubServer { _ in StubReply() }
      defer { server.stop() }
      let process = try run(["tail", "--url", "https://127.0.0.1:\(server.port)"])
      // A server that reads lines waits for one; nobody waits longer than the limits say.
      server.stop()
      #expect(process.wait() == .exited(3), "\(process.errorText)")
      #expect(!process.errorText.contains("certificate"), "\(process.errorText)")
    }
  }
}
