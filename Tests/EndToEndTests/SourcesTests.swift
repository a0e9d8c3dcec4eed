import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A bot and a gateway in one profile. What they have themselves is the truth.
  @Suite("several sources") struct SourcesTests {
    /// A demo bot, a demo gateway, and a profile of both.
    private final class Home {
      let claw: GatewayHome
      var bot: DemoBackend

      init(bot scenario: String = "quiet") throws {
        claw = try GatewayHome()
        bot = try DemoBackend(["--scenario", scenario, "--open-access"], home: claw.home)
        try configure()
      }

      /// - Parameter more: lines of the profile of both.
      func configure(_ more: String = "") throws {
        try claw.write(
          """
          [profiles.lantern]
          url = "\(bot.url)"
          [profiles.claw]
          kind = "openclaw"
          url = "\(claw.demo.url)"
          token_file = "\(claw.demo.tokenFile)"
          scopes = "admin"
          [profiles.both]
          sources = ["lantern", "claw"]
          \(more)
          """)
      }

      func screen(rows: Int = 30, columns: Int = 120) throws -> Cockpit {
        let cockpit = try Cockpit(
          ["--profile", "both", "--utc"], home: claw.home, rows: rows, columns: columns)
        try cockpit.see("both are live") { _ in cockpit.line(0).contains("2/2 live") }
        return cockpit
      }
    }

    @Test("status has a line for each and the code of the worst, doctor checks each")
    func verbs() throws {
      let home = try Home()
      let status = try home.claw.run(["status", "--profile", "both"])
      #expect(status.lines.count == 2, "\(status)")
      #expect(status.lines[0].hasPrefix("lantern  healthy"), "\(status)")
      #expect(status.lines[1].hasPrefix("claw     WAITS"), "\(status)")
      #expect(status.status == .exited(1))
      let doctor = try home.claw.run(["doctor", "--profile", "both", "--json"])
      let sources = Set(
        doctor.objects.filter { $0["name"] as? String == "connection" }
          .compactMap { $0["source"] as? String })
      #expect(sources == ["lantern", "claw"] && doctor.status == .exited(0), "\(doctor)")
      home.bot.stop()
      let down = try home.claw.run(["status", "--profile", "both", "--json"])
      #expect(down.objects.compactMap { $0["source"] as? String } == ["lantern", "claw"])
      #expect(down.status == .exited(3), "\(down)")
      for verb in [["tail"], ["snapshot", "--view", "pulse"], ["facts", "list"], ["digest"]] {
        let refused = try home.claw.run(verb + ["--profile", "both"])
        #expect(refused.status == .exited(2), "\(verb): \(refused)")
        #expect(
          refused.errors.contains("--profile lantern, --profile claw"), "\(verb): \(refused)")
      }
    }

    @Test("PULSE has the rows of all with their tags; b shows one after the other, and all again")
    func merged() throws {
      let home = try Home()
      let cockpit = try home.screen()
      try cockpit.see("rows of both") {
        $0.contains("ALL SOURCES") && $0.contains("LA ") && $0.contains("CL ")
          && $0.contains("GATEWAY_CONNECTED")
      }
      #expect(cockpit.line(0).contains(" all "))
      // The row of the gateway is the newest: its detail is the gateway's, and so are the other tabs.
      try home.claw.fault("ask", ["command": "make detail"])
      try cockpit.see("make detail") { $0.contains("APPROVAL") }
      cockpit.type(":filter kind:*approval*\r")
      try cockpit.see("the filter") { $0.contains("FILTER") }
      try cockpit.type("\r", see: "CLAW")
      try cockpit.type("5", see: "SESSIONS")
      #expect(cockpit.line(0).contains(" claw "))
      cockpit.type("1")
      try cockpit.see("the feed of all") { $0.contains("ALL SOURCES") }
      for (name, isAll) in [("lantern", false), ("claw", false), ("all", true)] {
        cockpit.type("b")
        try cockpit.see(name) {
          $0.contains("ALL SOURCES") == isAll && (isAll || cockpit.line(0).contains(" \(name) "))
        }
      }
      // The filter of all is still there, and was not that of one source.
      #expect(cockpit.screen.contains("kind:*approval*"))
      cockpit.type(":filter bot:claw\r")
      try cockpit.see("the rows of the gateway alone") {
        $0.contains("bot:claw") && $0.contains("CL ") && !$0.contains("LA 1")
          && !$0.contains("LA 0")
          && !$0.contains("LA 2")
      }
      cockpit.type("qqqqq")
      cockpit.expectEnd(.exited(0))
    }

    @Test("T shows the past of all sources at one playhead; b shows each of them there")
    func onePlayhead() throws {
      let home = try Home()
      let cockpit = try home.screen()
      try home.claw.fault("ask", ["command": "make before"])
      try cockpit.see("make before") { $0.contains("ALL SOURCES") && $0.contains("make before") }
      // What is before the playhead was recorded.
      try cockpit.type("T", see: "REPLAY of")
      try home.claw.fault("ask", ["command": "make after"])
      try cockpit.see("rows of now count") { !$0.contains("LIVE +0 new") }
      #expect(cockpit.screen.contains("ALL SOURCES") && cockpit.screen.contains("make before"))
      #expect(!cockpit.screen.contains("make after"))
      // Back to before the question: the time line steps over the rows of both.
      for _ in 0..<200 where cockpit.screen.contains("make before") {
        let before = cockpit.line(0)
        cockpit.type(",")
        try cockpit.see("a step") { _ in cockpit.line(0) != before }
      }
      #expect(!cockpit.screen.contains("make before"))
      let place = try #require(cockpit.screen.firstMatch(of: /REPLAY of [0-9-]+ [0-9:]+/)).output
      for (name, isAll) in [("lantern", false), ("claw", false), ("all", true)] {
        cockpit.type("b")
        try cockpit.see(name) {
          $0.contains("ALL SOURCES") == isAll && cockpit.line(0).contains(" \(name) ")
            && $0.contains(place) && cockpit.line(0).contains("PAUSED")
        }
      }
      cockpit.type("\u{1B}")
      try cockpit.see("now") { $0.contains("make after") && $0.contains("ALL SOURCES") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("b and :source show another source; what waits is answered whichever is shown")
    func walkAndAnswer() throws {
      let home = try Home()
      let cockpit = try home.screen()
      cockpit.type(":source lantern\r")
      try cockpit.see("the bot") { _ in cockpit.line(0).contains(" lantern ") }
      try home.claw.fault("ask", ["command": "make everything"])
      try cockpit.see("the card") { $0.contains("at claw WAITS") && $0.contains("2 WAIT") }
      try cockpit.type("!", see: "make everything")
      let id = try home.claw.listed("make everything").id
      if !cockpit.screen.contains("id \(id),") { cockpit.type("j") }
      try cockpit.see("id \(id),")
      try cockpit.type("a", see: "Enter sends: allow-once")
      let end = ContinuousClock.now + Tool.patience
      repeat {
        cockpit.type("\r")
        try cockpit.see("an answer to Enter") {
          $0.contains("sent and taken") || $0.contains("has just changed")
        }
      } while !cockpit.screen.contains("sent and taken") && ContinuousClock.now < end
      #expect(
        try home.claw.truth(of: id, status: "allowed")["decision"] as? String == "allow-once")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("fingerprint") }
      #expect(cockpit.line(0).contains("lantern"))
      try cockpit.type(":source nobody\r", see: "there is no source nobody in this profile")
      cockpit.type("\u{1B}")
      try cockpit.see("the line is closed") { !$0.contains(":source nobody") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a source that goes away is said, the other goes on; it is live again when it is back")
    func oneDies() throws {
      let home = try Home()
      let cockpit = try home.screen()
      cockpit.type(":source claw\r")
      try cockpit.see("the gateway") { _ in
        cockpit.line(0).contains(" claw ") && cockpit.isLive
      }
      let port = home.bot.port
      let died = ContinuousClock.now
      home.bot.stop(SIGKILL)
      try cockpit.see("the loss") { _ in cockpit.line(0).contains("1/2 live") }
      #expect(ContinuousClock.now - died < .seconds(5))
      try cockpit.see("its name") { $0.contains("lantern: ") }
      try home.claw.fault("ask", ["command": "make more"])
      try cockpit.see("the other goes on") { $0.contains("make more") && cockpit.isLive }
      home.bot = try DemoBackend(
        ["--scenario", "quiet", "--port", "\(port)", "--open-access"], home: home.claw.home)
      try cockpit.see("both again") { _ in cockpit.line(0).contains("2/2 live") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("!!! is for all sources, and says that a bot cannot be stopped")
    func panic() throws {
      let home = try Home()
      let cockpit = try home.screen(rows: 40)
      try home.claw.fault("ask", ["command": "make everything"])
      try cockpit.see("2 WAIT")
      let id = try home.claw.listed("make everything").id
      cockpit.type("!!!")
      try cockpit.see("outcomes") {
        $0.contains("lantern: a Clanky bot cannot be stopped by its API")
          && $0.contains("done: claw: deny make everything")
          && !$0.contains("asked, no answer yet")
      }
      #expect(
        try home.claw.truth(of: id, status: "denied")["by"] as? String == "clanky-cockpit")
      cockpit.type("\u{1B}")
      try cockpit.see("closed") { !$0.contains("STOPPING") }
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("what is given for one backend goes to none of several")
    func optionsOfOne() throws {
      let home = try Home()
      for (options, words) in [
        (["--token-file", home.bot.tokenFile], "--token-file is for one backend"),
        (["--guild", "1"], "--guild is for one bot"),
      ] {
        let refused = try home.claw.run(["status", "--profile", "both"] + options)
        #expect(refused.status == .exited(2) && refused.errors.contains(words), "\(refused)")
      }
      let status = try home.claw.run(
        ["status", "--profile", "both"],
        ["CLANKY_URL": "http://127.0.0.1:9", "OPENCLAW_GATEWAY_TOKEN": "wrong"])
      #expect(status.status == .exited(1) && status.lines.count == 2, "\(status)")
    }
  }
}
