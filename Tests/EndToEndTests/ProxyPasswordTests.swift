import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A proxy's address holds a password, and the network library repeats what it cannot read.
  @Suite("the password of a proxy") struct ProxyPasswordTests {
    static let url = "https://bot.example.invalid"
    let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func environment(_ variable: String, _ value: String) -> [String: String] {
      Tool.environment(home: home, token: "token-4711-lantern", [variable: value])
    }

    /// Addresses that libcurl repeats or takes apart, and one whose proxy is not there.
    static let addresses = [
      "htp://ops:EXAMPLE-PASSWORD@proxy.invalid:3128", "ftp://ops:EXAMPLE-PASSWORD@proxy.invalid",
      "http://ops:EXAMPLE@PASSWORD@proxy.invalid:99999",
      "http://ops:EXAMPLE PASSWORD@proxy.invalid",
      "http://ops:12345/EXAMPLE@proxy.invalid", "ops:EXAMPLE-PASSWORD@proxy.invalid:x",
      "http://ops:EXAMPLE%2DPASSWORD@proxy.invalid", "http://ops:EXAMPLE-PASSWORD@127.0.0.1:1",
      "htp://ops:" + String(repeating: "EXAMPLE", count: 60) + "@proxy.invalid",
    ]

    private func expectNothing(_ text: String, _ what: String) {
      for secret in ["EXAMPLE", "PASSWORD", "12345", "ops"] {
        #expect(!text.contains(secret), "\(what): \(text)")
      }
    }

    @Test("F02: it is in no output of any verb", arguments: addresses)
    func verbs(address: String) throws {
      let verbs = [["status"], ["tail", "--json"], ["doctor"], ["actions"], ["widget", "small"]]
      for (index, verb) in verbs.enumerated() {
        let variable = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"][index % 4]
        let process = try PipedProcess(
          Tool.path, verb + ["--url", Self.url], environment: environment(variable, address))
        #expect(process.wait() != nil)
        expectNothing(process.text + process.errorText, "\(verb)")
        if verb == ["status"] || verb == ["actions"] {
          #expect(process.status == .exited(3), "\(process.errorText)")
          #expect(process.errorText.contains("proxy"), "\(process.errorText)")
        }
      }
    }

    @Test("F02: it is on no screen and in no file that the cockpit writes")
    func screen() throws {
      for address in [Self.addresses[0], Self.addresses[2]] {
        let cockpit = try Cockpit(
          ["--url", Self.url], home: home, token: "token-4711-lantern", rows: 40, columns: 160,
          environment: ["ALL_PROXY": address])
        try cockpit.see("proxy")
        try cockpit.type("5", see: "ALL_PROXY")
        cockpit.type("q")
        cockpit.expectEnd(.exited(0))
        expectNothing(String(decoding: cockpit.pty.output, as: UTF8.self), address)
      }
      let files = FileManager.default.enumerator(atPath: home.path)?.compactMap { $0 as? String }
      for file in files ?? [] {
        guard let data = FileManager.default.contents(atPath: "\(home.path)/\(file)") else {
          continue
        }
        let text = String(decoding: data, as: UTF8.self)
        #expect(!text.contains("EXAMPLE") && !text.contains("PASSWORD"), "\(file)")
      }
    }

    @Test(
      "W07: a proxy that fails is looked for in the variable that names it",
      arguments: ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
    func variable(name: String) throws {
      let proxy = try StubServer { _ in StubReply(status: "502 Bad Gateway") }
      defer { proxy.stop() }
      let process = try PipedProcess(
        Tool.path, ["actions", "--url", Self.url], environment: environment(name, proxy.url))
      #expect(process.wait() == .exited(3), "\(process.errorText)")
      #expect(
        process.errorText.contains("Check \(name), or name the host in NO_PROXY."),
        "\(process.errorText)")
    }

    @Test("W07: for plain http it is http_proxy, and HTTP_PROXY is none")
    func plain() throws {
      let proxy = try StubServer { _ in StubReply(status: "407 Proxy Authentication Required") }
      defer { proxy.stop() }
      let process = try PipedProcess(
        Tool.path, ["actions", "--url", "http://bot.example.invalid", "--allow-plain-http"],
        environment: Tool.environment(
          home: home, token: "token-4711-lantern",
          ["http_proxy": proxy.url, "HTTP_PROXY": "http://127.0.0.1:1"]))
      #expect(process.wait() == .exited(3), "\(process.errorText)")
      #expect(process.errorText.contains("Check http_proxy,"), "\(process.errorText)")
    }
  }
}
