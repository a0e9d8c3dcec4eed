import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// Sources with the same ids of facts, guilds, people and approvals: what is done to one never reaches another. The
  /// requests that the backends got are the truth.
  @Suite("ids of several sources are never mixed") struct SourceMixTests {
    /// Bots that differ in nothing but their tokens.
    private final class Bots {
      let home: TemporaryFolder
      let servers: [FactServer]
      let names: [String]

      init(_ count: Int) throws {
        home = try TemporaryFolder()
        names = (0..<count).map { "bot\($0)" }
        servers = try (0..<count).map { try FactServer(token: "token-of-bot-\($0)") }
        var text = ""
        for (name, server) in zip(names, servers) {
          let file = home.path + "/" + name + ".token"
          try Data((server.token + "\n").utf8).write(to: URL(filePath: file))
          try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file)
          text += "[profiles.\(name)]\nurl = \"\(server.url)\"\ntoken_file = \"\(file)\"\n"
        }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        text += "[profiles.all]\nsources = [\(list)]\n"
        let folder = home.path + "/.config/clanky-cockpit"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
      }
    }

    @Test(
      "facts are corrected and deleted at the source that the header names",
      arguments: [3, 11, 42] as [UInt64])
    func facts(seed: UInt64) throws {
      var random = SeededRandom(seed)
      let bots = try Bots(Int.random(in: 3...5, using: &random))
      let cockpit = try Cockpit(
        ["--profile", "all", "--tab", "memory"], home: bots.home, rows: 45, columns: 98)
      let count = bots.names.count
      try cockpit.see("all are live") { _ in cockpit.line(0).contains("\(count)/\(count)") }
      var wanted = [String?](repeating: nil, count: count)
      var writes = [Int](repeating: 0, count: count)
      for step in 0..<8 {
        let place = Int.random(in: 0..<count, using: &random)
        let screen = FactScreen(bots.servers[place], home: bots.home, cockpit)
        if Bool.random(using: &random) {
          cockpit.type(":source \(bots.names[place])\r")
        } else {
          // One after the other, as a hand does it.
          for _ in 0..<count where !cockpit.line(0).contains(" \(bots.names[place]) ") {
            let before = cockpit.line(0)
            cockpit.type("b")
            cockpit.pty.pump(timeout: Tool.patience) { cockpit.line(0) != before }
          }
        }
        try cockpit.see("the header names it") { _ in
          cockpit.line(0).contains(" \(bots.names[place]) ")
        }
        try cockpit.see("its facts") { $0.contains("[FACTS]") || $0.contains("FACTS") }
        if Int.random(in: 0..<4, using: &random) == 0 {
          // A filter of one source is no filter of another, and changes nothing anywhere.
          try screen.select("Mira")
        } else {
          let text = "Mira of \(bots.names[place]), step \(step)."
          try screen.edit("Mira ")
          #expect(cockpit.screen.contains(bots.names[place]))
          try screen.replace(with: text)
          screen.send()
          try screen.see("STORED: FACT #41 - \(bots.names[place].uppercased())")
          try screen.close()
          wanted[place] = text
          writes[place] += 1
        }
        for (index, server) in bots.servers.enumerated() {
          #expect(server.writes.count == writes[index], "\(bots.names[index]): \(server.writes)")
          if let text = wanted[index] { #expect(server.fact(41)?.fact == text) }
        }
      }
      cockpit.type("qqqq")
      cockpit.expectEnd(.exited(0))
      for (index, server) in bots.servers.enumerated() {
        #expect(!server.requests.isEmpty)
        for request in server.requests {
          #expect(request.token == server.token, "\(bots.names[index]): \(request)")
        }
        for write in server.writes {
          #expect(write.text("fact")?.contains(bots.names[index]) == true, "\(write)")
        }
      }
    }

    /// Demo bots of one seed: actions, guilds, people, turns and sessions have the same ids at all of them.
    private final class Twins {
      let home: TemporaryFolder
      let bots: [DemoBackend]
      let names: [String]

      init(_ count: Int) throws {
        let home = try TemporaryFolder()
        self.home = home
        names = (0..<count).map { "twin\($0)" }
        bots = try names.map { _ in
          try DemoBackend(["--seed", "6", "--scenario", "story", "--fault-control"], home: home)
        }
        var text = ""
        for (name, bot) in zip(names, bots) {
          text += "[profiles.\(name)]\nurl = \"\(bot.url)\"\ntoken_file = \"\(bot.tokenFile)\"\n"
        }
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        text += "[profiles.all]\nsources = [\(list)]\n"
        let folder = home.path + "/.config/clanky-cockpit"
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(filePath: folder + "/config.toml"))
      }

      deinit { for bot in bots { bot.stop() } }

      /// What a bot was asked for, without what this test asks it.
      func requests(_ place: Int) throws -> [[String: Any]] {
        let log = try bots[place].request("GET", "/__demo/log").object["requests"]
        return (log as? [[String: Any]] ?? []).filter {
          ($0["path"] as? String)?.hasPrefix("/__demo") != true
        }
      }

      func changes(_ place: Int) throws -> [String] {
        try requests(place).filter { $0["method"] as? String != "GET" }
          .compactMap { $0["path"] as? String }
      }
    }

    /// Enters a line after `:`, out of whatever is open.
    private static func enter(_ line: String, on cockpit: Cockpit) throws {
      for _ in 0..<8 {
        // Esc right before another key would be Alt.
        cockpit.type("\u{1B}")
        cockpit.pty.pump(timeout: .milliseconds(400)) { false }
      }
      cockpit.type(":")
      try cockpit.see("the line after :") { _ in
        cockpit.line(cockpit.pty.terminal.rows - 1).hasPrefix(":")
      }
      cockpit.type(line + "\r")
    }

    @Test(
      "a walk through all tabs asks every source with its own token, and changes the shown one alone",
      arguments: [1, 8] as [UInt64])
    func walk(seed: UInt64) throws {
      var random = SeededRandom(seed)
      let twins = try Twins(4)
      let cockpit = try Cockpit(
        ["--profile", "all", "--utc"], home: twins.home, rows: 40, columns: 120)
      try cockpit.see("all are live") { _ in cockpit.line(0).contains("4/4 live") }
      let keys = [
        "1", "2", "3", "4", "5", "j", "j", "k", "\r", "b", "b", "W", "]e", "}", "\t", "V", "G",
        "!!", "!j\r", ":filter bot:twin2\r", ":filter kind:llm_call\r", ":source twin1\r",
        ":source all\r",
      ]
      var wanted = [Int](repeating: 0, count: twins.names.count)
      for _ in 0..<5 {
        for _ in 0..<12 {
          let count = cockpit.pty.output.count
          cockpit.type(keys.randomElement(using: &random) ?? "j")
          // Every key has a frame; a key that changes nothing has none.
          cockpit.pty.pump(timeout: .milliseconds(150)) { cockpit.pty.output.count > count }
        }
        let place = Int.random(in: 0..<twins.names.count, using: &random)
        let name = twins.names[place]
        try Self.enter("source \(name)", on: cockpit)
        try cockpit.see("\(name) is shown") { _ in cockpit.line(0).contains(" \(name) ") }
        try Self.enter("memory-refresh", on: cockpit)
        try cockpit.see("the question names it") {
          $0.contains("REFRESH THE MEMORY? - \(name.uppercased())")
        }
        cockpit.type("\u{1B}[C\r")
        wanted[place] += 1
        let isAsked = cockpit.pty.pump(timeout: Tool.patience) {
          (try? twins.changes(place).count) == wanted[place]
        }
        #expect(isAsked, "\(cockpit.screen)")
        for other in twins.names.indices {
          #expect(
            try twins.changes(other)
              == [String](repeating: "/api/memory/refresh", count: wanted[other]))
        }
      }
      for place in twins.names.indices {
        let requests = try twins.requests(place)
        #expect(requests.count > 4)
        for request in requests {
          // Each has a token of its own: that of another one would be refused.
          let status = request["status"] as? Int ?? 0
          #expect(status != 401 && status != 403, "\(twins.names[place]): \(request)")
        }
      }
      cockpit.pty.signal(SIGTERM)
      _ = cockpit.pty.wait()
    }

    @Test("of two approvals with the same id the one of the chosen gateway is answered")
    func approvals() throws {
      let first = try GatewayHome(["--seed", "9"])
      let second = try GatewayHome(["--seed", "9"])
      func waiting(_ home: GatewayHome) throws -> [String: Any] {
        try #require(
          try home.truth("approvals").first { $0["status"] as? String == "pending" })
      }
      let id = try #require(try waiting(first)["id"] as? String)
      try #require(try waiting(second)["id"] as? String == id)
      try first.write(
        ["east", "west"].enumerated().map { index, name in
          let demo = [first.demo, second.demo][index]
          return """
            [profiles.\(name)]
            kind = "openclaw"
            url = "\(demo.url)"
            token_file = "\(demo.tokenFile)"
            scopes = "admin"

            """
        }.joined() + "[profiles.both]\nsources = [\"east\", \"west\"]\n")
      let cockpit = try Cockpit(
        ["--profile", "both", "--utc"], home: first.home, rows: 40, columns: 120)
      try cockpit.see("both wait") { _ in cockpit.line(0).contains("2 WAIT") }
      cockpit.type(":source east\r")
      try cockpit.see("east is shown") { _ in cockpit.line(0).contains(" east ") }
      cockpit.type("!")
      try cockpit.see("id \(id),")
      // The card of west, whichever is shown.
      if !cockpit.screen.contains("at west WAITS") || cockpit.screen.contains("at east WAITS") {
        cockpit.type("j")
      }
      try cockpit.see("the card of west") { screen in
        screen.contains(" of ") && cockpit.find("at west WAITS") != nil
      }
      let end = ContinuousClock.now + Tool.patience
      try cockpit.type("d", see: "Enter sends: deny")
      repeat {
        cockpit.type("\r")
        try cockpit.see("an answer to Enter") {
          $0.contains("sent and taken") || $0.contains("has just changed")
        }
      } while !cockpit.screen.contains("sent and taken") && ContinuousClock.now < end
      #expect(try second.truth(of: id, status: "denied")["by"] as? String == "clanky-cockpit")
      #expect(try waiting(first)["id"] as? String == id)
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("fingerprint") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }
  }
}

/// Numbers that a seed gives, the same on every machine (SplitMix64).
private struct SeededRandom: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
