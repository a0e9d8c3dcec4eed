import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A client certificate for a bot and for HTTP to a gateway, against `openssl s_server`.
  @Suite(
    "client certificates (promise P4b)",
    .enabled(if: TestAuthority.isThere, "\(TestAuthority.tool) is not there"))
  struct ClientCertificateTests {
    let home: TemporaryFolder
    let authority: TestAuthority

    init() throws {
      home = try TemporaryFolder()
      authority = try TestAuthority(home)
    }

    private func leaf(_ name: String) throws -> (key: String, certificate: String) {
      try authority.leaf(
        name, for: "IP:127.0.0.1", from: "20200101000000Z", to: "20400101000000Z")
    }

    private func run(
      _ url: String, _ certificate: String?, _ key: String?, _ more: [String] = []
    ) throws -> PipedProcess {
      let lines =
        ["[profiles.prod]", "url = \"\(url)\"", "ca_file = \"\(authority.certificate)\""]
        + (certificate.map { ["client_certificate = \"\($0)\""] } ?? [])
        + (key.map { ["client_key = \"\($0)\""] } ?? [])
      let file = try home.file("c.toml", lines.joined(separator: "\n") + "\n")
      return try PipedProcess(
        Tool.path, ["status", "--config", file, "--profile", "prod"] + more,
        environment: Tool.environment(home: home, token: "Sesame-0815-open"))
    }

    @Test("a bot that wants one: it goes to the origin of the profile, and to no other")
    func bot() throws {
      let server = try leaf("server")
      let desk = try leaf("desk")
      for version in ["-tls1_2", "-tls1_3"] {
        let asking = [
          "-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate, version,
        ]
        let good = try TLSEndpoint(server, options: asking)
        let process = try run(good.url, desk.certificate, desk.key)
        #expect(process.pump { good.heard.contains("GET /api/") }, "\(version): \(good.heard)")
        process.signal(SIGKILL)
        _ = process.wait()

        let strict = try TLSEndpoint(server, options: asking)
        for isElsewhere in [false, true] {
          // The certificate is for another port.
          let outcome =
            isElsewhere
            ? try run(
              "https://127.0.0.1:1", desk.certificate, desk.key, ["--url", strict.url])
            : try run(strict.url, nil, nil)
          #expect(outcome.wait() == .exited(3), "\(version): \(outcome.errorText)")
          #expect(
            outcome.errorText.contains("wants a client certificate that it knows"),
            "\(version): \(outcome.errorText)")
          #expect(outcome.errorText.split(separator: "\n").count == 1)
        }
        #expect(strict.heard.isEmpty)
      }
    }

    @Test("what cannot be used is named before anybody is asked")
    func files() throws {
      let desk = try leaf("desk")
      let other = try leaf("other")
      let key = try String(contentsOfFile: desk.key, encoding: .utf8)
      let wide = try home.file("wide.key", key, mode: 0o644)
      let server = try StubServer { _ in StubReply(isClosed: true) }
      defer { server.stop() }
      let url = "https://127.0.0.1:\(server.port)"
      for (certificate, key, words) in [
        (home.path + "/none.pem", desk.key, "there is no file"),
        (desk.certificate, wide, "can be read by others; run: chmod 600 '\(wide)'"),
      ] {
        let outcome = try run(url, certificate, key)
        #expect(outcome.wait() == .exited(2), "\(outcome.errorText)")
        #expect(outcome.errorText.contains("the profile 'prod': "), "\(outcome.errorText)")
        #expect(outcome.errorText.contains(words), "\(outcome.errorText)")
      }
      #expect(server.connections == 0)
      let tls = try TLSEndpoint(try leaf("server"))
      let pair = try run(tls.url, desk.certificate, other.key)
      #expect(pair.wait() == .exited(3))
      #expect(
        pair.errorText.contains("Check that client_key in the profile is the key"),
        "\(pair.errorText)")
      #expect(tls.heard.isEmpty)
    }

    @Test("an OpenClaw gateway over HTTP: certificate and pin hold there as well")
    func chat() throws {
      let server = try leaf("server")
      let desk = try leaf("desk")
      let asking = ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate]
      let token = try home.file("token", "lantern-4711")
      func ask(_ tls: TLSEndpoint, _ more: [String]) throws -> PipedProcess {
        let file = try home.file(
          "claw.toml",
          ([
            "[profiles.claw]", "kind = \"openclaw\"", "url = \"wss://127.0.0.1:\(tls.port)\"",
            "token_file = \"\(token)\"", "ca_file = \"\(authority.certificate)\"",
          ] + more + [""]).joined(separator: "\n"))
        return try PipedProcess(
          Tool.path,
          [
            "chat", "-m", "Hello", "--agent", "moss", "--api", "chat", "--config", file,
            "--profile", "claw",
          ], environment: Tool.environment(home: home))
      }
      let own = [
        "client_certificate = \"\(desk.certificate)\"", "client_key = \"\(desk.key)\"",
      ]
      let good = try TLSEndpoint(server, options: asking)
      let process = try ask(good, own)
      #expect(process.pump { good.heard.contains("Bearer lantern-4711") }, "\(process.errorText)")
      process.signal(SIGKILL)
      _ = process.wait()

      let strict = try TLSEndpoint(server, options: asking)
      let wrong = "pin = \"sha256//AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\""
      for more in [[], own + [wrong]] {
        let refused = try ask(strict, more)
        #expect(refused.wait() == .exited(3), "\(refused.errorText)")
        #expect(refused.errorText.split(separator: "\n").count == 1, "\(refused.errorText)")
      }
      #expect(strict.heard.isEmpty, "\(strict.heard)")
    }
  }
}
