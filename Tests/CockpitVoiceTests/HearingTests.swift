import CockpitVoice
import Foundation
import Testing

@Suite struct VoiceActivityDetectorTests {
  /// A tone, or noise of a seed, as s16le at 16 kHz.
  private static func audio(ms: Int, amplitude: Double, seed: UInt64 = 1) -> [UInt8] {
    var random = Generator(seed: seed)
    return (0..<(ms * 16)).flatMap { _ -> [UInt8] in
      let sample = Int16(Double.random(in: -1...1, using: &random) * amplitude * 32_767)
      return [UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
  }

  /// The events with the time of the frame in which they came, in ms.
  private static func run(
    _ audio: [UInt8], chunk: Int, _ limits: VoiceActivityDetector.Limits = .init()
  ) -> [(VoiceActivityDetector.Event, Int)] {
    var detector = VoiceActivityDetector(limits)
    var events: [(VoiceActivityDetector.Event, Int)] = []
    for start in stride(from: 0, to: audio.count, by: chunk) {
      for event in detector.take(audio[start..<min(audio.count, start + chunk)]) {
        events.append((event, detector.durationMs))
      }
    }
    return events
  }

  @Test(arguments: [1, 333, 640, 641, 8_192])
  func speechBeginsAndEnds(chunk: Int) {
    let audio =
      Self.audio(ms: 500, amplitude: 0.002) + Self.audio(ms: 1_000, amplitude: 0.3)
      + Self.audio(ms: 2_000, amplitude: 0.002)
    let events = Self.run(audio, chunk: chunk)
    #expect(events.map(\.0) == [.began, .ended])
    // Within a chunk of the exact times.
    let slack = chunk / 32 + 20
    #expect((800...(800 + slack)).contains(events[0].1))
    #expect((2_400...(2_400 + slack)).contains(events[1].1))
  }

  @Test func aClickIsNoSpeech() {
    let audio =
      Self.audio(ms: 500, amplitude: 0.002) + Self.audio(ms: 100, amplitude: 0.8)
      + Self.audio(ms: 3_000, amplitude: 0.002)
    #expect(Self.run(audio, chunk: 640).isEmpty)
  }

  @Test func aPauseWithinASentenceDoesNotEndIt() {
    let audio =
      Self.audio(ms: 800, amplitude: 0.3) + Self.audio(ms: 800, amplitude: 0.002)
      + Self.audio(ms: 800, amplitude: 0.3) + Self.audio(ms: 1_000, amplitude: 0.002)
    #expect(Self.run(audio, chunk: 640).map(\.0) == [.began, .ended])
  }

  @Test func theFloorAdaptsToANoisyRoom() {
    // A fan alone is not speech; a voice above it is.
    let fan = Self.audio(ms: 6_000, amplitude: 0.02)
    #expect(Self.run(fan, chunk: 640).isEmpty)
    let audio = fan + Self.audio(ms: 1_000, amplitude: 0.4) + Self.audio(ms: 2_000, amplitude: 0.02)
    #expect(Self.run(audio, chunk: 640).map(\.0) == [.began, .ended])
  }

  @Test func theLongestRecordingIsAnEnd() {
    let audio = Self.audio(ms: 40_000, amplitude: 0.3)
    let events = Self.run(audio, chunk: 4_096)
    #expect(events.map(\.0).last == .capped)
    #expect(events.last.map { (30_000...30_150).contains($0.1) } ?? false)
  }
}

@Suite struct AudioReaderTests {
  private static let samples = (0..<1_000).flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }

  @Test(arguments: [1, 7, 44, 4_096])
  func readsWhatItWrites(chunk: Int) throws {
    let file = WavAudio.file(AudioFormat(rate: 22_050), samples: Self.samples) + Array("LIST".utf8)
    var reader = AudioReader(rawRate: nil)
    var read: [UInt8] = []
    for start in stride(from: 0, to: file.count, by: chunk) {
      read += try reader.take(file[start..<min(file.count, start + chunk)])
    }
    read += try reader.finish()
    #expect(read == Self.samples)
    #expect(reader.format == AudioFormat(rate: 22_050))
  }

  @Test func rawSamplesNeedARate() throws {
    var raw = AudioReader(rawRate: 24_000)
    #expect(try raw.take(Self.samples) == Self.samples)
    #expect(raw.format?.rate == 24_000)
    var none = AudioReader(rawRate: nil)
    #expect(throws: AudioReader.Problem.notAudio) {
      _ = try none.take(Array("usage: espeak".utf8))
    }
    var empty = AudioReader(rawRate: 24_000)
    #expect(throws: AudioReader.Problem.notAudio) { _ = try empty.finish() }
    var mp3 = AudioReader(rawRate: 24_000)
    #expect(throws: AudioReader.Problem.unsupported("MP3")) {
      _ = try mp3.take(Array("ID3".utf8) + [UInt8](repeating: 0, count: 20))
    }
  }

  @Test func ofTwoChannelsTheFirstIsTaken() throws {
    var header = WavAudio.header(AudioFormat(rate: 8_000), bytes: 8)
    (header[22], header[32]) = (2, 4)
    var reader = AudioReader(rawRate: nil)
    #expect(try reader.take(header + [1, 2, 3, 4, 5, 6, 7, 8]) == [1, 2, 5, 6])
  }

  /// Each of these is refused or read, and nothing reads beyond its end.
  @Test func damagedFilesDoNoHarm() {
    let file = WavAudio.file(AudioFormat(rate: 8_000), samples: [1, 2, 3, 4])
    for length in 0..<file.count {
      for at in stride(from: 0, to: length, by: 3) {
        var damaged = Array(file.prefix(length))
        damaged[at] ^= 0xFF
        var reader = AudioReader(rawRate: 16_000)
        do throws(AudioReader.Problem) {
          let read = try reader.take(damaged) + reader.finish()
          #expect(read.count <= damaged.count)
        } catch {
          #expect(!error.description.isEmpty)
        }
      }
    }
  }
}

@Suite struct SpeechRequestTests {
  @Test func base64() {
    #expect(Base64Text.decoded("aGVsbG8=") == Array("hello".utf8))
    #expect(Base64Text.decoded("aGVsbG8") == Array("hello".utf8))
    #expect(Base64Text.decoded("a") == nil)
    #expect(Base64Text.decoded("a$==") == nil)
    for count in 0..<50 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
      #expect(Base64Text.decoded(Data(bytes).base64EncodedString()) == bytes)
    }
  }
}
