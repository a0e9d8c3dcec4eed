internal import Children
package import CockpitVoice
internal import Networking

/// The microphone: a program that writes samples, and the detector that listens to them.
@MainActor
package final class SpeechRecorder {
  package enum Event: Hashable, Sendable {
    /// More audio was heard; for the meter.
    case level
    case speechBegan
    /// Speech is over, or the longest recording is reached.
    case speechEnded
    /// The program ended by itself, or does not record. The recording so far can be taken nevertheless.
    case failed(VoiceProblem, hasSpeech: Bool)
  }

  /// Audio before the beginning of speech that is kept while nothing is said, in ms.
  private static let leadMs = 1_000
  /// Without a sample after so long it does not record.
  private static let patienceMs: UInt64 = 5_000
  /// A file that is read instead of a microphone is faster than time; nothing needs to be by more than this.
  private static let burstMs = 60_000

  private let host: VoiceHost
  private let command: VoiceProgram
  private var child: StreamChild?
  private var detector: VoiceActivityDetector
  private let waits: Bool
  private var samples: [UInt8] = []
  private var received = 0
  private let startNs: UInt64
  private var timer: (any LinkTimer)?
  private let tell: (Event) -> Void
  /// Each chunk as it comes, for a conversation that takes sound itself.
  package var onSamples: ([UInt8]) -> Void = { _ in }

  /// - Parameter waits: whether silence before the first word does not count, as in a conversation.
  package init(
    _ command: VoiceProgram, waits: Bool, in host: VoiceHost,
    limits: VoiceActivityDetector.Limits = .init(), tell: @escaping (Event) -> Void
  ) throws(VoiceProblem) {
    self.host = host
    self.command = command
    self.waits = waits
    self.tell = tell
    var limits = limits
    limits.countsSilence = !waits
    detector = VoiceActivityDetector(limits)
    startNs = host.clock.nowNs
    do throws(ChildFailure) {
      let child = try StreamChild(command.program(environment: host.environment), in: host)
      child.onOutput = { [weak self] in self?.take($0) }
      child.onEnd = { [weak self] in self?.ended($0) }
      child.endInput()
      self.child = child
    } catch {
      throw VoiceProblem("the recorder '\(command.name)' could not be started: \(error)")
    }
    timer = host.after(Self.patienceMs) { [weak self] in
      guard let self, received == 0 else { return }
      fail(
        VoiceProblem(
          "the recorder '\(command.name)' records nothing; check the microphone, or name another one in [voice]"
        ))
    }
  }

  package var levels: [AudioLevel] { detector.levels }
  package var hasSpeech: Bool { detector.isSpeech }
  package var durationMs: Int { AudioFormat.recorded.durationMs(bytes: samples.count) }
  package var hasSamples: Bool { received > 0 }

  /// Ends the program.
  ///
  /// - Returns: what was recorded.
  package func stop() -> [UInt8] {
    timer?.cancel()
    child?.stop(gently: true)
    child = nil
    if samples.count % 2 == 1 { samples.removeLast() }
    return samples
  }

  /// Ends the program at once.
  package func kill() {
    timer?.cancel()
    child?.stop()
    child = nil
  }

  private func take(_ bytes: [UInt8]) {
    received += bytes.count
    let passedMs = Int(host.clock.nowNs.since(startNs) / 1_000_000)
    guard AudioFormat.recorded.durationMs(bytes: received) < passedMs * 4 + Self.burstMs else {
      return fail(
        VoiceProblem(
          "the recorder '\(command.name)' gives more than a microphone can; it is to write 16-bit samples of one channel at 16,000 a second"
        ))
    }
    samples += bytes
    onSamples(bytes)
    let events = detector.take(bytes)
    if waits, !detector.isSpeech {
      let excess = samples.count - Self.leadMs * AudioFormat.recorded.bytesPerSecond / 1000
      if excess > 0 { samples.removeFirst(excess / 2 * 2) }
    }
    tell(.level)
    for event in events {
      guard child != nil else { return }
      tell(event == .began ? .speechBegan : .speechEnded)
    }
  }

  private func ended(_ end: ChildEnd) {
    guard let child else { return }
    self.child = nil
    timer?.cancel()
    let problem =
      end == .exited(0)
      ? VoiceProblem("the recorder '\(command.name)' ended by itself")
      : child.problem("recorder", command, end)
    tell(.failed(problem, hasSpeech: detector.isSpeech))
  }

  private func fail(_ problem: VoiceProblem) {
    child?.stop()
    child = nil
    timer?.cancel()
    tell(.failed(problem, hasSpeech: false))
  }
}
