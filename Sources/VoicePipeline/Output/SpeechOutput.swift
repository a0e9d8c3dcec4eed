internal import Children
package import CockpitVoice
internal import Networking

/// From sentences to sound: synthesises ahead within bounds, and plays in order.
@MainActor
package final class SpeechOutput {
  package enum Event: Hashable, Sendable {
    /// The player was given the first sample after silence.
    case began
    /// All that was to be said has been.
    case ended
    /// A sentence was not said, or not to its end; others are tried.
    case failed(VoiceProblem)
  }

  /// How long a player may take in addition to the audio, ms.
  package static let graceMs: UInt64 = 10_000
  private static let feedBytes = 32_768
  /// Requests under way at once: more would come out of order for nothing.
  private static let parallel = 2

  private let host: VoiceHost
  private let services: [VoiceService]
  private let player: VoiceProgram
  private let requiresLocal: Bool
  private let deadlineMs: UInt64
  private let graceMs: UInt64
  private let tell: (Event) -> Void

  private var queue = SpeechQueue()
  private var syntheses: [SpeechQueue.Item.ID: Synthesis] = [:]
  private var child: StreamChild?
  private var fedBytes = 0
  private var format = AudioFormat.recorded
  private var timer: (any LinkTimer)?
  /// Whether something was given since the last `ended`.
  private var isActive = false
  private var isAudible = false
  /// The sentence that takes sound from outside.
  private var stream: SpeechQueue.Item.ID?

  package init(
    _ services: [VoiceService], player: VoiceProgram, requiresLocal: Bool,
    deadlineMs: UInt64 = 30_000, graceMs: UInt64 = SpeechOutput.graceMs, in host: VoiceHost,
    tell: @escaping (Event) -> Void
  ) {
    self.services = services
    self.player = player
    self.requiresLocal = requiresLocal
    self.deadlineMs = deadlineMs
    self.graceMs = graceMs
    self.host = host
    self.tell = tell
  }

  package var isIdle: Bool { queue.isEmpty }
  /// Sentences that wait as text.
  package var waiting: Int { queue.waiting }
  /// Sentences with audio, or getting it.
  package var ahead: Int { queue.ahead }

  package func say(_ sentence: String) {
    isActive = true
    queue.add(sentence)
    pump()
  }

  /// Sound of a conversation that makes it itself; all until `endStream` is one utterance.
  package func play(_ samples: [UInt8], _ format: AudioFormat) {
    if stream == nil {
      isActive = true
      let id = queue.add("")
      _ = queue.startNext()
      stream = id
    }
    guard let stream else { return }
    queue.append(samples, format, to: stream)
    pump()
  }

  package func endStream() {
    guard let stream else { return }
    queue.finish(stream)
    self.stream = nil
    pump()
  }

  /// Silence at once: player, syntheses and queue, in this order.
  package func stop() {
    timer?.cancel()
    child?.stop()
    child = nil
    for synthesis in syntheses.values { synthesis.cancel() }
    syntheses = [:]
    queue.clear()
    stream = nil
    (isActive, isAudible) = (false, false)
  }

  private func pump() {
    while syntheses.count < Self.parallel, let item = queue.startNext() { synthesise(item) }
    if child == nil, let item = queue.play() { start(item) }
    feed()
    guard queue.isEmpty, child == nil, isActive else { return }
    (isActive, isAudible) = (false, false)
    tell(.ended)
  }

  private func synthesise(_ item: SpeechQueue.Item) {
    let synthesis = Synthesis(
      item.text, services, requiresLocal: requiresLocal, deadlineMs: deadlineMs, in: host
    ) { [weak self] samples, format in
      self?.queue.append(samples, format, to: item.id)
      self?.pump()
    } done: { [weak self] result in
      guard let self, syntheses.removeValue(forKey: item.id) != nil else { return }
      switch result {
      case .success: queue.finish(item.id)
      case .failure(let problem):
        queue.fail(item.id)
        tell(.failed(problem))
      }
      pump()
    }
    syntheses[item.id] = synthesis
    synthesis.start()
  }

  private func start(_ item: SpeechQueue.Item) {
    format = item.format ?? .recorded
    fedBytes = 0
    do throws(ChildFailure) {
      let child = try StreamChild(
        player.program(rate: format.rate, environment: host.environment), in: host)
      self.child = child
      child.onInputTaken = { [weak self] in self?.feed() }
      child.onEnd = { [weak self] in self?.ended($0) }
    } catch {
      return giveUp(VoiceProblem("the player '\(player.name)' could not be started: \(error)"))
    }
    guard !isAudible else { return }
    isAudible = true
    tell(.began)
  }

  private func feed() {
    guard let child, queue.playing != nil, child.unsent == 0 else { return }
    let (bytes, isLast) = queue.takeAudio(limit: Self.feedBytes)
    // The player waits for the synthesis, which has a time limit of its own.
    guard !bytes.isEmpty || isLast else { return timer?.cancel() ?? () }
    fedBytes += bytes.count
    let ms = UInt64(format.durationMs(bytes: isLast ? fedBytes : 2 * Self.feedBytes))
    timer?.cancel()
    timer = host.after(ms + graceMs) { [weak self] in self?.hung() }
    // Both may call back.
    if isLast { closing = child }
    if !bytes.isEmpty { child.write(bytes) }
    if isLast, self.child === child { child.endInput() }
  }

  /// The player whose last audio was given.
  private weak var closing: StreamChild?

  private func hung() {
    child?.stop()
    child = nil
    giveUp(VoiceProblem("the player '\(player.name)' does not play; name another one in [voice]"))
  }

  private func ended(_ end: ChildEnd) {
    guard let child else { return }
    self.child = nil
    timer?.cancel()
    guard end == .exited(0) else { return giveUp(child.problem("player", player, end)) }
    guard child === closing else {
      return giveUp(VoiceProblem("the player '\(player.name)' ended before the sentence did"))
    }
    queue.played()
    pump()
  }

  /// Without a player nothing of the rest can be heard.
  private func giveUp(_ problem: VoiceProblem) {
    stop()
    tell(.failed(problem))
    tell(.ended)
  }
}
