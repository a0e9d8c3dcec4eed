import CockpitFiles
import CockpitVoice
import Networking
import VoicePipeline

extension Settings {
  /// How speech is heard and made; nil where `[voice]` is not in the configuration.
  package var voice: VoiceSettings? {
    guard let table = configuration.voice else { return nil }
    var voice = VoiceSettings()
    voice.recorder = table.recorder ?? VoiceProgram.recorder(environment)?.line
    voice.player = table.player ?? VoiceProgram.player(environment)?.line
    voice.requiresLocal = table.requireLocal ?? false
    voice.isEchoCancelled = table.echoCancelled ?? false
    voice.speaks = table.speak != "off"
    voice.readsTyped = table.speak == "always"
    voice.hearing = (table.stt ?? []).compactMap { service($0, in: table) }
    let speaking = table.tts ?? VoiceProgram.installedSynthesiser(environment).map { [$0] } ?? []
    voice.speaking = speaking.compactMap { service($0, in: table) }
    return voice
  }

  /// Services whose address cannot be used, each with the reason.
  package var voiceProblems: [(name: String, problem: String)] {
    guard let table = configuration.voice else { return [] }
    return Set((table.stt ?? []) + (table.tts ?? [])).sorted().compactMap { name in
      guard let service = table.services[name], service.command == nil else { return nil }
      do throws(BackendURL.Problem) {
        _ = try Self.address(of: service)
        return nil
      } catch {
        return (name, error.description)
      }
    }
  }

  private func service(_ name: String, in table: Configuration.Voice) -> VoiceService? {
    let keys = table.services[name] ?? Configuration.Voice.Service()
    let kind: VoiceService.Kind
    if let command = keys.command {
      kind = .command(command)
    } else if table.services[name] == nil {
      guard name != "gateway" else { return VoiceService(name: name, kind: .gateway) }
      guard let command = VoiceProgram.synthesiser(name) else { return nil }
      kind = .command(command.line)
    } else {
      // A problem of the address is said by `doctor` and `config validate`.
      guard let url = try? Self.address(of: keys) else { return nil }
      kind = keys.kind == "elevenlabs" ? .elevenLabs(url) : .openAI(url)
    }
    var service = VoiceService(name: name, kind: kind)
    service.model = keys.model
    service.voice = keys.voice
    service.language = keys.language
    service.rate = keys.rate
    service.saysLocal = keys.local
    return service
  }

  private static func address(
    of service: Configuration.Voice.Service
  ) throws(BackendURL.Problem) -> BackendURL {
    let standard =
      service.kind == "elevenlabs" ? "https://api.elevenlabs.io" : "https://api.openai.com/v1"
    return try BackendURL(service.url ?? standard)
  }
}
