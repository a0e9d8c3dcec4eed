import Foundation

/// Speech of the demo: a tone for each sentence, so that sound can be told from silence and one sentence from another.
enum ElevenLabsTone {
  static let samplesPerSecond = 16_000

  /// 16-bit little-endian mono samples.
  ///
  /// - Parameters:
  ///   - words: their number decides how long it sounds, 60 ms each, at most 2 s.
  ///   - hertz: of the tone.
  static func samples(words: Int, hertz: Double) -> [UInt8] {
    let count = samplesPerSecond * min(2_000, max(120, words * 60)) / 1_000
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 2)
    let edge = samplesPerSecond / 100
    for index in 0..<count {
      // Ten milliseconds in and out: no click.
      let fade = min(1, Double(min(index, count - 1 - index)) / Double(edge))
      let wave = sin(2 * .pi * hertz * Double(index) / Double(samplesPerSecond))
      let sample = Int16(wave * fade * 8_000)
      bytes.append(UInt8(truncatingIfNeeded: sample))
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
    }
    return bytes
  }

  /// The loudness of samples that a client sent, 0 to 1.
  static func level(base64 text: String) -> Double? {
    guard let data = Data(base64Encoded: text) else { return nil }
    let bytes = Array(data)
    guard bytes.count >= 2 else { return 0 }
    var sum = 0.0
    for index in stride(from: 0, to: bytes.count - 1, by: 2) {
      let sample = Double(Int16(bitPattern: UInt16(bytes[index]) | UInt16(bytes[index + 1]) << 8))
      sum += sample * sample
    }
    return min(1, (sum / Double(bytes.count / 2)).squareRoot() / 8_000)
  }
}
