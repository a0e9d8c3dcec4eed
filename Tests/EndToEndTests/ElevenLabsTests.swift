import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Agents of ElevenLabs: the demo service's own record is the truth.
  @Suite("agents of ElevenLabs") struct ElevenLabsTests {
    /// A demo service, and a home with a profile for its private agent.
    private final class Desk {
      struct Outcome {
        var status: PipedProcess.Status?
        var text: String
        var errors: String
        var objects: [[String: Any]] {
          text.split(separator: "\n").flatMap { (try? PlainAction.objects(String($0))) ?? [] }
        }
      }

      let home: TemporaryFolder
      let demo: DemoBackend

      init(_ profile: String = "") throws {
        home = try TemporaryFolder()
        demo = try DemoBackend(
          ["--kind", "elevenlabs", "--scenario", "quiet", "--fault-control"], home: home)
        try configure(profile)
      }

      func configure(_ more: String, tokenFile: String? = nil, url: String? = nil) throws {
        try write(
          """
          profile = "desk"
          [profiles.desk]
          kind = "elevenlabs"
          agent = "agent_juniper"
          url = "\(url ?? demo.url)"
          token_file = "\(tokenFile ?? demo.tokenFile)"
          \(more)

          """)
      }

      func write(_ text: String) throws {
        let folder = home.path + "/.config/clanky-cockpit"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
      }

      func run(_ arguments: [String], _ variables: [String: String] = [:]) throws -> Outcome {
        let process = try PipedProcess(
          Tool.path, arguments, environment: Tool.environment(home: home, variables))
        process.wait()
        return Outcome(status: process.status, text: process.text, errors: process.errorText)
      }

      func truth(_ what: String) throws -> [[String: Any]] {
        let entries = try demo.request("GET", "/__demo/truth").object["entries"]
        return (entries as? [[String: Any]] ?? []).filter { $0["what"] as? String == what }
      }

      func screen(rows: Int = 40, columns: Int = 120) throws -> Cockpit {
        let cockpit = try Cockpit(
          ["--profile", "desk", "--utc"], home: home, rows: rows, columns: columns)
        try cockpit.see("live") { _ in cockpit.isLive }
        return cockpit
      }
    }

    @Test("chat holds a conversation, and closes it")
    func chat() throws {
      let desk = try Desk()
      let said = try desk.run(["chat", "-m", "When do you open?"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(said.text == "You said: When do you open?\n")
      let socket = try #require(try desk.truth("socket").first)
      #expect(socket["has_key"] as? Bool == false && socket["has_signature"] as? Bool == true)
      #expect(socket["offers_deflate"] as? Bool == false && socket["has_origin"] as? Bool == false)
      #expect(try desk.truth("said").map { $0["text"] as? String } == ["When do you open?"])
      #expect(try desk.truth("ended").first?["why"] as? String == "Client ended the conversation")
      #expect(try desk.truth("invalid").isEmpty)
    }

    @Test("config show has the profile's keys, and neither a key nor a command of them")
    func configuration() throws {
      let desk = try Desk("language = \"en\"\ntools = { lamp = \"switch --pin 4711\" }")
      let shown = try desk.run(["config", "show"])
      #expect(shown.status == .exited(0), "\(shown)")
      for line in [
        "kind = \"elevenlabs\"", "agent = \"agent_juniper\"", "language = \"en\"", "(a command)",
      ] {
        #expect(shown.text.contains(line), "\(shown)")
      }
      #expect(!shown.text.contains("4711") && !shown.text.contains(desk.demo.token))
    }

    @Test(
      "a client tool with a command is run, its parameters on standard input; others stay unknown")
    func commands() throws {
      let desk = try Desk(
        """
        tools = { lamp = "cat > /dev/null; echo lit $TOOL_NAME" }
        """)
      let said = try desk.run(["chat", "-m", "Switch on the lamp"])
      #expect(said.status == .exited(0), "\(said)")
      let results = try desk.truth("tool_result")
      #expect(results.map { $0["is_error"] as? Bool } == [false, true])
      #expect(results.first?["result"] as? String == "lit lamp\n")
      try desk.configure("tools = { lamp = \"cat; exit 3\" }")
      _ = try desk.run(["chat", "-m", "Switch on the lamp"])
      #expect(
        try desk.truth("tool_result").dropFirst(2).first?["result"] as? String
          == "the tool failed with status 3")
      try desk.configure("tools = { lamp = \"cat\" }")
      _ = try desk.run(["chat", "-m", "Switch on the lamp"])
      let given = try #require(
        try desk.truth("tool_result").dropFirst(4).first?["result"] as? String)
      #expect(given.contains("\"which\":\"wheel\""))
      try desk.configure("tools = { lamp = \"cat\" }\nread_only = true")
      let refused = try desk.run(["chat", "-m", "Switch on the lamp"])
      #expect(refused.status != .exited(0), "\(refused)")
    }

    @Test("client tools are answered once each, as unknown")
    func tools() throws {
      let desk = try Desk()
      let said = try desk.run(["chat", "--json", "-m", "Switch on the lamp"])
      #expect(said.status == .exited(0), "\(said)")
      let results = try desk.truth("tool_result")
      #expect(results.map { $0["name"] as? String } == ["lamp", "unlock_door"])
      #expect(results.allSatisfy { $0["is_error"] as? Bool == true })
      #expect(said.objects.contains { $0["name"] as? String == "lamp" }, "\(said.text)")
    }

    @Test("a public agent without a key, and one that allows no overrides")
    func publicAgents() throws {
      let desk = try Desk()
      for agent in ["agent_linden", "agent_strict"] {
        try desk.write(
          "[profiles.open]\nkind = \"elevenlabs\"\nagent = \"\(agent)\"\nurl = \"\(desk.demo.url)\"\n"
        )
        let said = try desk.run(["chat", "--profile", "open", "-m", "Hello"])
        #expect(said.status == .exited(0) && said.text == "You said: Hello\n", "\(said)")
      }
      // The one attempt without overrides.
      #expect(try desk.truth("socket").count == 3)
    }

    @Test(
      "what goes wrong is one sentence",
      arguments: [
        ("agent_slow", "did not answer within 20 s"), ("agent_quota", "quota"),
        ("agent_vars", "order_id"), ("nobody", "no agent with this id"),
      ])
    func ends(agent: String, words: String) throws {
      let desk = try Desk()
      try desk.write(
        """
        [profiles.desk]
        kind = "elevenlabs"
        agent = "\(agent)"
        url = "\(desk.demo.url)"
        token_file = "\(desk.demo.tokenFile)"
        """)
      let said = try desk.run(["chat", "--profile", "desk", "-m", "break nothing"])
      #expect(said.status != .exited(0) && said.errors.contains(words), "\(said)")
      #expect(!(said.errors + said.text).contains(desk.demo.token))
    }

    @Test("a wrong key and a dead address: status, doctor, chat")
    func refusals() throws {
      let desk = try Desk()
      let good = try desk.run(["status"])
      #expect(good.status == .exited(0) && good.text.hasPrefix("OK"), "\(good)")
      #expect(good.text.contains("58,200 characters left"), "\(good)")
      let json = try desk.run(["status", "--json"]).objects.first
      #expect(json?["kind"] as? String == "elevenlabs" && json?["state"] as? String == "ok")
      let doctor = try desk.run(["doctor", "--json"]).objects
      for name in ["connection", "agent", "quota"] {
        let check = doctor.first { $0["name"] as? String == name }
        #expect(check?["verdict"] as? String == "ok", "\(name): \(doctor)")
      }
      let wrong = try desk.home.file("wrong", "xi-wrong-4711-lantern")
      try desk.configure("", tokenFile: wrong)
      for verb in [["status"], ["chat", "-m", "Hello"]] {
        let said = try desk.run(verb)
        #expect(said.errors.contains("The API key was refused"), "\(said)")
        #expect(!(said.errors + said.text).contains("xi-wrong-4711-lantern"))
      }
      #expect(try desk.run(["status"]).status == .exited(4))
      try desk.configure("", url: "http://127.0.0.1:9")
      let away = try desk.run(["status"])
      #expect(away.status == .exited(3) && away.text.hasPrefix("UNREACHABLE"), "\(away)")
      // The variables of other services open nothing here.
      try desk.write(
        "[profiles.desk]\nkind = \"elevenlabs\"\nagent = \"agent_juniper\"\nurl = \"\(desk.demo.url)\"\n"
      )
      let other = try desk.run(
        ["chat", "--profile", "desk", "-m", "Hello"], ["CLANKY_TOKEN": desk.demo.token])
      #expect(other.status != .exited(0), "\(other)")
      // Its own one is for the hosts of its maker: this host is another.
      let own = try desk.run(
        ["chat", "--profile", "desk", "-m", "Hello"], ["ELEVENLABS_API_KEY": desk.demo.token])
      #expect(own.status != .exited(0), "\(own)")
      let given = try desk.run(
        ["chat", "--profile", "desk", "--token-file", desk.demo.tokenFile, "-m", "Hello"])
      #expect(given.status == .exited(0), "\(given)")
    }

    @Test("setup tests key and agent, and saves nothing that fails")
    func setup() throws {
      let desk = try Desk()
      let path = desk.home.path + "/.config/clanky-cockpit/config.toml"
      try FileManager.default.removeItem(atPath: path)
      let base = [
        "setup", "--kind", "elevenlabs", "--profile", "desk", "--url", desk.demo.url, "--store",
        "file",
      ]
      let bad = try desk.run(
        base + ["--agent", "nobody", "--token-file", desk.demo.tokenFile])
      #expect(bad.status != .exited(0) && bad.errors.contains("nothing is saved"), "\(bad)")
      #expect(!FileManager.default.fileExists(atPath: path))
      let good = try desk.run(
        base + ["--agent", "agent_juniper", "--token-file", desk.demo.tokenFile])
      #expect(good.status == .exited(0), "\(good)")
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("kind = \"elevenlabs\"") && !text.contains(desk.demo.token))
      let said = try desk.run(["chat", "-m", "Hello"])
      #expect(said.status == .exited(0) && said.text == "You said: Hello\n", "\(said)")
    }

    @Test("notes beside messages: context, ratings and typing reach the agent")
    func notes() throws {
      let desk = try Desk()
      let cockpit = try desk.screen()
      cockpit.type("i")
      try cockpit.type("/like\r", see: "No conversation is live")
      try cockpit.type("good evening\r", see: "You said: good evening")
      try cockpit.type("/help\r", see: "/context TEXT")
      cockpit.type("\u{1B}")
      try cockpit.see("the input again") { !$0.contains("/context TEXT") }
      try cockpit.type("/context It rains.\r", see: "it does not answer")
      try cockpit.type("/like\r", see: "rated as good")
      try cockpit.type("/unrate\r", see: "taken back")
      let frames = try desk.truth("frame").compactMap { $0["frame"] as? [String: Any] }
      let context = frames.first { $0["type"] as? String == "contextual_update" }
      #expect(context?["text"] as? String == "It rains.")
      let ratings = frames.filter { $0["type"] as? String == "feedback" }
      #expect(ratings.map { $0["score"] as? String } == ["like", nil])
      // At most one a second while something is typed.
      let typing = frames.count { $0["type"] as? String == "user_activity" }
      #expect((1...20).contains(typing), "\(typing)")
      #expect(try desk.truth("invalid").isEmpty)
    }

    @Test("the drawer, the tabs, and an approval that is answered on the screen")
    func screen() throws {
      let desk = try Desk()
      let cockpit = try desk.screen()
      try cockpit.see("today's figures") { $0.contains("characters left") }
      try cockpit.type("?", see: "VOICE: the live conversation")
      cockpit.type("q")
      try cockpit.see("the help closed") { !$0.contains("VOICE: the live conversation") }
      try cockpit.type("i", see: "Nothing was said here yet")
      try cockpit.type("book the kiln\r", see: "create_event")
      try cockpit.see("the approval in the header") { $0.contains("1 WAIT") }
      cockpit.type("\u{1B}")
      try cockpit.see("the transcript's keys") { $0.contains("i write  j k scroll") }
      cockpit.type("q")
      try cockpit.see("the tab's keys") { !$0.contains("i write  j k scroll") }
      try cockpit.type("!", see: "allow-once")
      // Enter does nothing for 400 ms after a card has appeared.
      usleep(500_000)
      cockpit.type("a")
      cockpit.type("\r")
      try cockpit.see("the decision") { _ in
        (try? desk.truth("decided").first?["approved"] as? Bool) == true
      }
      cockpit.type("q")
      try cockpit.type("2", see: "CONVERSATION")
      try cockpit.see("the transcript") {
        $0.contains("you: book the kiln") && $0.contains("Friday is booked.")
      }
      try cockpit.type("3", see: "MCP SERVERS")
      try cockpit.type("4", see: "knowledge base")
      try cockpit.type("5", see: "QUOTA")
      cockpit.type("G")
      cockpit.type("\r")
      try cockpit.see("a past conversation") { $0.contains("judged") }
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      #expect(try desk.truth("ended").count == 1)
    }

    @Test("the demo in this process")
    func demo() throws {
      let home = try TemporaryFolder()
      for arguments in [
        ["chat", "--demo", "elevenlabs", "-m", "Hello"], ["status", "--demo", "elevenlabs"],
      ] {
        let process = try PipedProcess(
          Tool.path, arguments, environment: Tool.environment(home: home))
        process.wait()
        #expect(process.status == .exited(0), "\(process.text) \(process.errorText)")
      }
    }

    // MARK: Peers that nobody here wrote

    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path(percentEncoded: false)

    @Test("the elevenlabs package of Python holds a conversation with the demo")
    func package() throws {
      let desk = try Desk()
      var python: String?
      let paths = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      for candidate in ["\(Self.root)/.build/peers/bin/python3"] + paths.map({ "\($0)/python3" })
      where FileManager.default.isExecutableFile(atPath: candidate) {
        let process = try PipedProcess(
          candidate, ["-c", "import elevenlabs, websockets"],
          environment: Tool.environment(home: desk.home))
        if process.wait(.seconds(60)) == .exited(0) {
          python = candidate
          break
        }
      }
      guard let python else {
        print("Python has no module elevenlabs (scripts/peers/install); its part is not played")
        return
      }
      let process = try PipedProcess(
        python,
        [
          "\(Self.root)/scripts/peers/elevenlabs-client.py", desk.demo.url, "When do you open?",
          "Switch on the lamp",
        ], environment: Tool.environment(home: desk.home, ["PEER_TOKEN": desk.demo.token]))
      #expect(process.wait(.seconds(90)) == .exited(0), "\(process.errorText)")
      let heard = try #require(try PlainAction.objects(process.text).first)
      let answers = try desk.truth("answered").compactMap { $0["text"] as? String }
      #expect(heard["answers"] as? [String] == answers && answers.count == 3)
      #expect((heard["tools"] as? [[String: Any]])?.first?["which"] as? String == "wheel")
      #expect(heard["wrong_key"] as? Int == 401)
      #expect(try desk.truth("socket").first?["offers_deflate"] as? Bool == true)
      #expect(try desk.truth("invalid").isEmpty)
      let results = try desk.truth("tool_result")
      #expect(results.map { $0["is_error"] as? Bool } == [false, true])
    }
  }
}
