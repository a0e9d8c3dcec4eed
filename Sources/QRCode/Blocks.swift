/// How the codewords of a symbol are split into blocks, each with its error correction (table 9).
struct Blocks {
  /// Codewords of the whole symbol.
  let total: Int
  /// Of error correction in each block.
  let correction: Int
  let count: Int

  /// Codewords of error correction in a block, by level and version.
  private static let corrections: [[Int]] = [
    [
      7, 10, 15, 20, 26, 18, 20, 24, 30, 18, 20, 24, 26, 30, 22, 24, 28, 30, 28, 28, 28, 28, 30, 30,
      26, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28,
      28,
      28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ],
    [
      13, 22, 18, 26, 18, 24, 18, 22, 20, 24, 28, 26, 24, 20, 30, 24, 28, 28, 26, 30, 28, 30, 30,
      30,
      30, 28, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
    [
      17, 28, 22, 16, 22, 28, 26, 26, 24, 28, 24, 28, 22, 24, 24, 30, 28, 28, 26, 28, 30, 24, 30,
      30,
      30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30, 30,
    ],
  ]

  /// Blocks, by level and version.
  private static let counts: [[Int]] = [
    [
      1, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 4, 6, 6, 6, 6, 7, 8, 8, 9, 9, 10, 12, 12, 12, 13, 14,
      15, 16, 17, 18, 19, 19, 20, 21, 22, 24, 25,
    ],
    [
      1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25,
      26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
    ],
    [
      1, 1, 2, 2, 4, 4, 6, 6, 8, 8, 8, 10, 12, 16, 12, 17, 16, 18, 21, 20, 23, 23, 25, 27, 29, 34,
      34, 35, 38, 40, 43, 45, 48, 51, 53, 56, 59, 62, 65, 68,
    ],
    [
      1, 1, 2, 4, 4, 4, 5, 6, 8, 8, 11, 11, 16, 16, 18, 16, 19, 21, 25, 25, 25, 34, 30, 32, 35, 37,
      40, 42, 45, 48, 51, 54, 57, 60, 63, 66, 70, 74, 77, 81,
    ],
  ]

  init(version: Int, level: QRCode.Level) {
    total = QRMatrix.dataModules(version) / 8
    correction = Self.corrections[level.rawValue][version - 1]
    count = Self.counts[level.rawValue][version - 1]
  }

  var dataBits: Int { (total - correction * count) * 8 }

  /// The data in blocks, each with its error correction, one codeword of each in turn (7.6). The first blocks may have
  /// a data codeword less than the others.
  func interleaved(_ data: [UInt8]) -> [UInt8] {
    let short = data.count / count
    let longCount = data.count % count
    let code = ReedSolomon(degree: correction)
    var blocks: [(data: ArraySlice<UInt8>, correction: [UInt8])] = []
    var start = 0
    for number in 0..<count {
      let end = start + short + (number >= count - longCount ? 1 : 0)
      blocks.append((data[start..<end], code.remainder(of: data[start..<end])))
      start = end
    }
    var out: [UInt8] = []
    for place in 0...short {
      for block in blocks where place < block.data.count {
        out.append(block.data[block.data.startIndex + place])
      }
    }
    for place in 0..<correction {
      for block in blocks { out.append(block.correction[place]) }
    }
    return out
  }
}

/// Reed-Solomon codes over GF(256) with the polynomial x^8 + x^4 + x^3 + x^2 + 1.
struct ReedSolomon {
  /// Coefficients of the generator, the highest power (which is 1) left out.
  private let generator: [UInt8]

  init(degree: Int) {
    var generator = [UInt8](repeating: 0, count: degree - 1) + [1]
    var root: UInt8 = 1
    // The product of (x - 2^i).
    for _ in 0..<degree {
      for place in 0..<degree {
        generator[place] = Self.product(generator[place], root)
        if place + 1 < degree { generator[place] ^= generator[place + 1] }
      }
      root = Self.product(root, 2)
    }
    self.generator = generator
  }

  func remainder(of data: ArraySlice<UInt8>) -> [UInt8] {
    var remainder = [UInt8](repeating: 0, count: generator.count)
    for byte in data {
      let factor = byte ^ remainder.removeFirst()
      remainder.append(0)
      for place in generator.indices {
        remainder[place] ^= Self.product(generator[place], factor)
      }
    }
    return remainder
  }

  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product = 0
    for bit in (0..<8).reversed() {
      product = product << 1 ^ (product >> 7) * 0x11D
      product ^= Int(right >> UInt8(bit) & 1) * Int(left)
    }
    return UInt8(truncatingIfNeeded: product)
  }
}
