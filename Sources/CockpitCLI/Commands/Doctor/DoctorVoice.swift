import CockpitFiles
import CockpitSession
import CockpitVoice
import CurlTransport
import Children
import Networking
import VoicePipeline

/// The programs and services of `[voice]`; nothing where that is not configured.
struct DoctorVoice: Sendable {
  let settings: Settings

  @MainActor func checks() async -> [DoctorCheck] {
    guard let voice = settings.voice else { return [] }
    var checks = [recorder(voice), player(voice)]
    for (name, problem) in settings.voiceProblems {
      checks.append(DoctorCheck("voice", .fail, "\(name): \(problem)", "correct its url"))
    }
    if voice.hearing.isEmpty {
      checks.append(
        DoctorCheck(
          "speech", .warn, "no service turns speech into text",
          "name one under stt in [voice], such as whisper.cpp's whisper-cli or a server"))
    }
    let transport = try? OpenedSource.transport(
      settings, caFile: settings.caFile, on: settings.process.eventLoop)
    defer { transport?.0.shutdown() }
    for service in voice.hearing {
      checks.append(await check(service, "speech", voice, transport))
    }
    if voice.speaking.isEmpty {
      checks.append(
        DoctorCheck(
          "reading", .warn, "no service reads answers aloud",
          "install espeak-ng, or name a service under tts in [voice]"))
    }
    for service in voice.speaking {
      checks.append(await check(service, "reading", voice, transport))
    }
    return checks
  }

  private func recorder(_ voice: VoiceSettings) -> DoctorCheck {
    guard let line = voice.recorder else {
      return DoctorCheck(
        "microphone", .warn, "no recorder was found",
        "install one of \(VoiceProgram.recorderNames.joined(separator: ", ")), or set recorder in [voice]"
      )
    }
    let isRemote = !(settings.environment["SSH_CONNECTION"] ?? "").isEmpty
    guard isRemote, !line.contains("ssh ") else { return program("microphone", line) }
    return DoctorCheck(
      "microphone", .warn, "\(line): over SSH it is that of the remote machine",
      "recorder = \"ssh LAPTOP pw-record …\" in [voice] uses yours")
  }

  private func player(_ voice: VoiceSettings) -> DoctorCheck {
    guard let line = voice.player else {
      return DoctorCheck(
        "loudspeaker", .warn, "no player was found",
        "install one of \(VoiceProgram.playerNames.joined(separator: ", ")), or set player in [voice]"
      )
    }
    return program("loudspeaker", line)
  }

  private func program(_ what: String, _ line: String) -> DoctorCheck {
    let command = VoiceProgram(line: line)
    guard let path = command.path(settings.environment) else {
      return DoctorCheck(
        what, .fail, "\(command.name) was not found", "install it, or name another one in [voice]")
    }
    return DoctorCheck(what, .ok, path)
  }

  @MainActor private func check(
    _ service: VoiceService, _ what: String, _ voice: VoiceSettings,
    _ transport: (CurlTransport, DispatchClock)?
  ) async -> DoctorCheck {
    let place = service.isLocal ? "LOCAL" : "REMOTE"
    if voice.requiresLocal, !service.isLocal {
      return DoctorCheck(
        what, .warn, "\(service.name) REMOTE is refused by require_local",
        "leave it out, or set require_local = false")
    }
    switch service.kind {
    case .command(let line):
      var check = program(what, line)
      check.text = "\(service.name) \(place): \(check.text)"
      return check
    case .gateway: return DoctorCheck(what, .ok, "\(service.name) REMOTE: the gateway's tts.speak")
    case .openAI(let url), .elevenLabs(let url):
      guard let (transport, clock) = transport else {
        return DoctorCheck(what, .warn, "\(service.name) was not tried")
      }
      let answers = await SpeechProbe.answers(url, on: transport, clock: clock)
      let keys = VoiceKeys(settings)
      let name = service.name
      let key = await OwnThread.run {
        (try? keys.place(of: name))?.words ?? "cannot be looked for"
      }
      return answers
        ? DoctorCheck(what, .ok, "\(name) \(place): \(url) answers; key: \(key)")
        : DoctorCheck(
          what, .fail, "\(name) \(place): \(url) does not answer",
          "start the server, or correct its url")
    }
  }
}
