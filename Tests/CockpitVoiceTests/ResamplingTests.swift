import CockpitVoice
import Testing

@Suite struct ResamplingTests {
  private func bytes(_ samples: [Int16]) -> [UInt8] {
    samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
  }

  private func samples(_ bytes: [UInt8]) -> [Int16] {
    stride(from: 0, to: bytes.count - 1, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
  }

  @Test("the length follows the rate; samples lie between their neighbours, and extremes stay")
  func rates() {
    let wave = (0..<1_600).map { Int16($0 % 200 < 100 ? Int16.max : Int16.min) }
    for (from, to) in [(16_000, 8_000), (16_000, 24_000), (16_000, 48_000), (16_000, 22_050)] {
      let output = samples(Resampling.samples(bytes(wave), from: from, to: to))
      #expect(output.count == 1_600 * to / from)
      #expect(output.first == .max)
    }
    let ramp = (0..<100).map { Int16($0 * 300) }
    let double = samples(Resampling.samples(bytes(ramp), from: 8_000, to: 16_000))
    #expect(zip(double, double.dropFirst()).allSatisfy { $0 <= $1 })
    #expect(double[2] == ramp[1] && double[3] == 450)
  }

  @Test("the same rate, nothing, and an odd byte")
  func edges() {
    #expect(Resampling.samples([1, 2, 3], from: 16_000, to: 16_000) == [1, 2, 3])
    #expect(Resampling.samples([], from: 16_000, to: 8_000).isEmpty)
    #expect(Resampling.samples([9], from: 16_000, to: 8_000) == [9])
    #expect(Resampling.samples([0, 1, 2], from: 16_000, to: 8_000).isEmpty)
  }
}
