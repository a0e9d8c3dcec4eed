import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A profile that is a gateway: who gets in, and what cannot be done with it.
  @Suite("profiles of gateways") struct GatewayProfileTests {
    @Test("a newcomer is told how it is approved, keeps its key, and then needs no shared token")
    func pairing() throws {
      let claw = try GatewayHome(["--pairing"])
      let first = try claw.approvals("list")
      let request = try #require(try claw.truth("pairings").first)
      let id = try #require(request["id"] as? String)
      let device = try #require(request["device"] as? String)
      #expect(first.status == .exited(4) && first.text.isEmpty, "\(first)")
      #expect(first.errors.contains("On the gateway's host run: openclaw devices approve \(id) "))
      #expect(
        first.errors.contains(
          "operator.read, operator.write, operator.approvals, operator.questions, operator.pairing; device \(device.prefix(16))"
        ))
      // The same request still: it is the same device.
      #expect(try claw.approvals("list").errors.contains(id))
      #expect(try claw.truth("pairings").count == 1)
      try claw.fault("pairing", ["requestId": id])
      #expect(try claw.approvals("list").status == .exited(0))

      try claw.configure("scopes = \"operate\"", hasToken: false)
      let own = try claw.approvals("list")
      #expect(own.status == .exited(0) && own.lines.count == 1, "\(own)")
      // More than was approved: asked for with the shared token, which is missing here.
      try claw.configure("scopes = \"admin\"", hasToken: false)
      let more = try claw.approvals("list")
      #expect(more.status == .exited(4), "\(more)")
      try claw.configure("scopes = \"admin\"")
      let upgrade = try claw.approvals("list")
      #expect(upgrade.status == .exited(4), "\(upgrade)")
      let second = try #require(try claw.truth("pairings").last?["id"] as? String)
      #expect(
        upgrade.errors.contains(
          "has approved operator.approvals, operator.pairing, operator.questions, operator.read, operator.write only. To allow the rest, run on its host: openclaw devices approve \(second) "
        ), "\(upgrade)")
    }

    @Test("what is kept is for us alone, and no secret is shown or written elsewhere")
    func secrets() throws {
      let claw = try GatewayHome()
      var said = ""
      for line in [
        ["approvals", "list"], ["approvals", "show", "--json"], ["config", "show"],
        ["config", "validate"], ["doctor", "--profile", "claw"],
      ] {
        let outcome = try claw.run(line)
        said += outcome.text + outcome.errors
      }
      let folder = claw.home.path + "/.local/state/clanky-cockpit/credentials"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
      #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix("@claw.token") }, "\(names)")
      for name in names {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let kept = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
        let secret = kept.split(separator: "|").last?.trimmingCharacters(in: .newlines) ?? ""
        #expect(secret.count > 20 && !said.contains(secret) && !kept.contains(claw.demo.token))
      }
      #expect(!said.contains(claw.demo.token))
      for file in FileManager.default.enumerator(atPath: claw.home.path)?.allObjects ?? [] {
        let path = "\(claw.home.path)/\(file)"
        guard path != claw.demo.tokenFile, let data = FileManager.default.contents(atPath: path)
        else { continue }
        #expect(data.range(of: Data(claw.demo.token.utf8)) == nil, "\(path)")
      }
    }

    @Test("the token comes from a file, a variable or a command, and may be a password")
    func sources() throws {
      let claw = try GatewayHome()
      let token = claw.demo.token
      for (profile, variables, more) in [
        ("", [:], ["--token-file", claw.demo.tokenFile]),
        ("", ["OPENCLAW_GATEWAY_TOKEN": token], []),
        ("token_command = \"cat \(claw.demo.tokenFile)\"", [:], []),
        ("auth = \"password\"", ["OPENCLAW_GATEWAY_PASSWORD": token], []),
      ] as [(String, [String: String], [String])] {
        try? FileManager.default.removeItem(atPath: claw.home.path + "/.local")
        try claw.configure("scopes = \"operate\"\n" + profile, hasToken: false)
        let list = try claw.run(["approvals", "list"] + more, variables)
        #expect(list.status == .exited(0) && list.lines.count == 1, "\(profile) \(list)")
      }
      // Clanky's own token goes to no gateway.
      try? FileManager.default.removeItem(atPath: claw.home.path + "/.local")
      try claw.configure("scopes = \"operate\"", hasToken: false)
      let none = try claw.run(["approvals", "list"], ["CLANKY_TOKEN": token])
      #expect(none.status == .exited(4) && none.errors.contains("wants a token"), "\(none)")
      let wrong = try claw.run(["approvals", "list"], ["OPENCLAW_GATEWAY_TOKEN": "other"])
      #expect(wrong.status == .exited(4) && wrong.errors.contains("refused the token"))
    }

    @Test("nobody there, something else there, nothing heard, and a profile that only watches")
    func unreachable() throws {
      let claw = try GatewayHome()
      let closed = try StubServer { _ in StubReply() }
      closed.stop()
      let page = try StubServer { _ in
        StubReply(headers: [("Content-Type", "text/html")], body: Array("<html>".utf8))
      }
      defer { page.stop() }
      for (url, status, words) in [
        (closed.url, Int32(3), "Nothing listens at the gateway's address."),
        (page.url, 3, "no WebSocket. Check the url."),
        ("ws://claw.invalid:1", 2, "would send the token readable to claw.invalid"),
        ("ftp://127.0.0.1", 2, "A gateway has an address such as"),
      ] {
        try claw.configure("scopes = \"operate\"", url: url)
        let list = try claw.approvals("list")
        #expect(list.status == .exited(status) && list.errors.contains(words), "\(list)")
        #expect(list.errors.split(separator: "\n").count == 1 && list.text.isEmpty)
      }
      // As the gateway's page has it in a browser.
      try claw.configure(
        "scopes = \"operate\"", url: claw.demo.url.replacing("ws://", with: "http://"))
      #expect(try claw.approvals("list").status == .exited(0))
      try claw.configure("")
      let watching = try claw.approvals("list")
      #expect(watching.status == .exited(2) && watching.errors.contains("only watches"))
      try claw.configure("scopes = \"operate\"")
      try claw.fault("lateAnswers", ["ms": 60_000])
      let late = try claw.approvals("list", "--timeout", "1")
      #expect(late.status == .exited(3) && late.errors.contains("in time"), "\(late)")
    }

    @Test(
      "with a gateway's profile every verb that asks a bot says in one sentence what knows it",
      arguments: [
        ["facts", "reflections"], ["facts", "list"], ["actions"],
        ["voice", "join"], ["settings", "get", "x"],
        ["status", "--url", "http://127.0.0.1:1"],
      ])
    func otherVerbs(verb: [String]) throws {
      let claw = try GatewayHome()
      let outcome = try claw.run(verb + ["--profile", "claw"])
      #expect(outcome.status == .exited(2), "\(outcome)")
      #expect(
        outcome.errors.contains(
          "the profile 'claw' is an OpenClaw gateway: the screen, 'approvals', 'status', 'widget', 'tail', 'watch', 'record', 'snapshot', 'digest', 'doctor', 'chat' and what reads recordings know it, this verb does not"
        ), "\(outcome)")
      #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    }

    @Test(
      "a certificate that is not accepted, or not pinned, is said, and nothing is sent there",
      .enabled(if: TestAuthority.isThere, "openssl is not there"))
    func certificates() throws {
      let claw = try GatewayHome()
      let authority = try TestAuthority(claw.home)
      let server = try TLSEndpoint(
        try authority.leaf(
          "good", for: "IP:127.0.0.1", from: "20200101000000Z", to: "20400101000000Z"))
      let pin = "pin = \"sha256//" + String(repeating: "A", count: 43) + "=\""
      let anchor = "ca_file = \"\(authority.certificate)\""
      let url = server.url.replacing("https://", with: "wss://")
      for (more, words) in [
        ("", "The gateway's certificate was not accepted"),
        ("\(anchor)\n\(pin)", "public key is not the one that the profile pins"),
      ] {
        try claw.configure("scopes = \"operate\"\n\(more)", url: url)
        let list = try claw.approvals("list")
        #expect(list.status == .exited(3), "\(list)")
        #expect(list.errors.contains(words), "\(list)")
        #expect(server.heard.isEmpty)
      }
      try claw.configure("scopes = \"operate\"\n\(anchor)", url: url)
      #expect(try claw.approvals("list", "--timeout", "2").status == .exited(3))
      #expect(server.heard.contains("Upgrade: websocket"), "\(server.heard)")
      #expect(!server.heard.contains(claw.demo.token))
    }

    @Test("doctor looks at the gateway: approved or not, protocol, scopes, reached or not")
    func doctor() throws {
      let claw = try GatewayHome(["--pairing", "--protocol", "3"])
      func checks() throws -> (PipedProcess.Status?, [String: [String: Any]]) {
        let outcome = try claw.run(["doctor", "--json", "--profile", "claw"])
        let named = outcome.objects.compactMap { check in
          (check["name"] as? String).map { ($0, check) }
        }
        return (outcome.status, Dictionary(named) { $1 })
      }
      func words(_ check: [String: Any]?) -> String {
        check?.values.compactMap { $0 as? String }.joined(separator: " ") ?? ""
      }
      let (refused, first) = try checks()
      let id = try #require(try claw.truth("pairings").first?["id"] as? String)
      #expect(refused == .exited(4), "\(first)")
      #expect(words(first["connection"]).contains("openclaw devices approve \(id) "))
      try claw.fault("pairing", ["requestId": id])
      let (status, second) = try checks()
      #expect(status == .exited(0), "\(second)")
      let device = try #require(try claw.truth("pairings").first?["device"] as? String)
      #expect(words(second["connection"]).contains("approved as \(device.prefix(16))"))
      #expect(words(second["gateway"]).contains("2026.4.12, protocol 3"), "\(second)")
      #expect(words(second["scopes"]).contains("operator.write, operator.approvals"))
      #expect(words(second["clock"]).contains("as the gateway's"))
      #expect(words(second["token"]).contains("shared one"))
      #expect(words(try checks().1["token"]).contains("has given this device"))
      try claw.configure("")
      #expect(words(try checks().1["scopes"]).contains("approvals are not shown"))
      let closed = try StubServer { _ in StubReply() }
      closed.stop()
      try claw.configure("", url: closed.url)
      #expect(try checks().0 == .exited(3))
    }

    @Test("which gateway is meant is said, or asked for")
    func choice() throws {
      let claw = try GatewayHome()
      #expect(try claw.approvals("list", "--url", claw.demo.url).status == .exited(2))
      #expect(try claw.approvals("list", "--demo").status == .exited(2))
      try claw.write("[profiles.bot]\nurl = \"http://127.0.0.1:1\"\n")
      let none = try claw.approvals("list")
      #expect(none.status == .exited(2) && none.errors.contains("no profile is a gateway"))
      let bot = try claw.approvals("list", "--profile", "bot")
      #expect(bot.status == .exited(2) && bot.errors.contains("'bot' is no gateway"), "\(bot)")
      try claw.write(
        """
        profile = "b"
        [profiles.a]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        [profiles.b]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        scopes = "operate"
        token_file = "\(claw.demo.tokenFile)"
        """)
      #expect(try claw.approvals("list").status == .exited(0))
      try claw.write(
        """
        [profiles.a]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        [profiles.b]
        kind = "openclaw"
        url = "\(claw.demo.url)"
        """)
      let two = try claw.approvals("list")
      #expect(two.status == .exited(2), "\(two)")
      #expect(two.errors.contains("which gateway? --profile a, or --profile b"), "\(two)")
      let setup = try claw.run([
        "setup", "--url", "http://127.0.0.1:1", "--profile", "a", "--replace", "--no-token",
        "--no-test",
      ])
      #expect(setup.status == .exited(2) && setup.errors.contains("setup --kind openclaw"))
    }
  }
}
