/// How the sanitiser treats a scalar.
enum ScalarClass: UInt8 {
  /// Zero-width formatting, bidi controls, variation selectors, tags, marks of disputed width.
  case dropped = 0
  case narrow = 1
  case wide = 2
  /// Combines with the character before it.
  case mark = 3
  /// Controls, private use, unassigned, and scalars of disputed width.
  case replaced = 4
}

/// The class of every scalar: a table of two stages for the planes that hold text.
enum ScalarWidth {
  /// Everything from here on (plane 3 and up) is rare enough for a search.
  private static let tableEnd: UInt32 = 0x20000

  /// Blocks of 256 scalars. Most have one class only: a flat table would be eight times larger, and every
  /// start fills it.
  private struct Table {
    /// Per block: its class, or 8 plus the number of its range in `classes`.
    var blocks: [UInt16] = []
    /// The classes of blocks that have several, one after the other.
    var classes: [UInt8] = []

    init() {
      let runs = WidthTable.runs
      // The first run that begins behind the block.
      var next = 0
      for first in stride(from: 0, to: tableEnd, by: 256) {
        let end = first + 256
        while next < runs.count, runs[next] >> 3 <= first { next += 1 }
        var kind = next > 0 ? UInt8(runs[next - 1] & 7) : ScalarClass.replaced.rawValue
        guard first == 0 || next < runs.count && runs[next] >> 3 < end else {
          blocks.append(UInt16(kind))
          continue
        }
        blocks.append(UInt16(8 + classes.count / 256))
        var scalar = first
        while scalar < end {
          let stop = next < runs.count ? min(end, runs[next] >> 3) : end
          classes.append(contentsOf: repeatElement(kind, count: Int(stop - scalar)))
          scalar = stop
          if scalar < end {
            kind = UInt8(runs[next] & 7)
            next += 1
          }
        }
      }
      for scalar in 0x20..<0x7F { classes[scalar] = ScalarClass.narrow.rawValue }
    }

    func classify(_ scalar: UInt32) -> UInt8 {
      let block = blocks[Int(scalar >> 8)]
      return block < 8
        ? UInt8(block) : classes[Int(block - 8) << 8 | Int(scalar & 0xFF)]
    }
  }

  private static let table = Table()

  static func classify(_ scalar: UInt32) -> ScalarClass {
    if scalar < tableEnd { return ScalarClass(rawValue: table.classify(scalar)) ?? .replaced }
    // Ideographs of planes 2 and 3 are wide in all tables; only assigned ones are drawn.
    var low = 0
    var high = WidthTable.runs.count
    while low < high {
      let middle = (low + high) / 2
      if WidthTable.runs[middle] >> 3 <= scalar { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return .replaced }
    return ScalarClass(rawValue: UInt8(WidthTable.runs[low - 1] & 7)) ?? .replaced
  }

  /// Columns of a scalar that the sanitiser let through; 0 for a mark.
  static func columns(_ scalar: UInt32) -> Int {
    if scalar < 0x7F { return 1 }
    return switch classify(scalar) {
    case .wide: 2
    case .mark, .dropped: 0
    case .narrow, .replaced: 1
    }
  }

  /// Whether a zero width joiner may glue the scalar to its neighbour (Extended_Pictographic).
  static func isPictograph(_ scalar: UInt32) -> Bool {
    guard scalar >= 0xA9, let scalar = Unicode.Scalar(scalar) else { return false }
    return scalar.properties.isEmoji || (0x1F000...0x1FAFF).contains(scalar.value)
  }
}
