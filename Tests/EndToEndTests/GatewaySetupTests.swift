import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// `setup --kind openclaw` against the demo gateway.
  @Suite("setup of a gateway") struct GatewaySetupTests {
    /// A gateway, and a home without a profile for it.
    private func gateway(
      _ arguments: [String] = [], config: String = ""
    ) throws -> GatewayHome {
      let claw = try GatewayHome(arguments)
      try claw.write(config)
      return claw
    }

    private func config(_ claw: GatewayHome) throws -> String {
      try String(
        contentsOfFile: claw.home.path + "/.config/clanky-cockpit/config.toml", encoding: .utf8)
    }

    private func files(_ claw: GatewayHome) -> [String] {
      let folder = claw.home.path + "/.local/state/clanky-cockpit/credentials"
      return (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
    }

    private func setup(
      _ claw: GatewayHome, _ arguments: [String], input: String? = nil,
      variables: [String: String] = [:]
    ) throws -> GatewayHome.Outcome {
      let process = try PipedProcess(
        "/bin/sh",
        [
          "-c", #"printf '%s\n' "$INPUT" | exec "$0" "$@""#, Tool.path, "setup", "--kind",
          "openclaw",
        ]
          + arguments,
        environment: Tool.environment(
          home: claw.home, variables.merging(["INPUT": input ?? ""]) { $1 }))
      process.wait()
      return GatewayHome.Outcome(
        status: process.status, text: process.text, errors: process.errorText)
    }

    @Test("a script makes a profile, keeps what stands in the file, and the secret out of it")
    func script() throws {
      let before = "# mine\n[profiles.home]\nurl = \"http://127.0.0.1:9\"   # the bot\n"
      let claw = try gateway(config: before)
      let line = [
        "--url", claw.demo.url, "--profile", "claw", "--scopes", "operate", "--token-stdin",
      ]
      let wrong = try setup(claw, line, input: "wrong")
      #expect(wrong.status == .exited(4) && wrong.errors.contains("nothing is saved"), "\(wrong)")
      #expect(files(claw).isEmpty)
      #expect(try config(claw) == before)
      let bot = try setup(
        claw, ["--url", claw.demo.url, "--profile", "home", "--token-stdin"], input: claw.demo.token
      )
      #expect(bot.status == .exited(2) && bot.errors.contains("is a Clanky bot"), "\(bot)")
      let done = try setup(claw, line, input: claw.demo.token)
      #expect(done.status == .exited(0) && done.errors.contains("It works."), "\(done)")
      let table =
        "[profiles.claw]\nkind = \"openclaw\"\nurl = \"\(claw.demo.url)\"\nscopes = \"operate\"\n"
      let after = try config(claw)
      #expect(after.hasPrefix(before) && after.hasSuffix(table), "\(after)")
      #expect(files(claw).count == 3, "\(files(claw))")
      #expect(!(done.text + done.errors).contains(claw.demo.token))
      #expect(try !config(claw).contains(claw.demo.token))
      let list = try claw.approvals("list")
      #expect(list.status == .exited(0) && list.text.contains("git push vault main"), "\(list)")
      let again = try setup(
        claw, ["--url", "ws://127.0.0.1:1", "--profile", "claw", "--no-token", "--no-test"])
      #expect(again.status == .exited(2) && again.errors.contains("--replace"), "\(again)")
    }

    @Test("a setup code brings address and device token, once")
    func setupCode() throws {
      let claw = try gateway(["--pairing"])
      let head = try #require(try PlainAction.objects(String(claw.demo.process.lines[0])).first)
      let code = try #require(head["setup_code"] as? String)
      let line = ["--profile", "claw", "--scopes", "operate", "--setup-code-stdin"]
      let torn = try setup(claw, line, input: String(code.dropLast(9)))
      #expect(torn.status == .exited(2) && torn.errors.contains("Copy it whole"), "\(torn)")
      let done = try setup(claw, line, input: "oc-pair://\(code)")
      #expect(done.status == .exited(0), "\(done)")
      #expect(try config(claw).hasPrefix("profile = \"claw\"\n"))
      #expect(!(done.text + done.errors).contains(code))
      let list = try claw.approvals("list")
      #expect(list.status == .exited(0) && list.text.contains("git push vault main"), "\(list)")
      let again = try setup(claw, line + ["--replace"], input: code)
      #expect(
        again.status == .exited(4) && again.errors.contains("was used or has expired"), "\(again)")
    }

    @Test("a device that has to be approved: the profile is saved, the command printed")
    func pairing() throws {
      let claw = try gateway(["--pairing"])
      let asked = try setup(
        claw, ["--url", claw.demo.url, "--profile", "claw", "--scopes", "operate"],
        variables: ["OPENCLAW_GATEWAY_TOKEN": claw.demo.token])
      #expect(asked.status == .exited(4), "\(asked)")
      let id = try #require(try claw.truth("pairings").first?["id"] as? String)
      #expect(asked.errors.contains("openclaw devices approve \(id)"), "\(asked)")
      try claw.fault("pairing")
      // The key that was approved is the one that was saved.
      let list = try claw.approvals("list")
      #expect(list.status == .exited(0) && list.text.contains("git push vault main"), "\(list)")
    }

    @Test(
      "--await-approval: a rejected request has a new command, a restart is waited for, an approval ends it"
    )
    func awaiting() throws {
      let claw = try gateway(["--pairing"])
      let setup = try PipedProcess(
        Tool.path,
        [
          "setup", "--kind", "openclaw", "--url", claw.demo.url, "--profile", "claw", "--scopes",
          "operate", "--await-approval",
        ],
        environment: Tool.environment(
          home: claw.home, ["OPENCLAW_GATEWAY_TOKEN": claw.demo.token]))
      defer { setup.signal(SIGKILL) }
      func pending() throws -> String {
        try #require(
          try claw.truth("pairings").last { $0["decision"] == nil || $0["decision"] is NSNull }?[
            "id"] as? String)
      }
      try #require(setup.pump { setup.errorText.contains("devices approve") }, "\(setup.errorText)")
      let first = try pending()
      #expect(setup.errorText.contains("openclaw devices approve \(first)"))
      try claw.fault("pairing", ["requestId": first, "decision": "reject"])
      // It asks again every 20 s.
      try #require(
        setup.pump(.seconds(60)) { setup.errorText.contains("it has a new one") },
        "\(setup.errorText)")
      let second = try pending()
      #expect(second != first && setup.errorText.contains("devices approve \(second)"))
      try claw.fault("restart")
      try claw.fault("pairing", ["requestId": second])
      try #require(setup.wait(.seconds(60)) == .exited(0), "\(setup.errorText)")
      #expect(setup.errorText.contains("It works."), "\(setup.errorText)")
      #expect(!(setup.text + setup.errorText).contains(claw.demo.token))
      // What waited before the restart is dropped by it.
      #expect(try claw.approvals("list").status == .exited(0))
    }

    @Test(
      "questions at a terminal: the password is hidden, the approval is waited for with its time")
    func dialog() throws {
      let claw = try gateway(["--pairing"])
      let pty = try PTYProcess(
        Tool.path, ["setup", "--kind", "openclaw"],
        environment: Tool.environment(home: claw.home), rows: 50, columns: 110)
      func answer(_ question: String, _ text: String) throws {
        try pty.expect(question, timeout: Tool.patience)
        pty.send(text + "\n")
      }
      try answer("or what the profile has [t]:", "p")
      try answer("Password (not shown):", claw.demo.token)
      try answer("[w]atch, [o]perate, [a]dmin [w]:", "o")
      try answer("Profile name [gateway]:", "claw")
      try answer("Address [ws://127.0.0.1:18789]:", claw.demo.url)
      try pty.expect("Save [y]:", timeout: Tool.patience)
      #expect(files(claw).isEmpty)
      #expect(try config(claw).isEmpty)
      pty.send("\n")
      try pty.expect("openclaw devices approve", timeout: Tool.patience)
      try pty.expect("4:5", timeout: Tool.patience)
      try claw.fault("pairing")
      pty.send("\n")
      #expect(pty.wait(timeout: Tool.patience) == .exited(0), "\(pty.terminal.text)")
      #expect(pty.terminal.text.contains("clanky-cockpit --profile claw"))
      #expect(!String(decoding: pty.output, as: UTF8.self).contains(claw.demo.token))
      #expect(try config(claw).contains("auth = \"password\""))
      #expect(try claw.approvals("list").status == .exited(0))
    }

    @Test("a Clanky bot's setup says nothing of gateways")
    func silent() throws {
      let home = try TemporaryFolder()
      let pty = try PTYProcess(
        Tool.path, ["setup", "--no-discovery"], environment: Tool.environment(home: home), rows: 40,
        columns: 110)
      try pty.expect("Address [http://127.0.0.1:8787]:", timeout: Tool.patience)
      let text = pty.terminal.text.lowercased()
      #expect(!text.contains("openclaw") && !text.contains("gateway"))
      pty.send("\u{4}")
      #expect(pty.wait(timeout: Tool.patience) != nil)
    }
  }
}
