internal import Children
package import CockpitVoice
internal import Networking

/// Turns a recording into text by the first service that can.
@MainActor
package final class Transcriber {
  /// A command that transcribes 30 s on a slow machine.
  package static let deadlineMs: UInt64 = 120_000
  /// The text of 30 s has a few hundred bytes.
  private static let textLimit = 64 << 10

  private let host: VoiceHost
  private let services: [VoiceService]
  private let requiresLocal: Bool
  private let deadlineMs: UInt64
  private var current: (any VoiceTask)?
  private var timer: (any LinkTimer)?
  /// Distinguishes what belongs to an attempt that was given up.
  private var attempt = 0

  package init(
    _ services: [VoiceService], requiresLocal: Bool, deadlineMs: UInt64 = Transcriber.deadlineMs,
    in host: VoiceHost
  ) {
    self.services = services
    self.requiresLocal = requiresLocal
    self.deadlineMs = deadlineMs
    self.host = host
  }

  /// A text, and the service that it is of.
  package struct Transcript: Hashable, Sendable {
    package var text: String
    package var service: String

    package init(text: String, service: String) {
      self.text = text
      self.service = service
    }
  }

  /// - Parameters:
  ///   - samples: s16le mono at 16 kHz.
  ///   - file: the WAV file of the same, for commands that want one.
  ///   - done: called once, unless it is cancelled.
  package func start(
    _ samples: [UInt8], file: String?,
    done: @escaping @MainActor (Result<Transcript, VoiceProblem>) -> Void
  ) {
    cancel()
    let wav = WavAudio.file(.recorded, samples: samples)
    next(services[...], wav, file, problems: [], done)
  }

  package func cancel() {
    attempt += 1
    timer?.cancel()
    current?.cancel()
    current = nil
  }

  private func next(
    _ left: ArraySlice<VoiceService>, _ wav: [UInt8], _ file: String?, problems: [VoiceProblem],
    _ done: @escaping @MainActor (Result<Transcript, VoiceProblem>) -> Void
  ) {
    guard let service = left.first else {
      let words = problems.map(\.description).joined(separator: "; ")
      return done(
        .failure(VoiceProblem(words.isEmpty ? "no service for speech to text is named" : words)))
    }
    attempt += 1
    let mine = attempt
    let finish = { [weak self] (result: Result<String, VoiceProblem>) in
      guard let self, attempt == mine else { return }
      attempt += 1
      timer?.cancel()
      current = nil
      switch result {
      case .success(let text):
        done(.success(Transcript(text: Self.cleaned(text), service: service.name)))
      case .failure(let problem):
        next(left.dropFirst(), wav, file, problems: problems + [problem], done)
      }
    }
    guard service.isLocal || !requiresLocal else {
      return finish(
        .failure(
          VoiceProblem("'\(service.name)' is not on this machine, and require_local is set")))
    }
    timer = host.after(deadlineMs) { [weak self] in
      self?.current?.cancel()
      finish(.failure(VoiceProblem("'\(service.name)' gave no text in time")))
    }
    switch service.kind {
    case .command(let line): run(VoiceProgram(line: line), service, wav, file, finish)
    case .openAI, .elevenLabs: request(service, wav, finish)
    case .gateway:
      finish(.failure(VoiceProblem("a gateway transcribes no recordings; name another service")))
    }
  }

  /// Blank marks such as whisper's `[BLANK_AUDIO]` are no words.
  private static func cleaned(_ text: String) -> String {
    let lines = text.split(whereSeparator: \.isNewline).map { line in
      line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    return lines.filter { line in
      !line.isEmpty && !(line.hasPrefix("[") && line.hasSuffix("]"))
    }.joined(separator: " ")
  }

  private func run(
    _ command: VoiceProgram, _ service: VoiceService, _ wav: [UInt8], _ file: String?,
    _ finish: @escaping (Result<String, VoiceProblem>) -> Void
  ) {
    if command.takesFile, file == nil {
      return finish(.failure(VoiceProblem("there is no file for '\(service.name)'")))
    }
    do throws(ChildFailure) {
      let child = try StreamChild(
        command.program(
          file: command.takesFile ? file : nil,
          environment: service.variables(host.environment)), in: host)
      let task = ChildTask(child)
      current = task
      var output: [UInt8] = []
      child.onOutput = { bytes in
        output += bytes
        guard output.count <= Self.textLimit else {
          task.cancel()
          return finish(
            .failure(VoiceProblem("'\(service.name)' prints more than a transcript can have")))
        }
      }
      child.onEnd = { end in
        guard end == .exited(0) else {
          return finish(
            .failure(
              child.problem("transcriber", command, service: service.name, end)))
        }
        guard let text = String(validating: output, as: UTF8.self) else {
          return finish(.failure(VoiceProblem("what '\(service.name)' prints is no text")))
        }
        finish(.success(text))
      }
      if !command.takesFile { child.write(wav) }
      child.endInput()
    } catch {
      finish(.failure(VoiceProblem("'\(service.name)' could not be started: \(error)")))
    }
  }

  private func request(
    _ service: VoiceService, _ wav: [UInt8],
    _ finish: @escaping (Result<String, VoiceProblem>) -> Void
  ) {
    let mine = attempt
    host.key(service) { [weak self] key in
      guard let self, attempt == mine else { return }
      switch key {
      case .failure(let problem): finish(.failure(problem))
      case .success(let key):
        let boundary = "clanky-cockpit-\(UInt64.random(in: .min ... .max))"
        guard
          let request = SpeechRequests.transcription(
            service, wav: wav, boundary: boundary, key: key)
        else { return }
        var body: [UInt8] = []
        let call = SpeechCall(service) {
          body += $0
        } done: { result in
          finish(
            result.flatMap {
              SpeechRequests.text(body).map { .success($0) }
                ?? .failure(VoiceProblem("the answer of '\(service.name)' has no text"))
            })
        }
        current = call
        call.start(request, on: host.transport)
      }
    }
  }
}

/// A program under way.
@MainActor
final class ChildTask: VoiceTask {
  private let child: StreamChild

  init(_ child: StreamChild) { self.child = child }

  func cancel() { child.stop() }
}

extension VoiceService {
  /// The environment of its command: model, voice and language stand in variables, never in the line.
  func variables(_ environment: [String: String]) -> [String: String] {
    var environment = environment
    environment["VOICE_MODEL"] = model
    environment["VOICE_NAME"] = voice
    environment["VOICE_LANGUAGE"] = language
    return environment
  }
}
