/// What the sanitiser does with a scalar.
enum ScalarClass: UInt8 {
  /// Zero-width formatting, bidi controls, variation selectors, tags, marks nobody agrees on.
  case dropped = 0
  case narrow = 1
  case wide = 2
  /// Combines with the character before it.
  case mark = 3
  /// Controls, private use, unassigned, and whatever terminals disagree about.
  case replaced = 4
}

/// The class of every scalar, as one flat table over the planes that hold text.
enum ScalarWidth {
  /// Everything from here on (plane 3 and up) is rare enough for two comparisons.
  private static let flatEnd: UInt32 = 0x20000

  private static let flat: [UInt8] = {
    var table = [UInt8](repeating: ScalarClass.replaced.rawValue, count: Int(flatEnd))
    for scalar in 0x20..<0x7F { table[scalar] = ScalarClass.narrow.rawValue }
    for (index, run) in WidthTable.runs.enumerated() {
      let start = min(run >> 3, flatEnd)
      let next = index + 1 < WidthTable.runs.count ? WidthTable.runs[index + 1] >> 3 : flatEnd
      for scalar in start..<max(start, min(next, flatEnd)) { table[Int(scalar)] = UInt8(run & 7) }
    }
    return table
  }()

  static func classify(_ scalar: UInt32) -> ScalarClass {
    if scalar < flatEnd { return ScalarClass(rawValue: flat[Int(scalar)]) ?? .replaced }
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
