import Foundation
import Testing

extension EndToEnd {
  /// Servers that can only be talked to: `kind = "openai"`.
  @Suite("chat servers") struct ChatServerTests {
    /// A home with a profile for the HTTP side of a demo gateway, which is taken for any server.
    private func home(_ more: String = "model = \"openclaw/moss\"") throws -> GatewayHome {
      let claw = try GatewayHome()
      let url = claw.demo.url.replacing("ws://", with: "http://")
      try claw.write(
        """
        profile = "llm"
        [profiles.llm]
        kind = "openai"
        url = "\(url)/v1"
        token_file = "\(claw.demo.tokenFile)"
        \(more)

        """)
      return claw
    }

    @Test("a message is answered by the model of the profile", arguments: ["chat", "responses"])
    func answer(api: String) throws {
      let claw = try home("model = \"openclaw/moss\"\napi = \"\(api)\"")
      let said = try claw.run(["chat", "-m", "What is due?"])
      #expect(said.status == .exited(0), "\(said)")
      let entry = try #require(
        try claw.truth("entries").last { $0["what"] as? String == "message" })
      let run = try #require(
        try claw.truth("runs").first { $0["id"] as? String == entry["run"] as? String })
      #expect(said.text == (run["text"] as? String ?? "?") + "\n")
      #expect(run["agent"] as? String == "moss" && entry["over"] as? String == api)
      // Nothing that only a gateway knows is sent.
      #expect(entry["has_key"] as? Bool == false && entry["channel"] is NSNull)
      let other = try claw.run(["chat", "-m", "Another", "--agent", "openclaw/tally"])
      #expect(other.status == .exited(0), "\(other)")
      #expect(try claw.truth("runs").last?["agent"] as? String == "tally")
    }

    @Test("without a model the first of the server answers")
    func firstModel() throws {
      let said = try home("").run(["chat", "-m", "What is due?"])
      #expect(said.status == .exited(0), "\(said)")
    }

    @Test("status and doctor say whether it can be reached")
    func status() throws {
      let claw = try home()
      let status = try claw.run(["status"])
      #expect(status.status == .exited(0) && status.text.hasPrefix("reachable  5 models"))
      let json = try claw.run(["status", "--json"]).objects.first
      #expect(json?["state"] as? String == "reachable" && json?["models"] as? Int == 5)
      let doctor = try claw.run(["doctor", "--json"]).objects
      let connection = doctor.first { $0["name"] as? String == "connection" }
      #expect("\(connection ?? [:])".contains("5 models at /v1/models"), "\(doctor)")
      try claw.write(
        "[profiles.llm]\nkind = \"openai\"\nurl = \"http://127.0.0.1:9/v1\"\n")
      let away = try claw.run(["status", "--profile", "llm"])
      #expect(away.status == .exited(3) && away.text.hasPrefix("unreachable"), "\(away)")
    }

    @Test("verbs that need rows say what the profile is for")
    func otherVerbs() throws {
      let claw = try home()
      for verb in [["tail", "--once"], ["facts", "list"], ["record"], ["sessions"]] {
        let said = try claw.run(verb)
        #expect(said.status == .exited(2), "\(verb): \(said)")
      }
      let said = try claw.run(["sessions"])
      #expect(said.errors.contains("the profile 'llm' is a chat server"), "\(said)")
    }

    @Test("keys of one kind are refused in a profile of another")
    func keys() throws {
      for (profile, sentence) in [
        ("kind = \"openai\"", "needs a url beside it"),
        (
          "kind = \"openai\"\nurl = \"http://127.0.0.1:1\"\napi = \"ws\"",
          "only a gateway has a WebSocket"
        ),
        ("url = \"http://127.0.0.1:1\"\nmodel = \"m\"", "belongs to a profile with kind"),
        (
          "kind = \"openai\"\nurl = \"http://127.0.0.1:1\"\nscopes = \"admin\"",
          "kind = \"openclaw\""
        ),
        ("kind = \"openclaw\"\nurl = \"ws://127.0.0.1:1\"\nmodel = \"m\"", "kind = \"openai\""),
      ] {
        let claw = try home()
        try claw.write("[profiles.x]\n\(profile)\n")
        let said = try claw.run(["chat", "-m", "Hello", "--profile", "x"])
        #expect(said.status == .exited(2) && said.errors.contains(sentence), "\(said)")
      }
    }

    @Test("the token of another place is not sent")
    func foreignTokens() throws {
      let claw = try GatewayHome()
      let url = claw.demo.url.replacing("ws://", with: "http://")
      try claw.write("[profiles.llm]\nkind = \"openai\"\nurl = \"\(url)\"\n")
      let token = try String(contentsOfFile: claw.demo.tokenFile, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      // It is the right one: sent, it would be taken.
      for variable in ["CLANKY_TOKEN", "OPENCLAW_GATEWAY_TOKEN", "OPENAI_API_KEY"] {
        let said = try claw.run(
          ["chat", "-m", "Hello", "--profile", "llm"], [variable: token])
        #expect(said.status == .exited(4), "\(variable): \(said)")
        #expect(said.errors.contains("wants a token"), "\(said)")
      }
    }

    // MARK: Peers that nobody here wrote

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    /// The Python of `scripts/peers/install`, else that of the system; nil where it lacks a module.
    private func python(with module: String) throws -> String? {
      let home = try TemporaryFolder()
      for python in [
        "\(Self.root)/.build/peers/bin/python3", "/usr/bin/python3", "/usr/local/bin/python3",
      ]
      where FileManager.default.isExecutableFile(atPath: python) {
        let process = try PipedProcess(
          python, ["-c", "import \(module)"], environment: Tool.environment(home: home))
        if process.wait(.seconds(60)) == .exited(0) { return python }
      }
      print("Python has no module \(module) (scripts/peers/install); its part is not played")
      return nil
    }

    @Test("the openai package of Python streams from the demo gateway", arguments: ["3", "4"])
    func openAIPackage(version: String) throws {
      guard let python = try python(with: "openai") else { return }
      let claw = try GatewayHome(["--protocol", version])
      let token = try String(contentsOfFile: claw.demo.tokenFile, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let process = try PipedProcess(
        python,
        [
          "\(Self.root)/scripts/peers/openai-client.py",
          claw.demo.url.replacing("ws://", with: "http://") + "/v1",
        ], environment: Tool.environment(home: claw.home, ["PEER_TOKEN": token]))
      #expect(process.wait(.seconds(90)) == .exited(0), "\(process.errorText)")
      let said = try #require(try PlainAction.objects(process.text).first)
      #expect((said["models"] as? [String])?.contains("openclaw/heron") == true)
      let entries = try claw.truth("entries").filter { $0["what"] as? String == "message" }
      let runs = try claw.truth("runs")
      for name in ["chat", "chat_stream", "responses", "responses_stream", "image", "history"] {
        let part = try #require(said[name] as? [String: Any], "\(name): \(process.text)")
        let entry = try #require(entries.first { $0["text"] as? String == "peer \(name)" })
        let run = runs.first { $0["id"] as? String == entry["run"] as? String }
        #expect(part["text"] as? String == run?["text"] as? String, "\(name)")
        #expect(part["id"] as? String == run?["id"] as? String, "\(name)")
        #expect((part["total_tokens"] as? Int ?? 0) > 0, "\(name)")
      }
      #expect(entries.first { $0["text"] as? String == "peer image" }?["images"] as? Int == 1)
      #expect(entries.first { $0["text"] as? String == "peer history" }?["earlier"] as? Int == 2)
      #expect(said["bad_model"] as? Int == 400 && said["bad_token"] as? Int == 401)
      #expect(said["reserved"] as? Int == (version == "4" ? 400 : 200))
      #expect(said["failed"] as? Bool == (version == "4"))
    }

    @Test("a server that nobody here wrote answers, alone and before a demo gateway")
    func foreignServer() throws {
      guard let python = try python(with: "litellm.proxy.proxy_server") else { return }
      let claw = try GatewayHome()
      let port = try Self.freePort()
      let upstream = try String(contentsOfFile: claw.demo.tokenFile, encoding: .utf8)
        .trimmingCharacters(in: .whitespacesAndNewlines)
      let config = try claw.home.file(
        "litellm.yaml",
        """
        model_list:
          - model_name: echo
            litellm_params:
              model: openai/echo
              api_key: none
              mock_response: "Three jars — and one lid."
          - model_name: moss
            litellm_params:
              model: openai/openclaw/moss
              api_key: \(upstream)
              api_base: \(claw.demo.url.replacing("ws://", with: "http://"))/v1
        general_settings:
          master_key: sk-peer-4711-lantern

        """)
      let server = try PipedProcess(
        python,
        [
          "-c", "from litellm import run_server; run_server()", "--config", config, "--host",
          "127.0.0.1", "--port", "\(port)", "--telemetry", "False",
        ], environment: Tool.environment(home: claw.home))
      defer { server.signal(SIGKILL) }
      let token = try claw.home.file("token", "sk-peer-4711-lantern")
      try claw.write(
        """
        profile = "llm"
        [profiles.llm]
        kind = "openai"
        url = "http://127.0.0.1:\(port)/v1"
        token_file = "\(token)"
        model = "echo"

        """)
      // The server takes its time to start: its models are asked for until it names them.
      let end = ContinuousClock.now + .seconds(90)
      while try claw.run(["status"]).status != .exited(0) {
        server.pump(.milliseconds(500)) { false }
        try #require(
          ContinuousClock.now < end && server.status == nil, "\(server.text)\(server.errorText)")
      }
      let said = try claw.run(["chat", "-m", "What is on the shelf?"])
      #expect(said.status == .exited(0) && said.text == "Three jars — and one lid.\n", "\(said)")
      for api in ["chat", "responses"] {
        let message = "through it by \(api)"
        let said = try claw.run(["chat", "-m", message, "--agent", "moss", "--api", api])
        let entry = try #require(
          try claw.truth("entries").last { $0["text"] as? String == message })
        let run = try #require(
          try claw.truth("runs").first { $0["id"] as? String == entry["run"] as? String })
        #expect(said.status == .exited(0), "\(said)")
        #expect(said.text == (run["text"] as? String ?? "?") + "\n", "\(api)")
      }
      let unknown = try claw.run(["chat", "-m", "Hello", "--agent", "nobody"])
      #expect(unknown.status == .exited(2), "\(unknown)")
      _ = try claw.home.file("token", "sk-another-4711-token")
      let refused = try claw.run(["chat", "-m", "Hello"])
      #expect(refused.status != .exited(0) && !refused.errors.contains("another-4711"))
    }

    /// A port of this machine that was free a moment ago.
    private static func freePort() throws -> UInt16 {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
        }
      }
      try #require(result)
      return UInt16(bigEndian: address.sin_port)
    }
  }
}
