/// Finds where speech begins and ends in recorded audio, by its energy against a noise floor that adapts.
///
/// Any chunking of the same bytes gives the same events.
package struct VoiceActivityDetector: Sendable {
  /// In ms.
  package struct Limits: Hashable, Sendable {
    /// Speech that is needed to begin: a click or a key is shorter.
    package var attackMs = 300
    /// Silence after which speech is over: a pause within a sentence is shorter.
    package var hangOverMs = 900
    /// The longest recording.
    package var capMs = 30_000
    /// Whether silence before the first word counts for `capMs`.
    package var countsSilence = true

    package init() {}
  }

  package enum Event: Hashable, Sendable {
    /// Speech began `attackMs` ago.
    case began
    case ended
    /// The longest recording is reached.
    case capped
  }

  package static let frameMs = 20
  package static let frameBytes = AudioFormat.recorded.bytesPerSecond * frameMs / 1000
  /// Below this nothing is speech, however quiet the room is: about -42 dBFS.
  private static let leastSpeech = 0.008
  /// How far above the floor speech is: 9.5 dB.
  private static let aboveFloor = 3.0
  private static let floorRange = 0.0005...0.05
  /// A recording may begin in the middle of a word: the first frame says little about the room.
  private static let highestFirstFloor = 0.01

  private let limits: Limits
  private var rest: [UInt8] = []
  private var floor: Double?
  private var voicedMs = 0
  private var silentMs = 0
  private var frames = 0
  /// The frame in which speech was noticed.
  private var speechStart: Int?
  private var isOver = false
  package private(set) var isSpeech = false
  /// Of the last complete frame.
  package private(set) var level = AudioLevel(rms: 0)
  /// Levels of the newest frames, the oldest first, for a meter.
  package private(set) var levels: [AudioLevel] = []
  private static let keptLevels = 120

  package init(_ limits: Limits = Limits()) { self.limits = limits }

  package var durationMs: Int { frames * Self.frameMs }
  /// What counts for the longest recording.
  private var countedMs: Int {
    limits.countsSilence ? durationMs : speechStart.map { (frames - $0) * Self.frameMs } ?? 0
  }
  package var noiseFloor: Double { floor ?? 0 }

  /// Takes s16le mono at 16 kHz. Nothing is said after `ended` or `capped`.
  package mutating func take(_ bytes: some Collection<UInt8>) -> [Event] {
    rest += bytes
    var events: [Event] = []
    var start = 0
    while rest.count - start >= Self.frameBytes, !isOver {
      if let event = take(frame: rest[start..<(start + Self.frameBytes)]) { events.append(event) }
      start += Self.frameBytes
    }
    rest.removeFirst(isOver ? rest.count : start)
    return events
  }

  private mutating func take(frame: ArraySlice<UInt8>) -> Event? {
    level = AudioLevel(frame)
    levels.append(level)
    if levels.count > Self.keptLevels { levels.removeFirst() }
    frames += 1
    let isVoiced = measure(level.rms)
    defer { if countedMs >= limits.capMs { isOver = true } }
    if isSpeech {
      silentMs = isVoiced ? 0 : silentMs + Self.frameMs
      if silentMs >= limits.hangOverMs {
        isOver = true
        return .ended
      }
    } else {
      voicedMs = isVoiced ? voicedMs + Self.frameMs : max(0, voicedMs - Self.frameMs)
      if voicedMs >= limits.attackMs {
        isSpeech = true
        speechStart = frames
        return .began
      }
    }
    return countedMs >= limits.capMs ? .capped : nil
  }

  /// Compares a frame with the floor and adapts that: down at once, up slowly, so that a fan that starts is noise
  /// after some seconds and speech, which has pauses, is not.
  private mutating func measure(_ rms: Double) -> Bool {
    let old = floor ?? min(rms, Self.highestFirstFloor)
    let isVoiced = rms > max(Self.leastSpeech, old * Self.aboveFloor)
    let new =
      rms < old ? old + (rms - old) * 0.2 : isVoiced ? old * 1.002 : old + (rms - old) * 0.02
    floor = min(Self.floorRange.upperBound, max(Self.floorRange.lowerBound, new))
    return isVoiced
  }
}
