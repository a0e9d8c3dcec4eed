import CockpitVoice
import Testing
import VoicePipeline

@MainActor
@Suite(.serialized) struct SpeechLinkTests {
  final class EchoLink: SpeechLink {
    var tell: (@MainActor (SpeechLinkEvent) -> Void)?
    var heard: [UInt8] = []
    var isStopped = false

    func start(_ tell: @escaping @MainActor (SpeechLinkEvent) -> Void) { self.tell = tell }
    func send(_ samples: [UInt8]) { heard += samples }
    func stop() { isStopped = true }
  }

  @Test func soundGoesBothWays() async throws {
    let stage = try VoiceStage()
    let link = EchoLink()
    var ends: [String?] = []
    let run = SpeechLinkRun(link, try stage.settings(), in: stage.host) {
    } done: {
      ends.append($0)
    }
    run.start()
    await stage.until("heard") { link.heard.count == VoiceStage.speech.count }
    #expect(link.heard == VoiceStage.speech)
    #expect(run.phase == .recording)
    let samples = VoiceStage.noise(ms: 100, amplitude: 0.3)
    link.tell?(.audio(samples, .recorded))
    await stage.until("speaks") { run.phase == .speaking }
    link.tell?(.turnEnded)
    await stage.until("played") { run.phase == .recording }
    #expect(stage.bytes("played.raw") == samples)
    // The agent is interrupted: what was not played is not.
    link.tell?(.audio(samples, .recorded))
    link.tell?(.interrupted)
    #expect(run.phase == .recording)
    link.tell?(.ended("the time is up"))
    #expect(ends == ["the time is up"])
    #expect(link.isStopped && run.phase == .idle)
  }
}
