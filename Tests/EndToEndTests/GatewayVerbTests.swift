import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Verbs that follow a gateway, whose own records are the truth.
  @Suite("verbs on a gateway") struct GatewayVerbTests {
    private func start(_ claw: GatewayHome, _ arguments: [String]) throws -> PipedProcess {
      try PipedProcess(
        Tool.path, arguments + ["--profile", "claw"],
        environment: Tool.environment(home: claw.home))
    }

    private func objects(_ process: PipedProcess) -> [[String: Any]] {
      process.text.split(separator: "\n").map(String.init).flatMap {
        (try? PlainAction.objects($0)) ?? []
      }
    }

    private func waiting(_ claw: GatewayHome) throws -> [String] {
      try claw.truth("approvals").filter { $0["status"] as? String == "pending" }
        .compactMap { $0["id"] as? String }.sorted()
    }

    @Test("status says what waits as the gateway has it, and its exit code whether anything does")
    func status() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.fault("ask", ["command": "git push\u{1B}[31m"])
      let profile = ["--profile", "claw", "--timeout", "20"]
      let json = try claw.run(["status", "--json"] + profile)
      #expect(json.status == .exited(1), "\(json)")
      let object = try #require(json.objects.first, "\(json)")
      let list = try #require(object["waiting"] as? [[String: Any]])
      #expect(list.compactMap { $0["id"] as? String }.sorted() == (try waiting(claw)))
      #expect(object["state"] as? String == "waits" && object["can_answer"] as? Bool == true)
      let line = try claw.run(["status"] + profile)
      #expect(line.text.hasPrefix("WAITS  http://127.0.0.1"), "\(line)")
      #expect(ForbiddenBytes.found(in: Array(line.text.utf8)) == [])
      try claw.denyAll()
      let quiet = try claw.run(["status"] + profile)
      #expect(quiet.text.contains("nothing waits"), "\(quiet)")
      // Its jobs have failed, or not: that is said on stderr.
      #expect(quiet.status == .exited(quiet.errors.isEmpty ? 0 : 1), "\(quiet)")
    }

    @Test("widget has what waits in its bar, whatever a stranger wrote into it")
    func widget() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.fault("ask", ["command": "#[fg=red]#(reboot) <b>&\u{1B}[31m"])
      let count = try waiting(claw).count
      let profile = ["--profile", "claw"]
      let small = try claw.run(["widget", "small"] + profile)
      #expect(small.status == .exited(1) && small.text.contains(" \(count) WAIT"), "\(small)")
      let large = try claw.run(["widget", "large", "--width", "200"] + profile)
      #expect(large.text.split(separator: "\n").count <= 5, "\(large)")
      #expect(ForbiddenBytes.found(in: Array(large.text.utf8)) == [])
      // tmux takes a single # as the begin of a command.
      let tmux = try claw.run(["widget", "large", "--format", "tmux", "--no-color"] + profile)
      #expect(!tmux.text.replacing("##", with: "").contains("#"), "\(tmux)")
      let json = try #require(
        try claw.run(["widget", "small", "--format", "json"] + profile).objects.first)
      #expect((json["waiting"] as? [Any])?.count == count && json["stale"] as? Bool == false)
      let bar = try #require(
        try claw.run(["widget", "small", "--format", "waybar"] + profile).objects.first)
      #expect(bar["alt"] as? String == "waits" && bar["percentage"] as? Int == 50, "\(bar)")
      #expect(!((bar["tooltip"] as? String) ?? "<").contains("<"), "\(bar)")
      try claw.configure("", url: "ws://127.0.0.1:1")
      let dead = try claw.run(["widget", "small"] + profile)
      #expect(dead.status == .exited(3) && dead.text.contains("unreachable"), "\(dead)")
    }

    @Test("status of a gateway that is not there, or does not let in")
    func refused() throws {
      let claw = try GatewayHome()
      try claw.configure("", url: "ws://127.0.0.1:1")
      let dead = try claw.run(["status", "--profile", "claw", "--timeout", "20"])
      #expect(dead.status == .exited(3) && dead.text.hasPrefix("UNREACHABLE"), "\(dead)")
      try claw.configure("token_command = \"echo wrong\"", hasToken: false)
      for verb in ["status", "tail", "record", "watch"] {
        let outcome = try claw.run([verb, "--profile", "claw"])
        #expect(outcome.status == .exited(4), "\(verb): \(outcome)")
        #expect(!outcome.errors.isEmpty)
      }
    }

    @Test(
      "tail has what happens at the gateway as rows and what waits; --once ends with the connection"
    )
    func tail() throws {
      let claw = try GatewayHome()
      let tail = try start(claw, ["tail", "--json", "--once"])
      defer { tail.signal(SIGKILL) }
      #expect(
        tail.pump(Tool.patience) { tail.text.contains(#""type":"control""#) }, "\(tail.errorText)")
      try claw.fault("ask", ["command": "make \u{1B}[2Jeverything"])
      #expect(tail.pump(Tool.patience) { tail.text.contains("approval_requested") })
      let row = try #require(
        objects(tail).first { $0["kind"] as? String == "approval_requested" }, "\(tail.text)")
      #expect((row["content"] as? String)?.contains("everything") == true)
      let id = try #require(try waiting(claw).last)
      #expect(
        tail.pump(Tool.patience) {
          objects(tail).contains { object in
            let board = object["payload"] as? [String: Any]
            let cards = board?["waiting"] as? [[String: Any]] ?? []
            return cards.contains { $0["id"] as? String == id }
          }
        })
      try claw.fault("dropConnections")
      #expect(tail.wait() == .exited(0), "\(tail.errorText)")
      #expect(tail.output.allSatisfy { $0 == 0x0A || (0x20...0x7E).contains($0) })
      for arguments in [["--raw"], ["--since", "5m"], ["-n", "3"], ["--stream", "voice"]] {
        let refused = try claw.run(["tail", "--profile", "claw"] + arguments)
        #expect(refused.status == .exited(2) && refused.errors.contains("--from-history"))
      }
    }

    @Test("watch tells each that waits once, and when it waits no longer")
    func watch() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.denyAll()
      let watch = try start(claw, ["watch", "--json", "--every", "0s"])
      defer { watch.signal(SIGKILL) }
      #expect(watch.pump(Tool.patience) { watch.errorText.contains("watching http://") })
      try claw.fault("ask", ["command": "make everything"])
      func told(_ state: String) -> [[String: Any]] {
        objects(watch).filter {
          $0["rule"] as? String == "waits" && $0["state"] as? String == state
        }
      }
      #expect(watch.pump(Tool.patience) { !told("began").isEmpty }, "\(watch.errorText)")
      let (id, fingerprint) = try claw.listed("make everything")
      _ = try claw.approvals("allow", id, fingerprint)
      #expect(watch.pump(Tool.patience) { !told("over").isEmpty }, "\(watch.text)")
      watch.signal(SIGTERM)
      watch.wait()
      let began = told("began").filter {
        ($0["sentence"] as? String)?.contains("everything") == true
      }
      #expect(began.count == 1, "\(watch.text)")
      #expect(began.first?["subject"] as? String == id, "\(began)")
    }

    @Test("what record has written is read by the verbs of the past, without the gateway")
    func record() throws {
      let claw = try GatewayHome(scenario: "story")
      let record = try start(claw, ["record"])
      defer { record.signal(SIGKILL) }
      #expect(record.pump(Tool.patience) { record.errorText.contains("recording http://") })
      let live = try start(claw, ["tail", "--json", "--filter", "kind:sent_reply"])
      defer { live.signal(SIGKILL) }
      #expect(live.pump(.seconds(60)) { live.text.contains("sent_reply") }, "\(live.errorText)")
      let reply = try #require(
        objects(live).first { $0["kind"] as? String == "sent_reply" }?["content"] as? String)
      record.signal(SIGTERM)
      #expect(record.wait() == .exited(143), "\(record.errorText)")
      claw.demo.stop()
      let recorded = ["--profile", "claw", "--from-history"]
      let rows = try claw.run(["actions", "--json", "--kinds", "sent_reply"] + recorded)
      #expect(rows.objects.contains { $0["content"] as? String == reply }, "\(rows)")
      let why = try claw.run(["why", "last"] + recorded)
      #expect(why.status == .exited(0) && why.text.contains("observed"), "\(why)")
      // A gateway tells no costs: that is not the same as none.
      let digest = try claw.run(["digest", "--since", "10m"] + recorded)
      #expect(digest.text.contains("no cost on record") && !digest.text.contains("$0"), "\(digest)")
      let own = try claw.run(["digest", "--since", "10m", "--profile", "claw"])
      #expect(own.text.contains("the agents answered"), "\(own)")
      let status = try claw.run(["status", "--json"] + recorded)
      let state = try #require(status.objects.first, "\(status)")
      #expect(state["kind"] as? String == "openclaw" && state["recorded"] as? Bool == true)
      #expect(state["waiting"] is [[String: Any]], "\(status)")
      let cmd = try claw.run(["snapshot", "--view", "cmd"] + recorded)
      #expect(cmd.text.contains("AGENTS") && !cmd.text.contains("JOIN VOICE"), "\(cmd)")
    }

    @Test("why says of what waited who asked, how long, and who answered: screen and recording")
    func whyOfRequest() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      let record = try start(claw, ["record"])
      defer { record.signal(SIGKILL) }
      #expect(record.pump(Tool.patience) { record.errorText.contains("recording http://") })
      let cockpit = try Cockpit(["--profile", "claw", "--utc"], home: claw.home, columns: 160)
      try cockpit.see("live") { _ in cockpit.isLive }
      try claw.fault("ask", ["command": "make everything"])
      try cockpit.see("make everything")
      let (id, fingerprint) = try claw.listed("make everything")
      try cockpit.type(":why \(id)\r", see: "Not over yet: ")
      #expect(cockpit.screen.contains("asked to be allowed \"make everything\""))
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("Not over yet") }
      #expect(try claw.approvals("deny", id, fingerprint).status == .exited(0))
      try cockpit.see("clanky-cockpit: make everything")
      try cockpit.type(":why \(id)\r", see: "Denied by \"clanky-cockpit\" after ")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("Denied by") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      record.signal(SIGTERM)
      record.wait()
      claw.demo.stop()
      let why = try claw.run(["why", id, "--profile", "claw", "--from-history", "--json"])
      let object = try #require(why.objects.first, "\(why)")
      let sentence = try #require(object["sentence"] as? String)
      #expect(sentence.hasPrefix("Denied by \"clanky-cockpit\" after "), "\(sentence)")
      #expect(sentence.contains("asked to be allowed \"make everything\""), "\(sentence)")
      let kinds = (object["evidence"] as? [[String: Any]] ?? []).compactMap {
        $0["kind"] as? String
      }
      #expect(kinds.prefix(2) == ["approval_answered", "approval_requested"], "\(object)")
    }

    @Test("approvals has devices that ask to be let in; they are approved or rejected as shown")
    func pairings() throws {
      let claw = try GatewayHome()
      func device() throws -> (id: String, fingerprint: String) {
        try claw.fault("stranger")
        let list = try claw.approvals("list", "--json")
        let entry = try #require(
          list.objects.last { $0["kind"] as? String == "pairing" }, "\(list)")
        #expect(entry["offered"] as? [String] == ["approve", "reject"])
        return (
          try #require(entry["id"] as? String), try #require(entry["fingerprint"] as? String)
        )
      }
      func decision(_ id: String) throws -> String? {
        try claw.truth("pairings").first { $0["id"] as? String == id }?["decision"] as? String
      }
      let (first, fingerprint) = try device()
      let shown = try claw.approvals("show", first)
      #expect(shown.text.contains("asks for: operator.") && shown.text.contains("device id: "))
      #expect(shown.text.contains("fingerprint: \(fingerprint)"), "\(shown)")
      let other = try claw.approvals("allow", first, String(fingerprint.reversed()))
      #expect(other.status == .exited(1) && other.errors.contains("not what was shown"))
      #expect(try claw.approvals("allow", first, fingerprint, "--always").status == .exited(2))
      #expect(try decision(first) == nil)
      let approved = try claw.approvals("allow", first, fingerprint)
      #expect(approved.status == .exited(0) && approved.text == "approve: \(first)\n")
      #expect(try decision(first) == "approved")
      let late = try claw.approvals("deny", first, fingerprint)
      #expect(late.status == .exited(1) && late.errors.contains("This is not waiting"), "\(late)")
      let (second, seen) = try device()
      let rejected = try claw.approvals("deny", second, seen, "--json")
      #expect(rejected.objects.first?["decision"] as? String == "reject", "\(rejected)")
      #expect(try decision(second) == "rejected")
    }

    @Test("snapshot has the lists of a gateway right after connecting")
    func snapshot() throws {
      let claw = try GatewayHome(profile: "scopes = \"admin\"")
      try claw.fault("ask", ["command": "make everything"])
      let cmd = try claw.run(["snapshot", "--view", "cmd", "--profile", "claw"])
      #expect(cmd.status == .exited(0) && cmd.text.contains("AGENTS"), "\(cmd)")
      #expect(cmd.text.contains("WAIT") && !cmd.text.contains("JOIN VOICE"), "\(cmd)")
      try claw.configure("", url: "ws://127.0.0.1:1")
      let gone = try claw.run(["snapshot", "--view", "cmd", "--profile", "claw"])
      #expect(gone.status == .exited(3) && gone.text.isEmpty, "\(gone)")
    }
  }
}
