import Foundation
import TerminalTestKit
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A demo gateway, and programs in a folder that stand for microphone, transcriber and loudspeaker. Each writes down
/// what it does.
final class VoiceHome {
  let claw: GatewayHome
  let folder: String

  /// - Parameters:
  ///   - player: what the player does with its input.
  ///   - recorder: what the recorder does after it has said something.
  init(
    player: String = "cat >>$D/played; echo end >>$D/player.log", speech: Bool = true,
    keys: String = ""
  ) throws {
    claw = try GatewayHome()
    folder = claw.home.path + "/voice"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try write("speech.raw", Self.sound(speech))
    try write(
      "tone.raw",
      Data((0..<800).flatMap { $0 % 8 < 4 ? [UInt8(0), 16] : [UInt8(0), 240] }))
    for (name, text) in [
      ("recorder", "echo $$ >>$D/recorder.pid; cat $D/speech.raw; exec sleep 60"),
      ("ears", "cat >$D/heard.wav; echo plan the order"),
      ("mouth", "cat >>$D/mouth.log; cat $D/tone.raw"),
      ("player", "echo $$ >>$D/player.pid; \(player)"),
    ] {
      try write(name, Data("#!/bin/sh\nD='\(folder)'\n\(text)\n".utf8))
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o700], ofItemAtPath: "\(folder)/\(name)")
    }
    try claw.write(
      """
      [profiles.claw]
      kind = "openclaw"
      url = "\(claw.demo.url)"
      token_file = "\(claw.demo.tokenFile)"
      scopes = "operate"
      [voice]
      recorder = "\(folder)/recorder"
      player = "\(folder)/player {rate}"
      stt = ["ears"]
      tts = ["mouth"]
      \(keys)
      [voice.services.ears]
      command = "\(folder)/ears"
      [voice.services.mouth]
      command = "\(folder)/mouth"
      rate = 8000
      """)
  }

  /// Half a second of a quiet room, a second of a voice, and a room again.
  private static func sound(_ hasVoice: Bool) -> Data {
    var state: UInt64 = 5
    var data = Data()
    for place in 0..<43_200 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let isVoice = hasVoice && (8_000..<24_000).contains(place)
      let sample = Int16(truncatingIfNeeded: Int64(bitPattern: state) >> 48) / (isVoice ? 3 : 900)
      data.append(UInt8(truncatingIfNeeded: sample))
      data.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return data
  }

  func write(_ name: String, _ data: Data) throws {
    try data.write(to: URL(filePath: "\(folder)/\(name)"))
  }

  func lines(_ name: String) -> [String] {
    let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// The messages that the gateway got.
  func messages() throws -> [String] {
    try claw.truth("entries").filter { $0["what"] as? String == "message" }
      .compactMap { $0["text"] as? String }
  }

  /// Processes of these programs that still run.
  var running: [Int32] {
    ["recorder.pid", "player.pid"].flatMap(lines).compactMap { Int32($0) }
      .filter { kill($0, 0) == 0 }
  }

  func awaitNone() {
    let end = ContinuousClock.now + .seconds(10)
    while !running.isEmpty, ContinuousClock.now < end { usleep(5_000) }
    #expect(running.isEmpty)
  }
}

extension EndToEnd {
  /// Conversations by voice with the real program on a terminal; microphone, transcriber, voice and loudspeaker are
  /// scripts, and the gateway's own records are the truth.
  @Suite("conversations by voice") struct VoiceScreenTests {
    private func screen(_ voice: VoiceHome, rows: Int = 40, columns: Int = 120) throws -> Cockpit {
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: voice.claw.home, rows: rows, columns: columns)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("i", see: "C-t talk")
      return cockpit
    }

    private func wait(_ what: String, _ cockpit: Cockpit, _ isThere: () throws -> Bool) throws {
      try cockpit.see(what) { _ in (try? isThere()) ?? false }
    }

    @Test("sound in, text to the gateway, the answer on the screen and aloud, its steps")
    func exchange() throws {
      let voice = try VoiceHome()
      let cockpit = try screen(voice)
      cockpit.type("\u{14}")
      try cockpit.see("bags of lentils are enough")
      try wait("the message", cockpit) { try voice.messages() == ["plan the order"] }
      try wait("all is said", cockpit) {
        voice.lines("mouth.log").joined(separator: " ").contains("bags of lentils are enough")
          && voice.lines("player.log").count == voice.lines("mouth.log").count
      }
      try cockpit.type("\u{1B}", see: "i write")
      try cockpit.type("v", see: " of 1")
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      voice.awaitNone()
      let kept = try FileManager.default.contentsOfDirectory(
        atPath: FileManager.default.temporaryDirectory.path
      ).filter { $0.hasPrefix("clanky-\(cockpit.pty.processID)-") }
      #expect(kept.isEmpty)
    }

    @Test("Esc silences what is said; the answer goes on, and the next key leaves")
    func interrupt() throws {
      let voice = try VoiceHome(player: "exec sleep 60")
      let cockpit = try screen(voice)
      cockpit.type("\u{14}")
      try cockpit.see("speaking") { $0.contains("speaking LOCAL") }
      #expect(!voice.running.isEmpty)
      cockpit.type("\u{1B}")
      try cockpit.see("silence") { !$0.contains("speaking LOCAL") }
      voice.awaitNone()
      try cockpit.see("bags of lentils are enough")
      cockpit.type("\u{1B}")
      try cockpit.see("i write")
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
    }

    @Test("a conversation has its turns without a key")
    func conversation() throws {
      let voice = try VoiceHome()
      let cockpit = try screen(voice)
      try cockpit.type("\u{1B}", see: "V conversation")
      cockpit.type("V")
      try cockpit.see("half duplex")
      try wait("two turns", cockpit) { try voice.messages().count >= 2 }
      cockpit.type("V")
      try cockpit.see("the end") { $0.contains("conversation by voice is over") }
      cockpit.type("q")
      cockpit.type("q")
      cockpit.expectEnd(.exited(0))
      voice.awaitNone()
    }

    @Test("no program of voice outlives the screen, however that ends", arguments: 0..<8)
    func leaving(way: Int) throws {
      // The first four while something is recorded, the others while something is said.
      let isSpeaking = way >= 4
      let voice = try VoiceHome(player: "exec sleep 60", speech: isSpeaking)
      let cockpit = try screen(voice)
      cockpit.type("\u{14}")
      try cockpit.see(isSpeaking ? "speaking LOCAL" : "recording LOCAL")
      try wait("a program", cockpit) { !voice.running.isEmpty }
      switch way % 4 {
      case 0: cockpit.pty.signal(SIGTERM)
      case 1: cockpit.pty.signal(SIGQUIT)
      case 2: cockpit.pty.closeMaster()
      default: cockpit.pty.signal(SIGHUP)
      }
      _ = cockpit.pty.wait(timeout: Tool.patience)
      voice.awaitNone()
    }

    @Test("without [voice] there is no key, no word and no program of it")
    func without() throws {
      let voice = try VoiceHome()
      try voice.claw.configure("scopes = \"operate\"")
      let cockpit = try Cockpit(
        ["--profile", "claw", "--utc"], home: voice.claw.home, rows: 40, columns: 120)
      try cockpit.see("live") { _ in cockpit.isLive }
      try cockpit.type("i", see: "Nothing was said here yet")
      #expect(!cockpit.screen.contains("talk"))
      cockpit.type("\u{14}hello")
      try cockpit.see("> hello")
      #expect(voice.lines("recorder.pid").isEmpty)
      cockpit.pty.signal(SIGTERM)
      _ = cockpit.pty.wait(timeout: Tool.patience)
    }
  }

  /// The verbs of voice.
  @Suite("voice in a shell") struct VoiceVerbTests {
    @Test("ptt: what was said, the answer, the sound; --quiet without sound")
    func ptt() throws {
      let voice = try VoiceHome()
      let said = try voice.claw.run(["ptt", "--profile", "claw", "--agent", "moss"])
      #expect(said.status == .exited(0), "\(said)")
      #expect(try voice.messages() == ["plan the order"])
      #expect(said.errors.contains("You: plan the order"))
      #expect(said.text.contains("bags of lentils are enough"))
      #expect(voice.lines("player.log").count == voice.lines("mouth.log").count)
      #expect(!voice.lines("mouth.log").isEmpty)
      let count = voice.lines("mouth.log").count
      let quiet = try voice.claw.run(
        ["ptt", "--profile", "claw", "--agent", "moss", "--quiet", "--json"])
      #expect(quiet.status == .exited(0), "\(quiet)")
      #expect(quiet.objects.first?["event"] as? String == "heard")
      #expect(quiet.objects.first?["text"] as? String == "plan the order")
      #expect(quiet.objects.last?["event"] as? String == "exchange")
      #expect(quiet.objects.last?["first_word_ms"] is Int)
      #expect(quiet.objects.last?["first_sound_ms"] is NSNull)
      #expect(voice.lines("mouth.log").count == count)
      voice.awaitNone()
    }

    @Test("ptt: SIGTERM ends the recording and sends it; silence is exit code 1")
    func pttEnds() throws {
      let voice = try VoiceHome()
      // A voice that does not stop.
      let sound = FileManager.default.contents(atPath: voice.folder + "/speech.raw") ?? Data()
      try voice.write("speech.raw", sound.prefix(46_000))
      let process = try PipedProcess(
        Tool.path, ["ptt", "--profile", "claw", "--agent", "moss", "--quiet"],
        environment: Tool.environment(home: voice.claw.home))
      let end = ContinuousClock.now + Tool.patience
      while voice.lines("recorder.pid").isEmpty, ContinuousClock.now < end { usleep(10_000) }
      // The recorder has given its sound when it sleeps.
      usleep(300_000)
      process.signal(SIGTERM)
      process.wait()
      #expect(process.status == .exited(0), "\(process.errorText)")
      #expect(try voice.messages() == ["plan the order"])

      let silent = try VoiceHome(speech: false)
      let none = try PipedProcess(
        Tool.path, ["ptt", "--profile", "claw"],
        environment: Tool.environment(home: silent.claw.home))
      while silent.lines("recorder.pid").isEmpty, ContinuousClock.now < end { usleep(10_000) }
      usleep(300_000)
      none.signal(SIGINT)
      none.wait()
      #expect(none.status == .exited(1))
      #expect(none.errorText.contains("nothing was heard"))
      silent.awaitNone()
    }

    @Test("without [voice], and where the transcriber fails, one sentence")
    func pttFails() throws {
      let voice = try VoiceHome()
      try voice.write("ears", Data("#!/bin/sh\ncat >/dev/null; echo no model >&2; exit 4\n".utf8))
      let failed = try voice.claw.run(["ptt", "--profile", "claw"])
      #expect(failed.status == .exited(1))
      #expect(
        failed.errors.contains(
          "the transcriber 'ears' ended with status 4 (no model); the recording is kept in "),
        "\(failed)")
      let path = failed.errors.split(separator: "kept in ").last?.split(separator: ".wav").first
      try FileManager.default.removeItem(atPath: String(try #require(path)) + ".wav")
      try voice.claw.configure("scopes = \"operate\"")
      let none = try voice.claw.run(["ptt", "--profile", "claw"])
      #expect(none.status == .exited(2))
      #expect(none.errors.contains("ptt needs [voice] in the configuration"))
    }

    @Test("secrets: set from a pipe, listed without a value, used, cleared; never printed")
    func secrets() throws {
      let voice = try VoiceHome()
      let claw = voice.claw
      try claw.write(
        "[voice]\nstt = [\"cloud\"]\n[voice.services.cloud]\nkind = \"openai\"\nurl = \"http://127.0.0.1:1/v1\"\n"
      )
      let set = try PipedProcess(
        "/bin/sh",
        ["-c", "echo sk-1234567890 | '\(Tool.path)' secrets set cloud --store file"],
        environment: Tool.environment(home: claw.home))
      set.wait()
      #expect(set.status == .exited(0), "\(set.errorText)")
      let list = try claw.run(["secrets", "list", "--json"])
      #expect(list.objects.first?["name"] as? String == "cloud")
      let place = try #require(list.objects.first?["from"] as? String)
      #expect(place.hasPrefix("file "))
      let file = String(place.dropFirst(5))
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
      #expect(mode as? Int == 0o600)
      for said in [list.text, list.errors, set.text, set.errorText] {
        #expect(!said.contains("sk-1234567890"))
      }
      let other = try claw.run(["secrets", "set", "nobody"])
      #expect(other.status == .exited(2) && other.errors.contains("there is cloud"))
      #expect(try claw.run(["secrets", "clear", "cloud"]).status == .exited(0))
      let after = try claw.run(["secrets", "list", "--json"])
      #expect(after.objects.first?["from"] is NSNull)
      #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("doctor looks for every program and asks every address")
    func doctor() throws {
      let voice = try VoiceHome()
      let good = try voice.claw.run(["doctor", "--profile", "claw", "--json"])
      let checks = good.objects.filter {
        ["microphone", "loudspeaker", "speech", "reading"].contains($0["name"] as? String ?? "")
      }
      #expect(checks.count == 4 && checks.allSatisfy { $0["verdict"] as? String == "ok" })
      try voice.claw.write(
        "[voice]\nrecorder = \"/nowhere/arecord -q\"\nstt = [\"cloud\"]\n[voice.services.cloud]\nurl = \"http://127.0.0.1:1/v1\"\n"
      )
      let bad = try voice.claw.run(["doctor", "--json"])
      let failed = bad.objects.filter { $0["verdict"] as? String == "fail" }
      let texts = failed.compactMap { $0["text"] as? String }
      #expect(texts.contains("arecord was not found"))
      #expect(texts.contains { $0.contains("cloud LOCAL: http://127.0.0.1:1/v1 does not answer") })
      // Who has no [voice] reads nothing of it.
      try voice.claw.write("")
      let none = try voice.claw.run(["doctor"])
      #expect(!none.text.contains("microphone") && !none.text.contains("speech"))
    }
  }
}
