import CockpitVoice
import Foundation
import Testing
import VoicePipeline

@MainActor
@Suite(.serialized) struct SpeechOutputTests {
  private func output(
    _ stage: VoiceStage, _ settings: VoiceSettings, graceMs: UInt64 = 10_000,
    _ tell: @escaping (SpeechOutput.Event) -> Void
  ) -> SpeechOutput {
    SpeechOutput(
      settings.speaking, player: VoiceProgram(line: settings.player ?? ""), requiresLocal: false,
      graceMs: graceMs, in: stage.host, tell: tell)
  }

  @Test func threeAreAheadAndNoMore() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    settings.player = "sleep 60"
    let output = output(stage, settings) { _ in }
    for number in 1...7 { output.say("s\(number)") }
    await stage.until("three are synthesised") { stage.lines("mouth.log").count == 3 }
    #expect(output.ahead == 3)
    #expect(output.waiting == 4)
    output.stop()
    #expect(output.isIdle)
  }

  @Test func theOrderHoldsWhenTheFirstIsSlow() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    for letter in ["a", "b", "c"] {
      try stage.write(
        "\(letter).wav",
        WavAudio.file(AudioFormat(rate: 8_000), samples: Array(letter.utf8) + [0]))
    }
    settings.speaking[0].kind = .command(
      try stage.script(
        "slow",
        """
        read x
        if [ $x = a ]; then while [ ! -e $D/b.done ]; do sleep 0.02; done; fi
        cat $D/$x.wav
        : >$D/$x.done
        """))
    var events: [SpeechOutput.Event] = []
    let output = output(stage, settings) { events.append($0) }
    for text in ["a", "b", "c"] { output.say(text) }
    await stage.until("end") { events.last == .ended }
    #expect(stage.bytes("played.raw") == [97, 0, 98, 0, 99, 0])
    #expect(events == [.began, .ended])
  }

  @Test func synthesisersThatFailArePassedOver() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    let good = settings.speaking[0]
    settings.speaking = [
      VoiceService(name: "usage", kind: .command("cat >/dev/null; echo usage: say TEXT")),
      VoiceService(name: "dead", kind: .command("cat >/dev/null; exit 9")),
      VoiceService(name: "gone", kind: .command("/nowhere/espeak")),
      VoiceService(name: "mute", kind: .command("cat >/dev/null")),
      good,
    ]
    var events: [SpeechOutput.Event] = []
    let output = output(stage, settings) { events.append($0) }
    output.say("x")
    await stage.until("end") { events.last == .ended }
    #expect(events == [.began, .ended])
    settings.speaking.removeLast()
    events = []
    let broken = self.output(stage, settings) { events.append($0) }
    broken.say("x")
    await stage.until("end") { events.last == .ended }
    guard case .failed(let problem)? = events.first else {
      Issue.record("\(events)")
      return
    }
    for words in [
      "'usage': what it gave is no audio", "'dead' ended with status 9",
      "'gone' needs 'espeak', which was not found",
      "'mute': what it gave is no audio",
    ] { #expect(problem.description.contains(words), "\(words) in \(problem)") }
  }

  @Test func aFloodOfAudioIsEnded() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    settings.speaking[0].kind = .command(
      try stage.script("flood", "echo $$ >$D/flood.pid; cat $D/tone.wav >/dev/null; exec yes"))
    settings.speaking[0].rate = 8_000
    settings.player = "cat >/dev/null"
    var events: [SpeechOutput.Event] = []
    let output = output(stage, settings) { events.append($0) }
    output.say("x")
    await stage.until("end") { events.last == .ended }
    #expect(
      events.contains(
        .failed(VoiceProblem("'mouth' gives more audio than a sentence can have"))))
    let flood = try #require(Int32(stage.lines("flood.pid").first ?? ""))
    await stage.until("it is gone") { !isAlive(flood) }
  }

  @Test func playersThatFailSaySo() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    for (line, words) in [
      ("/nowhere/aplay", "the player 'aplay' was not found"),
      ("exec false", "ended with status 1"),
      ("cat >/dev/null; exec sleep 60", "does not play"),
    ] {
      settings.player = line
      var events: [SpeechOutput.Event] = []
      let output = output(stage, settings, graceMs: 300) { events.append($0) }
      output.say("one")
      output.say("two")
      await stage.until(line) { events.last == .ended }
      let problems = events.compactMap { event -> String? in
        if case .failed(let problem) = event { return problem.description }
        return nil
      }
      #expect(problems.count == 1 && problems[0].contains(words), "\(problems)")
      #expect(output.isIdle)
    }
  }

  /// With espeak-ng and sox: real words become a file of sound of a length that words have.
  @Test(.enabled(if: isInstalled("espeak-ng") && isInstalled("sox")))
  func realPrograms() async throws {
    let stage = try VoiceStage()
    var settings = VoiceSettings()
    settings.player = "sox -q -t raw -r {rate} -e signed -b 16 -c 1 - $D/out.wav"
    settings.speaking = [
      VoiceService(
        name: "espeak-ng",
        kind: .command(try #require(VoiceProgram.synthesiser("espeak-ng")?.line)))
    ]
    var events: [SpeechOutput.Event] = []
    let output = output(stage, settings) { events.append($0) }
    let start = ContinuousClock.now
    output.say("The quick brown fox jumps over the lazy dog.")
    await stage.until("end") { events.last == .ended }
    let taken = ContinuousClock.now - start
    #expect(events == [.began, .ended])
    var reader = AudioReader(rawRate: nil)
    let samples = try reader.take(stage.bytes("out.wav"))
    let seconds = Double(samples.count) / Double(reader.format?.bytesPerSecond ?? 1)
    #expect((1.5...6).contains(seconds))
    #expect(AudioLevel(samples).rms > 0.01)
    // The detector of this program hears it as speech.
    #expect(taken < .seconds(10))
    print("espeak-ng and sox: \(seconds) s of speech in \(taken)")
  }
}

func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").contains {
    FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
  }
}
