import CockpitVoice
import Foundation
import Networking
import Testing
import VoicePipeline

@MainActor
@Suite(.serialized) struct VoicePipelineTests {
  @Test func aSpokenExchangeFromSoundToSound() async throws {
    let stage = try VoiceStage()
    let pipeline = stage.pipeline(try stage.settings())
    pipeline.perform(.talk)
    #expect(pipeline.board.phase == .recording)
    // The detector ends the recording.
    await stage.until("text") { stage.sent == ["hello there"] }
    #expect(pipeline.board.phase == .thinking)
    pipeline.answerBegan()
    pipeline.answer("Good day. I can")
    #expect(pipeline.board.phase == .streaming || pipeline.board.phase == .speaking)
    pipeline.answer("Good day. I can help.\n```\nx = 1.\n```\nBye")
    pipeline.answerEnded()
    await stage.until("end") { pipeline.board.phase == .idle }
    // What the programs wrote down: each sentence once, without the code; two are synthesised at a time.
    #expect(stage.lines("mouth.log").sorted() == ["Bye", "Good day.", "I can help."])
    #expect(stage.lines("player.log").filter { $0.hasPrefix("8000") }.count == 3)
    let tone = stage.bytes("tone.wav").dropFirst(44)
    let isPlayed = stage.bytes("played.raw") == Array(tone + tone + tone)
    #expect(isPlayed)
    // The transcriber got what the recorder gave, as a WAV file.
    let heard = stage.bytes("heard.wav")
    #expect(Array(heard.prefix(44)) == WavAudio.header(.recorded, bytes: heard.count - 44))
    #expect(heard.count > 70_000 && VoiceStage.speech.starts(with: heard.dropFirst(44)))
    #expect(!stage.has("kept.wav"))
    let exchange = try #require(pipeline.board.waterfall.exchanges.first)
    for step in VoiceExchange.Step.allCases { #expect(exchange.ms(step) != nil, "\(step)") }
    #expect(stage.said == [])
  }

  @Test func aConversationHasTurnsByItself() async throws {
    let stage = try VoiceStage()
    let pipeline = stage.pipeline(try stage.settings())
    pipeline.perform(.conversation)
    for turn in 1...2 {
      await stage.until("turn \(turn)") { stage.sent.count == turn }
      // Half duplex: nothing records while it answers.
      #expect(!pipeline.board.isRecording)
      pipeline.answerBegan()
      pipeline.answer("Answer \(turn).")
      pipeline.answerEnded()
      await stage.until("speech \(turn)") { stage.lines("mouth.log").count == turn }
    }
    await stage.until("turn 3") { stage.sent.count == 3 }
    pipeline.perform(.conversation)
    pipeline.answerBegan()
    pipeline.answerEnded()
    #expect(pipeline.board.phase == .idle)
    #expect(!pipeline.board.isConversation)
    #expect(stage.said.first?.contains("microphone is closed while") ?? false)
    #expect(pipeline.board.waterfall.exchanges.count == 3)
  }

  @Test func interruptKillsEverythingWithin100Ms() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    settings.player = try stage.script("stuck", "echo $$ >$D/player.pid; exec sleep 60")
    settings.speaking = [
      VoiceService(
        name: "mouth",
        kind: .command(
          try stage.script(
            "two",
            "read x; case $x in One*) cat $D/tone.wav;; *) echo $$ >$D/mouth.pid; exec sleep 60;; esac"
          )))
    ]
    let pipeline = stage.pipeline(settings)
    pipeline.answerBegan()
    pipeline.answer("One. Two. Three. Four. Five. Six.")
    await stage.until("both run") {
      !stage.lines("player.pid").isEmpty && !stage.lines("mouth.pid").isEmpty
    }
    let processes = try [
      #require(Int32(stage.lines("player.pid")[0])), #require(Int32(stage.lines("mouth.pid")[0])),
    ]
    #expect(processes.allSatisfy(isAlive))
    #expect(pipeline.board.phase == .speaking)
    let start = ContinuousClock.now
    pipeline.perform(.interrupt)
    #expect(pipeline.board.phase == .streaming)
    await stage.until("both are gone") { !processes.contains(where: isAlive) }
    #expect(ContinuousClock.now - start < .milliseconds(100))
    // The rest of this answer is not read either.
    pipeline.answer("One. Two. Three. Four. Five. Six. One again.")
    pipeline.answerEnded()
    #expect(pipeline.board.phase == .idle)
    // The next one is.
    pipeline.answerBegan()
    pipeline.answer("One more.")
    pipeline.answerEnded()
    await stage.until("speaks again") { pipeline.board.phase == .speaking }
    pipeline.close()
  }

  @Test func aTranscriberThatHangsLeavesTheRecording() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    settings.hearing = [
      VoiceService(
        name: "slow",
        kind: .command(try stage.script("slow", "echo $$ >$D/slow.pid; exec sleep 60")))
    ]
    let pipeline = stage.pipeline(settings, transcriptionDeadlineMs: 700)
    pipeline.perform(.talk)
    await stage.until("said") { !stage.said.isEmpty }
    #expect(
      stage.said == [
        "'slow' gave no text in time; the recording is kept in \(stage.folder)/kept.wav"
      ])
    #expect(pipeline.board.phase == .idle)
    let mode = try FileManager.default.attributesOfItem(atPath: stage.folder + "/kept.wav")
    #expect(mode[.posixPermissions] as? Int == 0o600)
    let slow = try #require(Int32(stage.lines("slow.pid").first ?? ""))
    await stage.until("it is gone") { !isAlive(slow) }
  }

  @Test func theNextServiceIsTried() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    let remote = VoiceService(
      name: "cloud", kind: .openAI(try BackendURL("https://speech.invalid/v1")))
    let broken = VoiceService(
      name: "broken",
      kind: .command(try stage.script("broken", "cat >/dev/null; echo no model >&2; exit 3")))
    let missing = VoiceService(name: "missing", kind: .command("/nowhere/whisper"))
    let noisy = VoiceService(name: "noisy", kind: .command("printf '\\377\\376'; cat >/dev/null"))
    let flood = VoiceService(name: "flood", kind: .command("exec yes"))
    settings.hearing = [remote, broken, missing, noisy, flood]
    settings.requiresLocal = true
    let pipeline = stage.pipeline(settings)
    #expect(!pipeline.board.hearsRemotely)
    pipeline.perform(.talk)
    await stage.until("said") { !stage.said.isEmpty }
    let said = stage.said.joined()
    for words in [
      "'cloud' is not on this machine, and require_local is set",
      "the transcriber 'broken' ended with status 3 (no model)",
      "the transcriber 'missing' needs 'whisper', which was not found; install it",
      "what 'noisy' prints is no text", "'flood' prints more than a transcript can have",
    ] { #expect(said.contains(words), "\(words) in \(said)") }
    #expect(pipeline.board.phase == .idle)
    settings.hearing += try stage.settings().hearing
    let second = stage.pipeline(settings)
    second.perform(.talk)
    await stage.until("text") { stage.sent == ["hello there"] }
  }

  @Test func recordersThatFailSaySo() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    for (line, words) in [
      ("/nowhere/arecord -q", "the recorder 'arecord' was not found"),
      (
        try stage.script("dies", "echo no device >&2; exit 1"),
        "the recorder 'dies' ended with status 1 (no device)"
      ),
      ("exec cat /dev/zero", "gives more than a microphone can"),
    ] {
      stage.said = []
      settings.recorder = line
      let pipeline = stage.pipeline(settings)
      // A conversation waits without a limit, so that a flood is seen as one.
      pipeline.perform(.conversation)
      await stage.until(line) { stage.said.contains { $0.contains(words) } }
      #expect(pipeline.board.phase == .idle)
      #expect(!pipeline.board.isConversation)
    }
    // One that dies after something was said: that is not lost.
    settings.recorder = try stage.script("half", "head -c 48000 $D/speech.raw; exit 1")
    let pipeline = stage.pipeline(settings)
    pipeline.perform(.talk)
    await stage.until("text") { stage.sent == ["hello there"] }
  }

  @Test func silenceIsNotSent() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    try stage.write("quiet.raw", VoiceStage.noise(ms: 2_000, amplitude: 0.002))
    settings.recorder = try stage.script("quiet", "cat $D/quiet.raw; exec sleep 60")
    let pipeline = stage.pipeline(settings)
    pipeline.perform(.talk)
    await stage.until("heard") { pipeline.board.recordedMs > 1_000 }
    #expect(pipeline.board.levels.count == 100)
    pipeline.perform(.talk)
    await stage.until("idle") { pipeline.board.phase == .idle }
    #expect(stage.said == ["nothing was heard"])
    #expect(!stage.has("heard.wav"))
  }

  @Test func overSSHItSaysWhoseMicrophone() throws {
    let stage = try VoiceStage(environment: ["SSH_CONNECTION": "10.0.0.1 1 10.0.0.2 22"])
    let pipeline = stage.pipeline(try stage.settings())
    for _ in 1...2 {
      pipeline.perform(.talk)
      pipeline.perform(.cancel)
    }
    #expect(stage.said.count == 1)
    #expect(stage.said[0].contains("microphone is that of the remote machine"))
    #expect(pipeline.board.phase == .idle)
  }
}
