/// A QR code (ISO/IEC 18004) of bytes.
package struct QRCode: Hashable, Sendable {
  /// How much of a damaged symbol can be read.
  package enum Level: Int, CaseIterable, Hashable, Sendable {
    /// 7 %, 15 %, 25 % and 30 % of the codewords.
    case low, medium, quartile, high

    /// The two bits of the format information.
    var bits: Int { [1, 0, 3, 2][rawValue] }
  }

  /// 1...40.
  package let version: Int
  package let level: Level
  /// 0...7.
  package let mask: Int
  /// Whether each module is dark, rows from the top.
  package let modules: [Bool]

  /// Modules along one side, without the quiet zone.
  package var side: Int { 17 + 4 * version }

  /// The smallest symbol that holds the bytes; nil where none does, from 2,954 bytes on at the lowest level.
  ///
  /// - Parameters:
  ///   - version: the smallest one that may be used.
  ///   - mask: the mask; nil chooses the one with the lowest penalty.
  package init?(
    _ bytes: [UInt8], level: Level = .medium, atLeast version: Int = 1, mask: Int? = nil
  ) {
    guard (1...40).contains(version), mask.map({ (0...7).contains($0) }) ?? true,
      let version = (version...40).first(where: {
        Blocks(version: $0, level: level).dataBits >= Self.bitCount(bytes.count, $0)
      })
    else { return nil }
    let blocks = Blocks(version: version, level: level)
    let codewords = blocks.interleaved(Self.codewords(bytes, version, blocks))
    var best: (penalty: Int, mask: Int, matrix: QRMatrix)?
    let blank = QRMatrix(version: version, codewords: codewords)
    for candidate in mask.map({ $0...$0 }) ?? 0...7 {
      let matrix = blank.masked(candidate, level: level)
      let penalty = mask == nil ? matrix.penalty : 0
      if best.map({ penalty < $0.penalty }) ?? true { best = (penalty, candidate, matrix) }
    }
    guard let best else { return nil }
    (self.version, self.level, self.mask) = (version, level, best.mask)
    modules = best.matrix.modules
  }

  /// Bits of mode, length and bytes.
  private static func bitCount(_ count: Int, _ version: Int) -> Int {
    4 + (version < 10 ? 8 : 16) + 8 * count
  }

  /// The data codewords: byte mode, length, the bytes, terminator and padding (7.4).
  private static func codewords(_ bytes: [UInt8], _ version: Int, _ blocks: Blocks) -> [UInt8] {
    var bits = QRBits()
    bits.append(4, count: 4)
    bits.append(bytes.count, count: version < 10 ? 8 : 16)
    for byte in bytes { bits.append(Int(byte), count: 8) }
    bits.append(0, count: min(4, blocks.dataBits - bits.count))
    var codewords = bits.bytes
    var isFirst = true
    while codewords.count * 8 < blocks.dataBits {
      codewords.append(isFirst ? 0xEC : 0x11)
      isFirst.toggle()
    }
    return codewords
  }

  /// The symbol with its quiet zone, as colours: rows from the top.
  ///
  /// - Parameter quiet: modules around it; four are asked for.
  package func colors(
    quiet: Int = 4, dark: UInt32 = 0x000000, light: UInt32 = 0xFFFFFF
  ) -> (width: Int, colors: [UInt32]) {
    let width = side + 2 * quiet
    var colors = [UInt32](repeating: light, count: width * width)
    for y in 0..<side {
      for x in 0..<side where modules[y * side + x] {
        colors[(y + quiet) * width + x + quiet] = dark
      }
    }
    return (width, colors)
  }
}

/// Bits, the highest of each byte first.
struct QRBits {
  private(set) var bytes: [UInt8] = []
  private(set) var count = 0

  mutating func append(_ value: Int, count: Int) {
    for bit in (0..<count).reversed() {
      if self.count % 8 == 0 { bytes.append(0) }
      bytes[self.count / 8] |= UInt8(value >> bit & 1) << UInt8(7 - self.count % 8)
      self.count += 1
    }
  }
}
