import CockpitVoice
import Testing
import VoicePipeline

@MainActor
@Suite(.serialized) struct SpeechLinkTests {
  final class EchoLink: SpeechLink {
    var isLocal = true
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

  @Test("a turn that the user silences stays silent to its end; the next one is heard")
  func silenced() async throws {
    let stage = try VoiceStage()
    let link = EchoLink()
    let run = SpeechLinkRun(link, try stage.settings(), in: stage.host) {
    } done: { _ in
    }
    run.start()
    let samples = VoiceStage.noise(ms: 100, amplitude: 0.3)
    link.tell?(.audio(samples, .recorded))
    await stage.until("speaks") { run.phase == .speaking }
    run.interrupt()
    link.tell?(.audio(samples, .recorded))
    #expect(run.phase == .recording)
    link.tell?(.turnEnded)
    link.tell?(.audio(samples, .recorded))
    await stage.until("the next turn") { run.phase == .speaking }
    run.stop()
    #expect(link.isStopped)
  }

  @Test("require_local refuses an agent elsewhere, and no program starts")
  func local() throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    settings.requiresLocal = true
    let pipeline = VoicePipeline(settings, in: stage.host)
    let link = EchoLink()
    link.isLocal = false
    var said: [String] = []
    pipeline.say = { said.append($0) }
    pipeline.converse { link }
    pipeline.perform(.conversation)
    #expect(said.last?.hasPrefix("require_local keeps sound on this machine") == true)
    #expect(link.tell == nil && pipeline.board.phase == .idle)
  }

  @Test(
    "the board shows a conversation by sound as one that leaves the machine, and rests after it")
  func board() async throws {
    let stage = try VoiceStage()
    let pipeline = VoicePipeline(try stage.settings(), in: stage.host)
    let link = EchoLink()
    link.isLocal = false
    let before = pipeline.board
    pipeline.converse { link }
    pipeline.perform(.conversation)
    #expect(pipeline.board.hearsRemotely && pipeline.board.isConversation)
    #expect(pipeline.board.phase == .recording)
    pipeline.perform(.mute)
    #expect(pipeline.board.isMuted)
    pipeline.perform(.conversation)
    #expect(link.isStopped && pipeline.board == before)
  }
}
