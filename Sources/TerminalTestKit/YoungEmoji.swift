/// Emoji that libvterm 0.1.4 takes for one column wide because it is older than they are, where
/// terminals of today give them two (UAX #11, Unicode 14: East_Asian_Width W).
///
/// They travel through libvterm in the shape of ideographs that it knows to be wide and that no
/// program writes, and are read back as themselves.
struct YoungEmoji {
  private static let ranges: [ClosedRange<UInt32>] = [
    0x1F6D5...0x1F6D7, 0x1F6DD...0x1F6DF, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0...0x1F7F0,
    0x1F90C...0x1F93A, 0x1F93C...0x1F945, 0x1F947...0x1F9FF, 0x1FA70...0x1FA74, 0x1FA78...0x1FA7C,
    0x1FA80...0x1FA86, 0x1FA90...0x1FAAC, 0x1FAB0...0x1FABA, 0x1FAC0...0x1FAC5, 0x1FAD0...0x1FAD9,
    0x1FAE0...0x1FAE7, 0x1FAF0...0x1FAF6,
  ]
  /// CJK Compatibility Ideographs Supplement.
  private static let stand: ClosedRange<UInt32> = 0x2F800...0x2FA1F

  private var standIns: [UInt32: UInt32] = [:]
  private var originals: [UInt32: UInt32] = [:]

  /// The bytes with stand-ins; they hold whole UTF-8 characters.
  mutating func replaced(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.contains(0xF0) else { return bytes }
    var out = bytes
    var index = 0
    while index + 3 < out.count {
      defer { index += 1 }
      guard out[index] == 0xF0, out[index + 1] == 0x9F else { continue }
      let scalar =
        0x1F000 | UInt32(out[index + 2] & 0x3F) << 6 | UInt32(out[index + 3] & 0x3F)
      guard Self.ranges.contains(where: { $0.contains(scalar) }), let other = standIn(of: scalar)
      else { continue }
      out[index] = 0xF0 | UInt8(other >> 18)
      out[index + 1] = 0x80 | UInt8(other >> 12 & 0x3F)
      out[index + 2] = 0x80 | UInt8(other >> 6 & 0x3F)
      out[index + 3] = 0x80 | UInt8(other & 0x3F)
    }
    return out
  }

  private mutating func standIn(of scalar: UInt32) -> UInt32? {
    if let known = standIns[scalar] { return known }
    let next = Self.stand.lowerBound + UInt32(standIns.count)
    guard Self.stand.contains(next) else { return nil }
    standIns[scalar] = next
    originals[next] = scalar
    return next
  }

  /// What a scalar of a cell stands for.
  func original(_ scalar: UInt32) -> UInt32 { originals[scalar] ?? scalar }
}
