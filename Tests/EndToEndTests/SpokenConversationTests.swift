import Foundation
import TerminalTestKit
import Testing

extension EndToEnd {
  /// A conversation by voice with an agent of ElevenLabs: sound both ways over one WebSocket. The service's record and
  /// what the player got are the truth.
  @Suite("sound to an agent and back") struct SpokenConversationTests {
    /// - Parameter voice: more lines of `[voice]`.
    private func configure(_ voice: VoiceHome, _ demo: DemoBackend, _ more: String = "") throws {
      try voice.claw.write(
        """
        [profiles.desk]
        kind = "elevenlabs"
        agent = "agent_juniper"
        url = "\(demo.url)"
        token_file = "\(demo.tokenFile)"
        [voice]
        recorder = "\(voice.folder)/recorder"
        player = "\(voice.folder)/player {rate}"
        \(more)
        """)
    }

    private func truth(_ demo: DemoBackend, _ what: String) throws -> [[String: Any]] {
      let entries = try demo.request("GET", "/__demo/truth").object["entries"]
      return (entries as? [[String: Any]] ?? []).filter { $0["what"] as? String == what }
    }

    @Test("the agent hears the microphone and is heard; what was said is in the conversation")
    func spoken() throws {
      let voice = try VoiceHome()
      let demo = try DemoBackend(
        ["--kind", "elevenlabs", "--scenario", "quiet", "--fault-control"], home: voice.claw.home)
      defer { demo.stop() }
      try configure(voice, demo)
      // What is said during the greeting is not heard, so it is said again and again.
      try voice.write(
        "recorder",
        Data(
          """
          #!/bin/sh
          echo $$ >>\(voice.folder)/recorder.pid
          while :; do cat \(voice.folder)/speech.raw || exit; sleep 1; done

          """.utf8))
      let cockpit = try Cockpit(
        ["--profile", "desk", "--utc"], home: voice.claw.home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("i")
      try cockpit.type("\u{1B}", see: "V conversation")
      cockpit.type("V")
      try cockpit.see("the greeting aloud") { $0.contains("speaking") }
      try cockpit.see("the service heard it") { _ in
        ((try? truth(demo, "heard")) ?? []).count >= 1
      }
      let bar = try voice.claw.run(["widget", "small", "--profile", "desk"])
      #expect(bar.text.contains("recording") || bar.text.contains("speaking"), "\(bar)")
      let played = FileManager.default.contents(atPath: voice.folder + "/played") ?? Data()
      #expect(played.contains { $0 != 0 })
      // 16-bit samples of the service's own rate.
      #expect(voice.lines("player.pid").count >= 1)
      cockpit.type("V")
      try cockpit.see("the conversation by voice is over")
      try cockpit.see("its end at the service") { _ in
        ((try? truth(demo, "ended")) ?? []).count == 1
      }
      #expect(
        try truth(demo, "ended").first?["why"] as? String == "Client ended the conversation")
      #expect(try truth(demo, "invalid").isEmpty)
      let rest = try voice.claw.run(["widget", "small", "--profile", "desk"])
      #expect(!rest.text.contains("recording") && !rest.text.contains("speaking"), "\(rest)")
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      voice.awaitNone()
    }

    @Test("no microphone outlives the screen")
    func leaving() throws {
      let voice = try VoiceHome()
      let demo = try DemoBackend(
        ["--kind", "elevenlabs", "--scenario", "quiet", "--fault-control"], home: voice.claw.home)
      defer { demo.stop() }
      try configure(voice, demo)
      let cockpit = try Cockpit(
        ["--profile", "desk", "--utc"], home: voice.claw.home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      cockpit.type("i")
      try cockpit.type("\u{1B}", see: "V conversation")
      cockpit.type("V")
      try cockpit.see("half duplex")
      cockpit.pty.signal(SIGTERM)
      cockpit.expectEnd(.exited(143))
      voice.awaitNone()
    }
  }
}
