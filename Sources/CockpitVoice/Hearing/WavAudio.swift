/// WAV files (RIFF) of 16-bit PCM, as transcribers take them and synthesisers write them.
package enum WavAudio {
  /// The 44 bytes before `count` bytes of samples.
  package static func header(_ format: AudioFormat, bytes count: Int) -> [UInt8] {
    var header = Array("RIFF".utf8) + little(UInt32(clamping: count + 36))
    header += Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(1))
    header += little(UInt32(clamping: format.rate)) + little(UInt32(clamping: format.rate * 2))
    header += little(UInt16(2)) + little(UInt16(16))
    return header + Array("data".utf8) + little(UInt32(clamping: count))
  }

  /// A whole file.
  package static func file(_ format: AudioFormat, samples: [UInt8]) -> [UInt8] {
    header(format, bytes: samples.count) + samples
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<(value.bitWidth / 8)).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// Audio as it comes out of a synthesiser, in any chunking, as samples of one channel.
package struct AudioReader: Sendable {
  package enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
    case notAudio
    case unsupported(String)

    package var description: String {
      switch self {
      case .notAudio: "what it gave is no audio that can be played"
      case .unsupported(let what): "it gave \(what), which cannot be played here; ask it for WAV"
      }
    }
  }

  private enum State: Hashable, Sendable {
    case header
    case samples(channels: Int)
    /// After the samples of a file: other chunks.
    case over
  }

  private var state = State.header
  private var pending: [UInt8] = []
  private var left: Int?
  /// Of samples without a header; nil refuses them.
  private let rawRate: Int?
  /// Known as soon as there is a sample.
  package private(set) var format: AudioFormat?

  /// - Parameter rawRate: the rate of samples that come without a WAV header; nil expects a header.
  package init(rawRate: Int?) { self.rawRate = rawRate }

  /// The samples of these bytes, as far as they are complete.
  package mutating func take(_ bytes: some Collection<UInt8>) throws(Problem) -> [UInt8] {
    guard state != .over else { return [] }
    pending += bytes
    if state == .header { try readHeader(isFinal: false) }
    return samples()
  }

  /// After the last byte; throws where nothing of it was audio.
  package mutating func finish() throws(Problem) -> [UInt8] {
    if state == .header { try readHeader(isFinal: true) }
    return samples()
  }

  private mutating func readHeader(isFinal: Bool) throws(Problem) {
    let magic = Array("RIFF".utf8)
    guard pending.count >= 12 || isFinal else { return }
    guard pending.starts(with: magic) else {
      if pending.starts(with: [0x49, 0x44, 0x33]) || isMP3 { throw .unsupported("MP3") }
      if pending.starts(with: Array("OggS".utf8)) { throw .unsupported("Ogg") }
      if pending.starts(with: Array("fLaC".utf8)) { throw .unsupported("FLAC") }
      guard let rawRate, pending.count >= 2 else { throw .notAudio }
      format = AudioFormat(rate: rawRate)
      state = .samples(channels: 1)
      return
    }
    var at = 12
    var found: (channels: Int, rate: Int)?
    while pending.count >= at + 8 {
      let name = Array(pending[at..<(at + 4)])
      let size = number(at + 4, bytes: 4)
      let body = at + 8
      if name == Array("data".utf8) {
        guard let found else { throw .notAudio }
        format = AudioFormat(rate: found.rate)
        pending.removeFirst(body)
        // A stream does not know its length: 0, or more than 1 GiB.
        left = size == 0 || size > 1 << 30 ? nil : size
        state = .samples(channels: found.channels)
        return
      }
      guard size <= 1 << 20 else { throw .notAudio }
      guard pending.count >= body + size + size % 2 else { break }
      if name == Array("fmt ".utf8), size >= 16 {
        let coding = number(body, bytes: 2)
        let (channels, rate) = (number(body + 2, bytes: 2), number(body + 4, bytes: 4))
        guard coding == 1 || coding == 0xFFFE, number(body + 14, bytes: 2) == 16,
          (1...8).contains(channels), (4_000...192_000).contains(rate)
        else { throw .unsupported("WAV that is not 16-bit PCM") }
        found = (channels, rate)
      }
      at = body + size + size % 2
    }
    if isFinal || pending.count > 2 << 20 { throw .notAudio }
  }

  private var isMP3: Bool {
    pending.count > 1 && pending[0] == 0xFF && pending[1] & 0xE6 == 0xE2 && rawRate == nil
  }

  private func number(_ at: Int, bytes: Int) -> Int {
    (0..<bytes).reduce(0) { $0 | Int(pending[at + $1]) << ($1 * 8) }
  }

  private mutating func samples() -> [UInt8] {
    guard case .samples(let channels) = state else { return [] }
    let width = channels * 2
    let available = min(pending.count, left ?? .max)
    let count = available / width * width
    var taken = Array(pending.prefix(count))
    pending.removeFirst(count)
    if let left {
      self.left = left - count
      if left - count < width {
        state = .over
        pending = []
      }
    }
    if channels > 1 {
      // The first channel is enough for speech.
      taken = stride(from: 0, to: taken.count, by: width).flatMap { taken[$0..<($0 + 2)] }
    }
    return taken
  }
}
