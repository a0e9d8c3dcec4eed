import Foundation
import Testing

extension EndToEnd {
  /// Headers that an owner adds to requests, for an access proxy before the server.
  @Suite("headers of the owner") struct OwnHeaderTests {
    private static let id = "cf-id-4711.access"
    private static let secret = "cf-secret-lantern-0815"

    /// A gateway behind a proxy that wants two headers.
    private func behindProxy() throws -> (GatewayHome, AccessProxy) {
      let claw = try GatewayHome()
      let port = try #require(URLComponents(string: claw.demo.url)?.port)
      let proxy = try AccessProxy(
        to: UInt16(port),
        wanting: ["CF-Access-Client-Id: \(Self.id)", "CF-Access-Client-Secret: \(Self.secret)"])
      return (claw, proxy)
    }

    private func headers(_ id: String, _ secret: String) -> String {
      "headers = { \"CF-Access-Client-Id\" = \"\(id)\", \"CF-Access-Client-Secret\" = \"\(secret)\" }"
    }

    @Test("a gateway behind an access proxy is reached over the WebSocket and over HTTP")
    func gateway() throws {
      let (claw, proxy) = try behindProxy()
      defer { proxy.stop() }
      let file = try claw.home.file("cf-secret", Self.secret + "\n")
      let url = "ws://127.0.0.1:\(proxy.port)"
      for (id, secret) in [
        ("env:CF_ID", "file:\(file)"), ("command:echo \(Self.id)", "env:CF_SECRET"),
        (Self.id, Self.secret),
      ] {
        try claw.configure(
          "scopes = \"operate\"\nmessage_channel = \"desk\"\n" + headers(id, secret), url: url)
        let variables = ["CF_ID": Self.id, "CF_SECRET": Self.secret]
        for api in ["ws", "chat", "responses"] {
          let said = try claw.run(["chat", "-m", "By \(api)", "--api", api], variables)
          #expect(said.status == .exited(0), "\(api): \(said)")
          let entry = try claw.truth("entries").last { $0["text"] as? String == "By \(api)" }
          if api != "ws" { #expect(entry?["channel"] as? String == "desk", "\(entry ?? [:])") }
        }
        let doctor = try claw.run(["doctor", "--profile", "claw"], variables)
        #expect(doctor.text.contains("CF-Access-Client-Secret from "), "\(doctor)")
        let shown = try claw.run(["config", "show", "--profile", "claw"], variables)
        #expect(shown.text.contains("headers.CF-Access-Client-Secret"), "\(shown)")
        for said in [doctor, shown] {
          #expect(!(said.text + said.errors).contains(Self.secret), "\(said)")
        }
      }
      // Only the configuration that holds them itself, and the file that was named.
      for file in FileManager.default.enumerator(atPath: claw.home.path)?.allObjects ?? [] {
        let path = "\(claw.home.path)/\(file)"
        guard !path.hasSuffix("cf-secret"), !path.hasSuffix("config.toml"),
          let data = FileManager.default.contents(atPath: path)
        else { continue }
        #expect(data.range(of: Data(Self.secret.utf8)) == nil, "\(path)")
      }
    }

    @Test(
      "a server that can only be talked to gets them too, and what it repeats of them is not shown")
    func server() throws {
      let (claw, proxy) = try behindProxy()
      defer { proxy.stop() }
      func write(_ secret: String) throws {
        try claw.write(
          """
          profile = "llm"
          [profiles.llm]
          kind = "openai"
          url = "http://127.0.0.1:\(proxy.port)/v1"
          token_file = "\(claw.demo.tokenFile)"
          \(headers(Self.id, secret))

          """)
      }
      try write(Self.secret)
      let said = try claw.run(["chat", "-m", "Through the proxy"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(try claw.run(["status"]).text.hasPrefix("reachable  5 models"))
      // The whole list of models and the message: each request had both.
      #expect(proxy.requests.allSatisfy { $0.contains("CF-Access-Client-Id: \(Self.id)\r\n") })
      #expect(!proxy.requests.contains { $0.contains("x-openclaw") })
      let wrong = "cf-secret-of-yesterday"
      try write(wrong)
      let refused = try claw.run(["chat", "-m", "Through the proxy"])
      #expect(refused.status == .exited(4), "\(refused)")
      #expect(!refused.errors.contains(wrong), "\(refused)")
    }

    @Test(
      "a value that cannot be had or sent ends the program, and the sentence does not repeat it")
    func unusable() throws {
      let claw = try GatewayHome()
      let open = try claw.home.file("open", Self.secret)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: open)
      for (value, sentence) in [
        ("env:CF_NOT_SET", "the environment variable CF_NOT_SET is not set"),
        ("file:/nowhere/cf", "there is no token file"), ("file:\(open)", "can be read by others"),
        ("command:false", "its command failed with status 1"),
        ("command:printf '\(Self.secret)\\177'", "its value has a line break"),
      ] {
        try claw.configure(
          "headers = { \"CF-Access-Client-Secret\" = \"\(value.replacing("\\", with: "\\\\"))\" }")
        let said = try claw.run(["chat", "-m", "Hello", "--profile", "claw"])
        #expect(said.status == .exited(2), "\(said)")
        #expect(
          said.errors.contains("the header CF-Access-Client-Secret in the profile 'claw'")
            && said.errors.contains(sentence), "\(said)")
        #expect(!said.errors.contains(Self.secret), "\(said)")
      }
      #expect(try claw.truth("entries").allSatisfy { $0["what"] as? String != "message" })
    }

    @Test("with history = \"client\" no session key is sent")
    func clientHistory() throws {
      let claw = try GatewayHome()
      for (history, hasKey) in [("client", false), ("server", true)] {
        try claw.configure("api = \"chat\"\nhistory = \"\(history)\"")
        let said = try claw.run(["chat", "-m", "Kept by the \(history)", "--profile", "claw"])
        #expect(said.status == .exited(0), "\(said)")
        let entry = try #require(
          try claw.truth("entries").last { $0["text"] as? String == "Kept by the \(history)" })
        #expect(entry["has_key"] as? Bool == hasKey)
      }
    }
  }
}
