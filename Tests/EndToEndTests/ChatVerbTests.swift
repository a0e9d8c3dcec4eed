import Foundation
import Testing

extension EndToEnd {
  /// `chat` against a gateway, whose own records are the truth.
  @Suite("chat with agents") struct ChatVerbTests {
    static let ways = ["ws", "chat", "responses"]

    /// The run that a message started, as the gateway knows it, when it has ended.
    private func run(
      of message: String, on claw: GatewayHome
    ) throws -> (entry: [String: Any], run: [String: Any]) {
      let end = ContinuousClock.now + Tool.patience
      while true {
        let entry = try #require(
          try claw.truth("entries").last {
            $0["what"] as? String == "message" && $0["text"] as? String == message
          }, "the gateway did not get the message")
        let run = try claw.truth("runs").first { $0["id"] as? String == entry["run"] as? String }
        if let run, run["status"] as? String != "running" { return (entry, run) }
        try #require(ContinuousClock.now < end, "the run did not end")
        usleep(20_000)
      }
    }

    @Test(
      "the whole answer goes to stdout, with one line break behind it",
      arguments: ways, ["3", "4"])
    func answer(way: String, version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      let said = try claw.run(["chat", "-m", "What is due?", "--agent", "moss", "--api", way])
      let (entry, run) = try run(of: "What is due?", on: claw)
      #expect(said.status == .exited(0), "\(said)")
      #expect(said.text == (run["text"] as? String ?? "?") + "\n")
      #expect(run["agent"] as? String == "moss")
      #expect(entry["session"] as? String == "agent:moss:cockpit-cli-v1")
      #expect(entry["over"] as? String == (way == "ws" ? "websocket" : way))
      #expect(said.errors.contains(" out\n") == (way != "ws" || version == "4"), "\(said)")
    }

    @Test("events are objects, in order, ASCII alone", arguments: ways)
    func objects(way: String) throws {
      let claw = try GatewayHome()
      let said = try claw.run(
        ["chat", "-m", "plan the week", "--agent", "heron", "--api", way, "--json"])
      let (_, run) = try run(of: "plan the week", on: claw)
      #expect(said.status == .exited(0), "\(said)")
      #expect(said.text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A })
      let events = said.objects
      #expect(events.first?["event"] as? String == "started")
      #expect(events.first?["run"] as? String == run["id"] as? String)
      #expect(events.first?["session"] as? String == "cli")
      #expect(events.last?["event"] as? String == "ended")
      #expect(events.last?["result"] as? String == "completed")
      let text = events.reduce(into: "") { text, event in
        switch event["event"] as? String {
        case "text": text += event["text"] as? String ?? ""
        case "replaced": text = event["text"] as? String ?? ""
        default: break
        }
      }
      #expect(text == run["text"] as? String)
      let tools = events.filter { $0["event"] as? String == "tool" }
      let ended = tools.filter { $0["state"] as? String != "running" }
      let truth = run["tools"] as? [[String: Any]] ?? []
      #expect(truth.count == 3 && ended.count == (way == "ws" ? truth.count : 0), "\(tools)")
    }

    @Test("a failed run ends with 1, its words kept", arguments: ways)
    func failure(way: String) throws {
      let claw = try GatewayHome()
      let said = try claw.run(["chat", "-m", "please fail", "--agent", "heron", "--api", way])
      let (_, run) = try run(of: "please fail", on: claw)
      #expect(run["status"] as? String == "failed")
      #expect(said.status == .exited(1) && said.text == "One moment\n", "\(said)")
      #expect(said.errors.contains(run["error"] as? String ?? "?"), "\(said)")
    }

    @Test("a run of protocol 3 that fails without a word is named as such")
    func silentFailure() throws {
      let claw = try GatewayHome(["--protocol", "3"])
      for way in ["chat", "responses"] {
        let said = try claw.run(
          ["chat", "-m", "fail at once", "--agent", "heron", "--api", way])
        #expect(said.status == .exited(1) && said.text.isEmpty, "\(said)")
        #expect(said.errors.contains("The agent gave no answer; see the gateway's log."))
      }
    }

    @Test("refusals have their exit codes, and a sentence")
    func refusals() throws {
      let claw = try GatewayHome()
      for way in Self.ways {
        let said = try claw.run(["chat", "-m", "Hello", "--agent", "nobody", "--api", way])
        #expect(said.status == .exited(2) && said.text.isEmpty, "\(said)")
      }
      try claw.fault("refuseChat", ["status": 429, "retryAfter": 9])
      let late = try claw.run(["chat", "-m", "Hello", "--agent", "moss", "--api", "chat"])
      #expect(late.status == .exited(1) && late.errors.contains("in about 9 s"), "\(late)")
      try claw.fault("refuseChat", ["status": 500])
      let broken = try claw.run(["chat", "-m", "Hello", "--agent", "moss", "--api", "chat"])
      #expect(broken.status == .exited(1) && broken.errors.contains("look at its log"))
      // A device that the gateway has not given a token of its own.
      let other = try GatewayHome()
      let wrong = try other.home.file("wrong", "not-the-token-at-all")
      for way in Self.ways {
        let said = try other.run(
          ["chat", "-m", "Hello", "--agent", "moss", "--api", way, "--token-file", wrong])
        #expect(said.status == .exited(4), "\(way): \(said)")
        #expect(!said.errors.contains("not-the-token"))
      }
      try claw.configure("scopes = \"operate\"", url: "ws://127.0.0.1:9")
      for way in Self.ways {
        let said = try claw.run(["chat", "-m", "Hello", "--agent", "moss", "--api", way])
        #expect(said.status == .exited(3), "\(way): \(said)")
      }
    }

    @Test("what needs a scope says which one")
    func watching() throws {
      let claw = try GatewayHome(profile: "scopes = \"watch\"")
      let said = try claw.run(["chat", "-m", "Hello", "--agent", "moss"])
      #expect(said.status == .exited(4) && said.errors.contains("operator.write"), "\(said)")
    }

    @Test("Ctrl-C stops the run on the gateway", arguments: ways)
    func interrupt(way: String) throws {
      let claw = try GatewayHome()
      let process = try PipedProcess(
        Tool.path, ["chat", "-m", "slow please", "--agent", "heron", "--api", way],
        environment: Tool.environment(home: claw.home))
      #expect(process.pump { process.text.contains("rain") }, "\(process.errorText)")
      process.signal(SIGINT)
      #expect(process.wait() == .exited(130), "\(process.errorText)")
      let (_, run) = try run(of: "slow please", on: claw)
      #expect(run["status"] as? String == "killed")
      #expect(process.text.hasSuffix("\n") && !process.text.hasSuffix("\n\n"))
      let words = String(process.text.dropLast())
      #expect((run["text"] as? String)?.hasPrefix(words) == true)
    }

    @Test("standard input is the message when none is given")
    func standardInput() throws {
      let claw = try GatewayHome()
      for option in ["", "-m -"] {
        let process = try PipedProcess(
          "/bin/sh",
          ["-c", "printf 'What is\\nleft?\\n' | \(Tool.path) chat --agent moss --new \(option)"],
          environment: Tool.environment(home: claw.home))
        #expect(process.wait() == .exited(0), "\(process.errorText)")
        #expect(process.errorText.contains("The conversation is cli-"))
      }
      let entries = try claw.truth("entries").filter { $0["text"] as? String == "What is\nleft?" }
      #expect(entries.count == 2)
      #expect(Set(entries.compactMap { $0["session"] as? String }).count == 2)
      let nothing = try claw.run(["chat", "--agent", "moss"])
      #expect(nothing.status == .exited(2) && nothing.errors.contains("the message is empty"))
    }

    @Test("images arrive, and what is none is refused here", arguments: ways)
    func images(way: String) throws {
      let claw = try GatewayHome()
      let png = "\(claw.home.path)/jar.png"
      try Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3])
        .write(to: URL(filePath: png))
      let said = try claw.run(
        ["chat", "-m", "Look", "--agent", "moss", "--api", way, "--image", png, "--image", png])
      #expect(said.status == .exited(0), "\(said)")
      #expect(try run(of: "Look", on: claw).entry["images"] as? Int == 2)
      let text = try claw.home.file("notes.txt", "no image")
      let refused = try claw.run(
        ["chat", "-m", "Look", "--agent", "moss", "--api", way, "--image", text])
      #expect(refused.status == .exited(2) && refused.errors.contains("no PNG, JPEG"))
    }

    @Test(
      "a connection that breaks in the middle loses and doubles no word", arguments: ["3", "4"])
    func brokenConnection(version: String) throws {
      let claw = try GatewayHome(["--protocol", version])
      try claw.fault("dropInRun")
      let said = try claw.run(["chat", "-m", "a long one", "--agent", "heron"])
      let (_, run) = try run(of: "a long one", on: claw)
      #expect(said.status == .exited(0), "\(said)")
      #expect(said.text == (run["text"] as? String ?? "?").trimmingSuffix + "\n")
      #expect(
        try claw.truth("entries").count {
          $0["what"] as? String == "message" && $0["text"] as? String == "a long one"
        } == 1)
    }

    @Test(
      "a gateway that restarts in the middle: what has come is kept, and the end is said",
      arguments: ways)
    func restart(way: String) throws {
      let claw = try GatewayHome()
      let process = try PipedProcess(
        Tool.path, ["chat", "-m", "slow please", "--agent", "heron", "--api", way],
        environment: Tool.environment(home: claw.home))
      #expect(process.pump { process.text.contains("rain") }, "\(process.errorText)")
      try claw.fault("restart")
      #expect(process.wait() == .exited(3), "\(process.errorText)")
      #expect(process.text.hasPrefix("The rain ") && process.text.hasSuffix("\n"))
      let sentence = way == "ws" ? "ended while the gateway was out of reach" : "is kept"
      #expect(process.errorText.contains(sentence), "\(process.errorText)")
      #expect(try claw.truth("runs").count == 1)
    }

    @Test("a stream that is cut says so, and keeps what has come")
    func cut() throws {
      let claw = try GatewayHome()
      for way in ["chat", "responses"] {
        try claw.fault("cutChat", ["bytes": 30])
        let said = try claw.run(["chat", "-m", "What is due?", "--agent", "moss", "--api", way])
        #expect(said.status == .exited(3) && said.text.utf8.count > 20, "\(said)")
        #expect(said.errors.contains("what has arrived is kept"), "\(said)")
      }
    }

    @Test("an interface that is switched off is replaced by the other")
    func fallback() throws {
      let claw = try GatewayHome()
      try claw.fault("chatOff", ["interface": "responses"])
      let said = try claw.run(["chat", "-m", "One", "--agent", "moss", "--api", "responses"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(try run(of: "One", on: claw).entry["over"] as? String == "chat")
      try claw.fault("chatOff", ["interface": "both"])
      let off = try claw.run(["chat", "-m", "Two", "--agent", "moss", "--api", "responses"])
      #expect(off.status == .exited(1) && off.errors.contains("switched off"), "\(off)")
    }

    @Test("200 kB arrive whole", arguments: ways)
    func large(way: String) throws {
      let claw = try GatewayHome()
      let said = try claw.run(["chat", "-m", "a huge one", "--agent", "heron", "--api", way])
      let (_, run) = try run(of: "a huge one", on: claw)
      let text = try #require(run["text"] as? String)
      #expect(said.status == .exited(0) && text.utf8.count > 200_000, "\(said.errors)")
      // Line breaks before the first word are left out, and spaces at the end are not.
      #expect(said.text == text.trimmingPrefix { $0 == "\n" } + "\n")
    }

    @Test("hostile words reach no terminal as they are", arguments: ways)
    func hostile(way: String) throws {
      let claw = try GatewayHome()
      try claw.fault("hostile")
      let said = try claw.run(["chat", "-m", "Hello", "--agent", "moss", "--api", way])
      #expect(!said.text.isEmpty || !said.errors.isEmpty)
      let bad: [Unicode.Scalar] = ["\u{1B}", "\u{9B}", "\u{202E}", "\u{7}", "\u{8}"]
      #expect(!(said.text + said.errors).unicodeScalars.contains { bad.contains($0) })
    }

    @Test("--demo openclaw needs no profile", arguments: ways)
    func demo(way: String) throws {
      let home = try TemporaryFolder()
      let process = try PipedProcess(
        Tool.path,
        ["chat", "--demo", "openclaw", "-m", "What is due?", "--api", way],
        environment: Tool.environment(home: home))
      #expect(process.wait() == .exited(0), "\(process.errorText)")
      #expect(process.lines.count == 1)
    }

    @Test("a read-only profile sends nothing")
    func readOnly() throws {
      let claw = try GatewayHome(profile: "scopes = \"operate\"\nread_only = true")
      let said = try claw.run(["chat", "-m", "Hello", "--agent", "moss"])
      #expect(said.status == .exited(2) && said.errors.contains("read-only"), "\(said)")
      #expect(try claw.truth("runs").isEmpty)
    }
  }
}

extension String {
  /// Without spaces and line breaks at its end.
  fileprivate var trimmingSuffix: String {
    var text = self
    while text.hasSuffix("\n") { text.removeLast() }
    return text
  }
}
