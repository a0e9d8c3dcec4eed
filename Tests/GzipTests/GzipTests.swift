import Foundation
import Gzip
import Testing

#if canImport(Glibc)
  import Glibc
#endif

@Suite struct GzipTests {
  /// What the program `gzip` makes of packed bytes; nil if it refuses them.
  private static func unpacked(_ bytes: [UInt8]) throws -> [UInt8]? {
    let path = FileManager.default.temporaryDirectory.path + "/gzip-\(UUID().uuidString)"
    defer {
      try? FileManager.default.removeItem(atPath: path)
      try? FileManager.default.removeItem(atPath: path + ".out")
    }
    try Data(bytes).write(to: URL(filePath: path))
    guard system("gzip -dc <'\(path)' >'\(path).out' 2>/dev/null") == 0 else { return nil }
    return Array(try Data(contentsOf: URL(filePath: path + ".out")))
  }

  @Test(
    "gzip gets back what was packed, whatever its length",
    arguments: [
      0, 1, 100, 65_535, 65_536, 300_000,
    ])
  func roundTrip(count: Int) throws {
    var state: UInt64 = 7
    for isRandom in [false, true] {
      let bytes = (0..<count).map { index -> UInt8 in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return isRandom ? UInt8(truncatingIfNeeded: state >> 33) : UInt8(index % 7)
      }
      let packed = try #require(Gzip.pack(bytes))
      #expect(Array(packed.prefix(3)) == [0x1F, 0x8B, 8])
      #expect(try Self.unpacked(packed) == bytes)
      if !isRandom, count > 100 { #expect(packed.count < count / 20) }
    }
  }
}
