package import CockpitVoice
internal import Networking

/// A conversation that takes sound and gives sound itself, instead of transcriber, agent and synthesiser.
@MainActor
package protocol SpeechLink: AnyObject {
  /// Whether sound stays on this machine.
  var isLocal: Bool { get }
  /// - Parameter tell: called on the main actor, for the last time with `ended`.
  func start(_ tell: @escaping @MainActor (SpeechLinkEvent) -> Void)
  /// Samples of the microphone: s16le mono at 16 kHz, as they come.
  func send(_ samples: [UInt8])
  /// Ends it; nothing is called any more.
  func stop()
}

package enum SpeechLinkEvent: Hashable, Sendable {
  /// Samples of the agent's voice, s16le mono.
  case audio([UInt8], AudioFormat)
  /// The agent has said all of its turn.
  case turnEnded
  /// The agent was interrupted: what was not played yet is not to be.
  case interrupted
  /// Why it ended; nil if that was asked for.
  case ended(String?)
}

/// Microphone and loudspeaker of a `SpeechLink`. Without echo cancellation the link hears silence while its own voice
/// is played: some servers end a conversation that sends nothing.
@MainActor
package final class SpeechLinkRun {
  private let link: any SpeechLink
  private let settings: VoiceSettings
  private let host: VoiceHost
  private var recorder: SpeechRecorder?
  private var output: SpeechOutput?
  private var isSpeaking = false
  private var isOver = false
  /// The user has silenced the turn that comes: its rest is not played.
  private var isSilenced = false
  package var isMuted = false
  /// Called with each change of the phase and each level.
  private let onChange: () -> Void
  private let done: (String?) -> Void

  /// - Parameter done: why it ended, one sentence; nil if that was asked for or went well.
  package init(
    _ link: any SpeechLink, _ settings: VoiceSettings, in host: VoiceHost,
    onChange: @escaping () -> Void, done: @escaping (String?) -> Void
  ) {
    self.link = link
    self.settings = settings
    self.host = host
    self.onChange = onChange
    self.done = done
  }

  package var phase: VoicePhase { isOver ? .idle : isSpeaking ? .speaking : .recording }
  package var levels: [AudioLevel] { recorder?.levels ?? [] }
  package var recordedMs: Int { recorder?.durationMs ?? 0 }

  package func start() {
    guard let recorder = settings.recorder, let player = settings.player else {
      return end("a conversation by voice needs a recorder and a player in [voice]")
    }
    output = SpeechOutput(
      [], player: VoiceProgram(line: player), requiresLocal: settings.requiresLocal, in: host
    ) { [weak self] in self?.hear($0) }
    do throws(VoiceProblem) {
      let microphone = try SpeechRecorder(
        VoiceProgram(line: recorder), waits: true, in: host, limits: .endless
      ) { [weak self] in self?.hear($0) }
      microphone.onSamples = { [weak self] in self?.send($0) }
      self.recorder = microphone
    } catch {
      return end(error.description)
    }
    link.start { [weak self] in self?.hear($0) }
  }

  /// Silences the agent's turn.
  package func interrupt() {
    isSilenced = isSpeaking
    silence()
  }

  private func silence() {
    output?.stop()
    isSpeaking = false
    onChange()
  }

  package func stop() { end(nil) }

  private func end(_ reason: String?) {
    guard !isOver else { return }
    isOver = true
    output?.stop()
    recorder?.kill()
    link.stop()
    isSpeaking = false
    onChange()
    done(reason)
  }

  private func send(_ samples: [UInt8]) {
    let hears = !isMuted && (settings.isEchoCancelled || !isSpeaking)
    link.send(hears ? samples : [UInt8](repeating: 0, count: samples.count))
  }

  private func hear(_ event: SpeechLinkEvent) {
    guard !isOver else { return }
    switch event {
    case .audio(let samples, let format): if !isSilenced { output?.play(samples, format) }
    case .turnEnded:
      isSilenced = false
      output?.endStream()
    case .interrupted:
      isSilenced = false
      silence()
    case .ended(let reason): end(reason)
    }
  }

  private func hear(_ event: SpeechOutput.Event) {
    switch event {
    case .began: isSpeaking = true
    case .ended: isSpeaking = false
    case .failed(let problem): return end(problem.description)
    }
    onChange()
  }

  private func hear(_ event: SpeechRecorder.Event) {
    if case .failed(let problem, _) = event { return end(problem.description) }
    onChange()
  }
}

extension VoiceActivityDetector.Limits {
  /// Speech never ends by itself.
  static var endless: Self {
    var limits = Self()
    (limits.hangOverMs, limits.capMs) = (.max, .max)
    return limits
  }
}
