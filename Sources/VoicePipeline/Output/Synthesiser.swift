internal import Children
internal import CockpitVoice
internal import Networking

/// Turns one sentence into audio by the first service that can.
@MainActor
final class Synthesis: VoiceTask {
  /// The longest time without more audio.
  static let deadlineMs: UInt64 = 30_000

  private let host: VoiceHost
  private let deadlineMs: UInt64
  private let text: String
  private let requiresLocal: Bool
  private var left: ArraySlice<VoiceService>
  private var problems: [VoiceProblem] = []
  private var reader = AudioReader(rawRate: nil)
  private var size = 0
  private var current: (any VoiceTask)?
  private var timer: (any LinkTimer)?
  private var attempt = 0
  private let onAudio: ([UInt8], AudioFormat) -> Void
  private let done: (Result<Void, VoiceProblem>) -> Void

  /// - Parameter done: called once, unless it is cancelled. After a failure some of the audio may have come.
  init(
    _ text: String, _ services: [VoiceService], requiresLocal: Bool, deadlineMs: UInt64,
    in host: VoiceHost, onAudio: @escaping ([UInt8], AudioFormat) -> Void,
    done: @escaping (Result<Void, VoiceProblem>) -> Void
  ) {
    self.text = text
    self.host = host
    self.deadlineMs = deadlineMs
    self.requiresLocal = requiresLocal
    left = services[...]
    self.onAudio = onAudio
    self.done = done
  }

  func start() { next() }

  func cancel() {
    attempt += 1
    timer?.cancel()
    current?.cancel()
    current = nil
  }

  private func next() {
    guard let service = left.popFirst() else {
      let words = problems.map(\.description).joined(separator: "; ")
      return done(
        .failure(VoiceProblem(words.isEmpty ? "no service for text to speech is named" : words)))
    }
    attempt += 1
    size = 0
    reader = AudioReader(rawRate: service.rawRate)
    guard service.isLocal || !requiresLocal else {
      return failed(
        VoiceProblem("'\(service.name)' is not on this machine, and require_local is set"))
    }
    watch(service)
    switch service.kind {
    case .command(let line): run(VoiceProgram(line: line), service)
    case .openAI, .elevenLabs: request(service)
    case .gateway: ask(service)
    }
  }

  private func watch(_ service: VoiceService) {
    timer?.cancel()
    timer = host.after(deadlineMs) { [weak self] in
      self?.end(
        .failure(VoiceProblem("'\(service.name)' gave no audio in time")), of: service)
    }
  }

  private func take(_ bytes: [UInt8], of service: VoiceService) {
    size += bytes.count
    guard size <= SpeechRequests.audioLimit else {
      return end(
        .failure(VoiceProblem("'\(service.name)' gives more audio than a sentence can have")),
        of: service)
    }
    do throws(AudioReader.Problem) {
      let samples = try reader.take(bytes)
      if !samples.isEmpty, let format = reader.format { onAudio(samples, format) }
      watch(service)
    } catch {
      end(.failure(VoiceProblem("'\(service.name)': \(error)")), of: service)
    }
  }

  /// The service has given all, or failed.
  private func end(_ result: Result<Void, VoiceProblem>, of service: VoiceService) {
    attempt += 1
    timer?.cancel()
    current?.cancel()
    current = nil
    switch result {
    case .failure(let problem): failed(problem)
    case .success:
      do throws(AudioReader.Problem) {
        let samples = try reader.finish()
        if !samples.isEmpty, let format = reader.format { onAudio(samples, format) }
        done(.success(()))
      } catch {
        failed(VoiceProblem("'\(service.name)': \(error)"))
      }
    }
  }

  private func failed(_ problem: VoiceProblem) {
    // A sentence that has begun is not said again by another voice.
    guard reader.format == nil else { return done(.failure(problem)) }
    problems.append(problem)
    next()
  }

  private func run(_ command: VoiceProgram, _ service: VoiceService) {
    do throws(ChildFailure) {
      let child = try StreamChild(
        command.program(
          rate: service.rate, environment: service.variables(host.environment)), in: host)
      current = ChildTask(child)
      child.onOutput = { [weak self] in self?.take($0, of: service) }
      child.onEnd = { [weak self] end in
        self?.end(
          end == .exited(0)
            ? .success(())
            : .failure(child.problem("synthesiser", command, service: service.name, end)),
          of: service)
      }
      child.write(Array((text + "\n").utf8))
      child.endInput()
    } catch {
      end(.failure(VoiceProblem("'\(service.name)' could not be started: \(error)")), of: service)
    }
  }

  private func request(_ service: VoiceService) {
    let mine = attempt
    host.key(service) { [weak self] key in
      guard let self, attempt == mine else { return }
      switch key {
      case .failure(let problem): end(.failure(problem), of: service)
      case .success(let key):
        guard let request = SpeechRequests.speech(service, text: text, key: key) else { return }
        let call = SpeechCall(service) { [weak self] in
          self?.take($0, of: service)
        } done: { [weak self] in
          self?.end($0, of: service)
        }
        current = call
        call.start(request, on: host.transport)
      }
    }
  }

  private func ask(_ service: VoiceService) {
    guard let speak = host.gatewaySpeech else {
      return end(.failure(VoiceProblem("no gateway is talked to here")), of: service)
    }
    let mine = attempt
    speak(text) { [weak self] result in
      guard let self, attempt == mine else { return }
      switch result {
      case .failure(let problem): end(.failure(problem), of: service)
      case .success(let audio):
        take(audio, of: service)
        // Unless it was refused.
        if attempt == mine { end(.success(()), of: service) }
      }
    }
  }
}
