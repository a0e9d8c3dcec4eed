import Testing

@testable import CockpitHistory

@Suite struct CompressionTests {
  private static func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var state = seed
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
  }

  @Test("bytes come back, and what they share with the prefix costs little")
  func roundTrip() throws {
    let prefix = Self.noise(100_000, seed: 1)
    let bytes = prefix[20_000..<90_000] + Self.noise(100, seed: 2)
    let packed = try #require(Compression.pack(Array(bytes), prefix: prefix))
    #expect(packed.count < 400)
    let raw = packed.withUnsafeBytes { Compression.unpack($0, prefix: prefix, limit: 1 << 20) }
    #expect(raw == Array(bytes))
    #expect(packed.withUnsafeBytes { Compression.unpack($0, prefix: prefix, limit: 1000) } == nil)
    let block = try #require(PackingPrefix(prefix)?.pack(Array(bytes)))
    let unpacked = block.withUnsafeBytes { UnpackingPrefix(prefix)?.unpack($0, limit: 1 << 20) }
    #expect(unpacked == Array(bytes))
    let nothing = try #require(Compression.pack([]))
    #expect(nothing.withUnsafeBytes { Compression.unpack($0, limit: 10) } == [])
  }

  @Test("a flipped bit is noticed, wherever it is")
  func flipped() throws {
    let prefix = Array(String(repeating: "the prefix of all blocks ", count: 100).utf8)
    let bytes = Array("a block with the prefix of all blocks and some words of its own".utf8)
    let packed = try #require(PackingPrefix(prefix)?.pack(bytes))
    let reader = try #require(UnpackingPrefix(prefix))
    for bit in 0..<packed.count * 8 {
      var broken = packed
      broken[bit / 8] ^= 1 << UInt8(bit % 8)
      let raw = broken.withUnsafeBytes { reader.unpack($0, limit: 1 << 20) }
      #expect(raw == nil || raw == bytes)
    }
    #expect([UInt8]().withUnsafeBytes { reader.unpack($0, limit: 10) } == nil)
  }
}
