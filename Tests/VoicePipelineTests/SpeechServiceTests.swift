import CockpitVoice
import Foundation
import LenientJSON
import Networking
import Testing
import VoicePipeline

@MainActor
@Suite(.serialized) struct SpeechServiceTests {
  private static let recording = VoiceStage.noise(ms: 600, amplitude: 0.3)

  private func transcribe(
    _ stage: VoiceStage, _ services: [VoiceService], deadlineMs: UInt64 = 20_000
  ) async -> Result<Transcriber.Transcript, VoiceProblem> {
    let transcriber = Transcriber(
      services, requiresLocal: false, deadlineMs: deadlineMs, in: stage.host)
    return await withCheckedContinuation { continuation in
      transcriber.start(Self.recording, file: nil) {
        _ = transcriber
        continuation.resume(returning: $0)
      }
    }
  }

  @Test func openAITranscription() async throws {
    let stage = try VoiceStage()
    let server = try SpeechServer { _ in
      SpeechServer.answer(
        "200 OK", ["Content-Type: application/json"], Array(#"{"text":" Guten Tag "}"#.utf8))
    }
    defer { server.stop() }
    stage.change { $0.key = { $1(.success("sk-test-1")) } }
    var service = VoiceService(name: "cloud", kind: .openAI(try server.base()))
    service.model = "whisper-large"
    service.language = "de"
    let result = await transcribe(stage, [service])
    #expect(try result.get() == .init(text: "Guten Tag", service: "cloud"))
    let request = try #require(server.requests.first)
    #expect(request.head.hasPrefix("POST /v1/audio/transcriptions HTTP/1.1"))
    #expect(request.header("authorization") == "Bearer sk-test-1")
    let types = request.head.split(separator: "\r\n").filter {
      $0.lowercased().hasPrefix("content-type:")
    }
    #expect(types.count == 1)
    let parts = request.parts
    #expect(parts["model"]?.body == Array("whisper-large".utf8))
    #expect(parts["language"]?.body == Array("de".utf8))
    #expect(parts["file"]?.head.contains("filename=\"speech.wav\"") ?? false)
    #expect(parts["file"]?.body == WavAudio.file(.recorded, samples: Self.recording))
  }

  @Test func elevenLabsTranscription() async throws {
    let stage = try VoiceStage()
    let server = try SpeechServer { _ in
      SpeechServer.answer(
        "200 OK", [], Array(#"{"language_code":"en","text":"hi","words":[]}"#.utf8))
    }
    defer { server.stop() }
    stage.change { $0.key = { $1(.success("xi-1")) } }
    let service = VoiceService(
      name: "eleven", kind: .elevenLabs(try BackendURL("http://127.0.0.1:\(server.port)")))
    #expect(try await transcribe(stage, [service]).get().text == "hi")
    let request = try #require(server.requests.first)
    #expect(request.head.hasPrefix("POST /v1/speech-to-text HTTP/1.1"))
    #expect(request.header("xi-api-key") == "xi-1")
    #expect(request.header("authorization") == nil)
    #expect(request.parts["model_id"]?.body == Array("scribe_v1".utf8))
  }

  @Test(arguments: [
    (401, "refused the key; set it with 'clanky-cockpit secrets set cloud'"),
    (429, "takes no more requests for now (429); again in 7 s"),
    (500, "failed with status 500 (out of memory)"),
    (404, "has no such interface (404); check its url and model"),
  ])
  func refusalsAreSentences(status: Int, words: String) async throws {
    let stage = try VoiceStage()
    let server = try SpeechServer { _ in
      SpeechServer.answer(
        "\(status) No", ["Retry-After: 7"], Array(#"{"error":{"message":"out of memory"}}"#.utf8))
    }
    defer { server.stop() }
    let service = VoiceService(name: "cloud", kind: .openAI(try server.base()))
    guard case .failure(let problem) = await transcribe(stage, [service]) else {
      Issue.record("taken")
      return
    }
    #expect(problem.description == "'cloud' " + words)
  }

  @Test func slowCutAndMissingServers() async throws {
    let stage = try VoiceStage()
    let slow = try SpeechServer { _ in nil }
    let cut = try SpeechServer { _ in
      SpeechServer.answer("200 OK", [], Array(#"{"text":"#.utf8), length: 900)
    }
    let odd = try SpeechServer { _ in SpeechServer.answer("200 OK", [], Array("<html>".utf8)) }
    let good = try SpeechServer { _ in
      SpeechServer.answer("200 OK", [], Array(#"{"text":"here"}"#.utf8))
    }
    defer { for server in [slow, cut, odd, good] { server.stop() } }
    let services = try [("slow", slow), ("cut", cut), ("odd", odd)].map {
      VoiceService(name: $0.0, kind: .openAI(try $0.1.base()))
    }
    let gone = VoiceService(name: "gone", kind: .openAI(try BackendURL("http://127.0.0.1:1")))
    let result = await transcribe(stage, services + [gone], deadlineMs: 400)
    guard case .failure(let problem) = result else {
      Issue.record("\(result)")
      return
    }
    for words in [
      "'slow' gave no text in time", "the connection to 'cut' broke",
      "the answer of 'odd' has no text", "'gone' is not running",
    ] { #expect(problem.description.contains(words), "\(words) in \(problem)") }
    let last = VoiceService(name: "good", kind: .openAI(try good.base()))
    let second = await transcribe(stage, services + [last], deadlineMs: 400)
    #expect(try second.get() == .init(text: "here", service: "good"))
  }

  @Test func speechOverHTTPIsPlayed() async throws {
    let stage = try VoiceStage()
    let samples = VoiceStage.noise(ms: 400, amplitude: 0.3, rate: 24_000)
    let server = try SpeechServer { _ in SpeechServer.answer("200 OK", [], samples) }
    defer { server.stop() }
    var settings = try stage.settings()
    var service = VoiceService(name: "cloud", kind: .openAI(try server.base()))
    service.voice = "nova"
    var eleven = VoiceService(
      name: "eleven", kind: .elevenLabs(try BackendURL("http://127.0.0.1:\(server.port)")))
    eleven.voice = "v/1"
    for service in [service, eleven] {
      settings.speaking = [service]
      try stage.write("played.raw", [])
      var events: [SpeechOutput.Event] = []
      let output = SpeechOutput(
        [service], player: VoiceProgram(line: settings.player ?? ""), requiresLocal: false,
        in: stage.host
      ) { events.append($0) }
      output.say("Say \"this\".")
      await stage.until("end") { events.last == .ended }
      #expect(events == [.began, .ended])
      #expect(stage.bytes("played.raw") == samples)
    }
    #expect(stage.lines("player.log").allSatisfy { $0 == "end" || $0.hasPrefix("24000 ") })
    let bodies = try server.requests.map {
      try #require(JSONFields(try $0.body.withUnsafeBytes { try JSONParser.parse($0) }))
    }
    #expect(bodies[0].string("input") == "Say \"this\"." && bodies[0].string("voice") == "nova")
    #expect(bodies[0].string("response_format") == "pcm")
    #expect(bodies[1].string("text") == "Say \"this\".")
    #expect(bodies[1].string("model_id") == "eleven_flash_v2_5")
    #expect(
      server.requests[1].head.hasPrefix(
        "POST /v1/text-to-speech/v%2F1/stream?output_format=pcm_24000 HTTP/1.1"))
  }

  @Test func aCutStreamIsPlayedAsFarAsItCame() async throws {
    let stage = try VoiceStage()
    let samples = VoiceStage.noise(ms: 100, amplitude: 0.3, rate: 24_000)
    let server = try SpeechServer { _ in
      SpeechServer.answer("200 OK", [], samples, length: samples.count * 2)
    }
    defer { server.stop() }
    let settings = try stage.settings()
    var events: [SpeechOutput.Event] = []
    let output = SpeechOutput(
      [VoiceService(name: "cloud", kind: .openAI(try server.base()))] + settings.speaking,
      player: VoiceProgram(line: settings.player ?? ""), requiresLocal: false, in: stage.host
    ) { events.append($0) }
    output.say("x")
    await stage.until("end") { events.last == .ended }
    #expect(events.contains(.failed(VoiceProblem("the connection to 'cloud' broke"))))
    // No second voice begins in the middle of a sentence.
    #expect(stage.bytes("played.raw") == samples)
    #expect(stage.lines("mouth.log").isEmpty)
  }

  @Test func aGatewaySpeaks() async throws {
    let stage = try VoiceStage()
    var settings = try stage.settings()
    let tone = stage.bytes("tone.wav")
    var asked: [String] = []
    stage.change {
      $0.gatewaySpeech = { text, done in
        asked.append(text)
        done(.success(tone))
      }
    }
    settings.speaking = [VoiceService(name: "gateway", kind: .gateway)]
    var events: [SpeechOutput.Event] = []
    let output = SpeechOutput(
      settings.speaking, player: VoiceProgram(line: settings.player ?? ""), requiresLocal: false,
      in: stage.host
    ) { events.append($0) }
    output.say("one")
    await stage.until("end") { events.last == .ended }
    #expect(asked == ["one"])
    #expect(stage.bytes("played.raw") == Array(tone.dropFirst(44)))
    let local = SpeechOutput(
      settings.speaking, player: VoiceProgram(line: settings.player ?? ""), requiresLocal: true,
      in: stage.host
    ) { events.append($0) }
    local.say("two")
    await stage.until("refused") { events.count > 2 && events.last == .ended }
    #expect(asked == ["one"])
  }
}
