import CockpitVoice
import ElevenLabsSource
import ElevenLabsWire
import Networking
import VoicePipeline

/// A conversation with an agent of ElevenLabs as sound both ways, for the microphone and the player of a `SpeechLinkRun`.
@MainActor
final class SpokenConversation: SpeechLink, ConversationSpeaker {
  /// Samples are sent in pieces of 100 ms: a message for each 20 ms would be mostly framing.
  private static let pieceMs = 100
  /// After the speech that has arrived was played, the turn is over if no more comes for so long.
  private static let restNs = Nanoseconds.milliseconds(400)

  private let live: LiveConversation
  private let owner: String
  /// Hears each spoken line once it is whole: whether the agent said it, and the words.
  private let onLine: (_ isAgent: Bool, _ text: String) -> Void
  /// Whether the agent answers a typed message, whose answer is written down as that.
  private let isAnswering: () -> Bool
  private var tell: (@MainActor (SpeechLinkEvent) -> Void)?
  private var held: [UInt8] = []
  private var timer: (any LinkTimer)?
  private var playedUntilNs: UInt64 = 0
  /// Own lines that were passed on, by their ids.
  private var passed: Set<Int> = []
  /// The agent's last line: it may still be corrected to what was said before an interruption.
  private var pending: (id: Int, text: String)?
  private var hasBegun = false

  /// - Parameter owner: the session key of the channel: what is typed there belongs to the same conversation.
  init(
    _ live: LiveConversation, owner: String, isAnswering: @escaping () -> Bool,
    onLine: @escaping (_ isAgent: Bool, _ text: String) -> Void
  ) {
    self.live = live
    self.owner = owner
    self.onLine = onLine
    self.isAnswering = isAnswering
    live.observe { [weak self] in self?.hear($0) }
  }

  var isLocal: Bool { live.client.base.isLoopback }

  func start(_ tell: @escaping @MainActor (SpeechLinkEvent) -> Void) {
    self.tell = tell
    // Speech is agreed on at the beginning: a conversation in text cannot become a spoken one.
    live.take(.end)
    live.speaker = self
    hasBegun = true
    live.take(.start(owner: owner, agent: live.agent, replaces: true))
  }

  func send(_ samples: [UInt8]) {
    held += samples
    guard held.count >= AudioFormat.recorded.bytesPerSecond * Self.pieceMs / 1_000 else { return }
    let rate = live.talk.metadata?.inputSamplesPerSecond ?? AudioFormat.recorded.rate
    live.send(audio: Resampling.samples(held, from: AudioFormat.recorded.rate, to: rate))
    held = []
  }

  func stop() {
    guard tell != nil else { return }
    flush()
    tell = nil
    timer?.cancel()
    live.take(.end)
    if live.speaker === self { live.speaker = nil }
  }

  // MARK: ConversationSpeaker

  func conversation(spoke samples: [UInt8], rate: Int, event: Int?) {
    let format = AudioFormat(rate: rate)
    tell?(.audio(samples, format))
    let now = live.clock.nowNs
    playedUntilNs =
      max(playedUntilNs, now)
      + Nanoseconds.milliseconds(UInt64(format.durationMs(bytes: samples.count)))
    timer?.cancel()
    timer = live.clock.schedule(afterNs: playedUntilNs - now + Self.restNs) { [weak self] in
      self?.flush()
      self?.tell?(.turnEnded)
    }
  }

  func conversationInterrupted(through event: Int?) {
    timer?.cancel()
    playedUntilNs = 0
    tell?(.interrupted)
  }

  private func flush() {
    guard let line = pending else { return }
    pending = nil
    onLine(true, line.text)
  }

  // MARK: Hearing

  private func hear(_ notice: ConversationNotice) {
    guard hasBegun, tell != nil else { return }
    switch notice {
    case .line(let line) where line.isWhole && !line.isQueued && !line.text.isEmpty:
      if line.speaker == .agent {
        if pending?.id == line.id {
          pending?.text = line.text
        } else if passed.insert(line.id).inserted {
          flush()
          if !isAnswering() { pending = (line.id, line.text) }
        }
        // What was typed has no event of the server when it is sent.
      } else if line.eventID != nil, passed.insert(line.id).inserted {
        flush()
        onLine(false, line.text)
      }
    case .phase:
      guard case .over(let end) = live.talk.phase else { return }
      flush()
      let told = tell
      tell = nil
      timer?.cancel()
      if live.speaker === self { live.speaker = nil }
      told?(.ended(end.isError ? end.sentence : nil))
    default: break
    }
  }
}
