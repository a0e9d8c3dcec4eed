/// 16-bit signed little-endian samples of one channel, the only form in which audio passes through this program.
package struct AudioFormat: Hashable, Sendable {
  /// Samples a second.
  package var rate: Int

  package init(rate: Int) { self.rate = rate }

  /// What a recorder writes to its standard output.
  package static let recorded = AudioFormat(rate: 16_000)

  package var bytesPerSecond: Int { rate * 2 }

  /// How long so many bytes last, in ms.
  package func durationMs(bytes: Int) -> Int { bytes * 1000 / max(1, bytesPerSecond) }
}

/// How loud a stretch of audio is.
package struct AudioLevel: Hashable, Sendable {
  /// Root mean square of the samples, 0 to 1.
  package var rms: Double

  package init(rms: Double) { self.rms = rms }

  /// Of s16le bytes; an odd last byte is left out.
  package init(_ bytes: some Collection<UInt8>) {
    var sum = 0.0
    var count = 0
    var low: UInt8?
    for byte in bytes {
      guard let first = low else {
        low = byte
        continue
      }
      let sample = Double(Int16(bitPattern: UInt16(first) | UInt16(byte) << 8))
      sum += sample * sample
      count += 1
      low = nil
    }
    rms = count == 0 ? 0 : (sum / Double(count)).squareRoot() / 32_768
  }

  /// The part of a meter that is filled, 0 to 1: square root, so that quiet speech is seen.
  package var meter: Double { min(1, max(0, (rms * 2).squareRoot())) }
}
