import Foundation
import Testing

extension EndToEnd {
  /// A gateway behind TLS that wants a client certificate, and behind a proxy.
  @Suite(
    "TLS and proxies of a gateway",
    .enabled(if: TestAuthority.isThere, "\(TestAuthority.tool) is not there"))
  struct GatewayTLSTests {
    typealias Pair = (key: String, certificate: String)

    let claw: GatewayHome
    let authority: TestAuthority
    let foreign: TestAuthority
    private let folders: [TemporaryFolder]

    init() throws {
      claw = try GatewayHome()
      folders = try [TemporaryFolder(), TemporaryFolder()]
      authority = try TestAuthority(folders[0])
      foreign = try TestAuthority(folders[1])
    }

    private func leaf(
      _ name: String, _ subject: String = "IP:127.0.0.1", of authority: TestAuthority? = nil,
      to end: String = "20400101000000Z"
    ) throws -> Pair {
      try (authority ?? self.authority).leaf(name, for: subject, from: "20200101000000Z", to: end)
    }

    /// `approvals list` against the demo gateway behind TLS.
    private func list(
      _ server: Pair, _ profile: [String], options: [String] = []
    ) throws -> GatewayHome.Outcome {
      let tls = try TLSEndpoint(server, options: options, target: claw.demo.port)
      try claw.configure(
        (["scopes = \"operate\""] + profile).joined(separator: "\n"),
        url: "wss://127.0.0.1:\(tls.port)")
      return try claw.approvals("list", "--timeout", "5")
    }

    private func expectList(_ outcome: GatewayHome.Outcome, _ what: String = "") {
      #expect(outcome.status == .exited(0), "\(what): \(outcome)")
      #expect(outcome.text.contains("git push vault main"), "\(what): \(outcome)")
    }

    /// One line on stderr, and nothing else.
    private func expectRefusal(
      _ outcome: GatewayHome.Outcome, _ status: Int32, _ words: [String], _ what: String = ""
    ) {
      #expect(outcome.status == .exited(status), "\(what): \(outcome)")
      #expect(outcome.text.isEmpty, "\(what): \(outcome)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(what): \(outcome)")
      for word in words { #expect(outcome.errors.contains(word), "\(what): \(outcome)") }
      #expect(!outcome.errors.contains(claw.demo.token), "\(what): \(outcome)")
    }

    private var anchor: String { "ca_file = \"\(authority.certificate)\"" }

    private func own(_ certificate: String, _ key: String?) -> [String] {
      [anchor, "client_certificate = \"\(certificate)\""]
        + (key.map { ["client_key = \"\($0)\""] } ?? [])
    }

    private func asking(_ version: String) -> [String] {
      ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate, version]
    }

    @Test("a client certificate: right, missing, of another authority, with another's key")
    func clientCertificate() throws {
      let server = try leaf("server")
      let desk = try leaf("desk", "DNS:desk")
      let stranger = try leaf("stranger", "DNS:desk", of: foreign)
      for version in ["-tls1_2", "-tls1_3"] {
        let options = asking(version)
        expectList(
          try list(server, own(desk.certificate, desk.key), options: options), version)
        let wants = [
          "wants a client certificate that it knows", "Check client_certificate and client_key",
        ]
        expectRefusal(try list(server, [anchor], options: options), 4, wants, version)
        expectRefusal(
          try list(server, own(stranger.certificate, stranger.key), options: options), 4, wants,
          version)
      }
      expectRefusal(
        try list(server, own(desk.certificate, stranger.key)), 2,
        ["Check that client_key is the key of client_certificate."])
      // Both in one file.
      let both = try claw.home.file(
        "both.pem",
        try String(contentsOfFile: desk.certificate, encoding: .utf8)
          + String(contentsOfFile: desk.key, encoding: .utf8))
      expectList(try list(server, own(both, nil), options: asking("-tls1_3")))
    }

    @Test("files of a client certificate that cannot be used are named before anybody is asked")
    func files() throws {
      let desk = try leaf("desk", "DNS:desk")
      let key = try String(contentsOfFile: desk.key, encoding: .utf8)
      let wide = try claw.home.file("wide.key", key, mode: 0o644)
      let closed = try claw.home.file("text.pem", "no PEM")
      let locked = claw.home.path + "/locked.key"
      let tool = try PipedProcess(
        TestAuthority.tool,
        ["pkey", "-in", desk.key, "-aes128", "-passout", "pass:lantern", "-out", locked],
        environment: ["PATH": "/usr/bin:/bin"])
      try #require(tool.wait() == .exited(0))
      let server = try StubServer { _ in StubReply(isClosed: true) }
      defer { server.stop() }
      let folder = claw.home.path
      for (profile, words) in [
        (own("\(folder)/none.pem", desk.key), ["there is no file", "correct the path"]),
        (own(desk.certificate, "\(folder)/none.key"), ["client_key: there is no file"]),
        (own(desk.certificate, nil), ["holds no private key", "name its file with client_key"]),
        (own(closed, desk.key), ["holds no certificate in PEM", "BEGIN CERTIFICATE"]),
        (own(desk.certificate, closed), ["holds no private key in PEM", "BEGIN PRIVATE KEY"]),
        (own(desk.certificate, folder), ["is not a regular file"]),
        (own(desk.certificate, wide), ["can be read by others", "chmod 600 '\(wide)'"]),
        (
          own(desk.certificate, locked), ["is encrypted", "openssl pkey -in '\(locked)' -out FILE"]
        ),
      ] {
        try claw.configure(
          (["scopes = \"operate\""] + profile).joined(separator: "\n"),
          url: "wss://127.0.0.1:\(server.port)")
        expectRefusal(
          try claw.approvals("list"), 2, ["the profile 'claw': "] + words, "\(words)")
        let doctor = try claw.run(["doctor", "--profile", "claw"])
        for word in words { #expect(doctor.text.contains(word), "\(doctor)") }
        #expect(try claw.run(["tail", "--profile", "claw"]).status == .exited(2))
      }
      #expect(server.connections == 0)
    }

    @Test("pin and authority: both have to hold; what is wrong is named with the next step")
    func pins() throws {
      let server = try leaf("server")
      let tool = try PipedProcess(
        "/bin/sh",
        [
          "-c",
          "openssl pkey -in \"$0\" -pubout -outform der | openssl dgst -sha256 -binary | base64",
          server.key,
        ], environment: ["PATH": "/usr/bin:/bin"])
      try #require(tool.wait() == .exited(0))
      let hash = tool.text.trimmingCharacters(in: .whitespacesAndNewlines)
      let pin = "pin = \"sha256//\(hash)\""
      expectList(try list(server, [anchor, pin]))
      expectRefusal(
        try list(server, [pin]), 3,
        ["was not accepted", "Name the authority that signed it", "ca_file in the profile"])
      expectRefusal(
        try list(try leaf("other"), [anchor, pin]), 3,
        ["public key is not the one that the profile pins", "correct pin"])
      for (pair, words) in [
        (try leaf("old", to: "20200201000000Z"), ["has expired", "Renew it on the gateway"]),
        (
          try leaf("elsewhere", "DNS:elsewhere.example"),
          ["Write the host name that it is for into the url"]
        ),
      ] {
        expectRefusal(try list(pair, [anchor]), 3, words)
      }
      // The option wins over the profile.
      let tls = try TLSEndpoint(server, target: claw.demo.port)
      try claw.configure("scopes = \"operate\"", url: "wss://127.0.0.1:\(tls.port)")
      expectList(try claw.approvals("list", "--ca-file", authority.certificate))
      expectRefusal(
        try claw.approvals("list", "--ca-file", "/nonexistent.pem"), 2, ["/nonexistent.pem"])
    }

    @Test("a proxy: a way through, a password, a refusal, one that dies, nobody there, no_proxy")
    func proxies() throws {
      let server = try leaf("server", "DNS:claw.invalid")
      try claw.configure("scopes = \"operate\"\n\(anchor)", url: "wss://claw.invalid:8443")
      func list(_ proxy: UInt16, secret: String = "", _ more: [String: String] = [:]) throws
        -> GatewayHome.Outcome
      {
        try claw.run(
          ["approvals", "list", "--timeout", "5"],
          ["HTTPS_PROXY": "http://\(secret)127.0.0.1:\(proxy)"].merging(more) { $1 })
      }
      let tls = try TLSEndpoint(server, target: claw.demo.port)
      let open = try TunnelProxy(to: tls.port)
      defer { open.stop() }
      expectList(try list(open.port))
      #expect(open.requests.allSatisfy { $0.hasPrefix("CONNECT claw.invalid:8443 HTTP/1.1\r\n") })
      #expect(open.requests.count == 1 && !"\(open.requests)".contains(claw.demo.token))
      expectRefusal(
        try list(open.port, ["NO_PROXY": "claw.invalid"]), 3, ["host name is not known"])
      #expect(open.requests.count == 1)

      let again = try TLSEndpoint(server, target: claw.demo.port)
      let login = Data("ops:lantern".utf8).base64EncodedString()
      let guarded = try TunnelProxy(to: again.port, .open(credentials: "Basic \(login)"))
      defer { guarded.stop() }
      for secret in ["", "ops:EXAMPLE@"] {
        let refused = try list(guarded.port, secret: secret)
        expectRefusal(refused, 3, ["wants a user name and password", "https_proxy=http://NAME"])
        #expect(!refused.errors.contains("EXAMPLE"))
      }
      expectList(try list(guarded.port, secret: "ops:lantern@"))

      let closing = try TunnelProxy(to: tls.port, .closing)
      defer { closing.stop() }
      expectRefusal(try list(closing.port), 3, ["TLS with the gateway did not begin"])
      let dying = try StubServer { _ in StubReply(isClosed: true) }
      let next = ["The proxy did not let the connection through", "Check https_proxy", "no_proxy"]
      expectRefusal(try list(dying.port), 3, next)
      dying.stop()
      expectRefusal(try list(dying.port), 3, next)
      let down = try StubServer { _ in StubReply(status: "502 Bad Gateway") }
      defer { down.stop() }
      expectRefusal(try list(down.port), 3, next + ["502"])
    }

    @Test("the proxy dies in the middle of a connection: the loss is said, and tried again")
    func proxyDies() throws {
      let server = try leaf("server", "DNS:claw.invalid")
      try claw.configure("scopes = \"operate\"\n\(anchor)", url: "wss://claw.invalid:8443")
      let tls = try TLSEndpoint(server, target: claw.demo.port)
      let proxy = try TunnelProxy(to: tls.port)
      let tail = try PipedProcess(
        Tool.path, ["tail", "--profile", "claw", "--json"],
        environment: Tool.environment(
          home: claw.home, ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]))
      defer { tail.signal(SIGTERM) }
      try #require(tail.pump { tail.text.contains("\"control\"") }, "\(tail.errorText)")
      proxy.drop()
      try #require(
        tail.pump { tail.text.contains(#""state":"reconnecting""#) }, "\(tail.errorText)")
      #expect(tail.text.contains("gateway_disconnected"), "\(tail.text)")
      #expect(tail.status == nil)
    }
  }
}
