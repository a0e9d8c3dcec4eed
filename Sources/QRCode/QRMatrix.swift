/// The modules of a symbol, and which of them are patterns that no mask changes.
struct QRMatrix {
  let version: Int
  let side: Int
  private(set) var modules: [Bool]
  private var isFixed: [Bool]

  /// Modules for codewords: all but the patterns, format and version.
  static func dataModules(_ version: Int) -> Int {
    var count = (16 * version + 128) * version + 64
    if version >= 2 {
      let alignments = version / 7 + 2
      count -= (25 * alignments - 10) * alignments - 55
      if version >= 7 { count -= 36 }
    }
    return count
  }

  /// The patterns, and codewords in their places; without a mask.
  init(version: Int, codewords: [UInt8]) {
    self.version = version
    side = 17 + 4 * version
    modules = Array(repeating: false, count: side * side)
    isFixed = modules
    drawPatterns()
    place(codewords)
  }

  private mutating func fix(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return }
    modules[y * side + x] = isDark
    isFixed[y * side + x] = true
  }

  // MARK: Patterns

  private mutating func drawPatterns() {
    for place in 0..<side {
      fix(6, place, place % 2 == 0)
      fix(place, 6, place % 2 == 0)
    }
    for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] {
      for dy in -4...4 {
        for dx in -4...4 {
          let ring = max(abs(dx), abs(dy))
          fix(x + dx, y + dy, ring != 2 && ring != 4)
        }
      }
    }
    let centers = alignmentCenters
    for (row, y) in centers.enumerated() {
      for (column, x) in centers.enumerated() {
        let last = centers.count - 1
        if (row, column) == (0, 0) || (row, column) == (0, last) || (row, column) == (last, 0) {
          continue
        }
        for dy in -2...2 {
          for dx in -2...2 { fix(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
      }
    }
    drawFormat(0)
    drawVersion()
  }

  /// Rows and columns of the alignment patterns' centers (annex E).
  private var alignmentCenters: [Int] {
    guard version >= 2 else { return [] }
    let count = version / 7 + 2
    let step = version == 32 ? 26 : (version * 4 + count * 2 + 1) / (count * 2 - 2) * 2
    return [6] + (0..<count - 1).reversed().map { side - 7 - $0 * step }
  }

  /// Level and mask, twice (7.9): five bits with ten of a BCH code.
  private mutating func drawFormat(_ data: Int) {
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    let bits = (data << 10 | rest) ^ 0x5412
    func bit(_ place: Int) -> Bool { bits >> place & 1 == 1 }
    for place in 0...5 { fix(8, place, bit(place)) }
    fix(8, 7, bit(6))
    fix(8, 8, bit(7))
    fix(7, 8, bit(8))
    for place in 9..<15 { fix(14 - place, 8, bit(place)) }
    for place in 0..<8 { fix(side - 1 - place, 8, bit(place)) }
    for place in 8..<15 { fix(8, side - 15 + place, bit(place)) }
    fix(8, side - 8, true)
  }

  /// The version, twice, from 7 on (7.10): six bits with twelve of a BCH code.
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    var rest = version
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    let bits = version << 12 | rest
    for place in 0..<18 {
      let isDark = bits >> place & 1 == 1
      let (far, near) = (side - 11 + place % 3, place / 3)
      fix(far, near, isDark)
      fix(near, far, isDark)
    }
  }

  // MARK: Codewords

  /// Two columns at a time from the right, up and down in turn (7.7.3).
  private mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    var right = side - 1
    while right >= 1 {
      if right == 6 { right = 5 }
      for step in 0..<side {
        let isUpward = (right + 1) & 2 == 0
        let y = isUpward ? side - 1 - step : step
        for x in [right, right - 1] where !isFixed[y * side + x] && bit < codewords.count * 8 {
          modules[y * side + x] = codewords[bit / 8] >> UInt8(7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
      right -= 2
    }
  }

  /// The same with a mask and the format that says so (7.8).
  func masked(_ mask: Int, level: QRCode.Level) -> QRMatrix {
    var masked = self
    for y in 0..<side {
      for x in 0..<side where !isFixed[y * side + x] && Self.inverts(mask, x, y) {
        masked.modules[y * side + x].toggle()
      }
    }
    masked.drawFormat(level.bits << 3 | mask)
    return masked
  }

  private static func inverts(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }
}

// MARK: Penalty

extension QRMatrix {
  /// How hard the symbol is to read (7.8.3): runs, squares, what looks like a finder pattern, and too much of one colour.
  var penalty: Int {
    var penalty = 0
    for line in 0..<side {
      penalty += Self.penalty(ofRuns: runs { modules[line * side + $0] })
      penalty += Self.penalty(ofRuns: runs { modules[$0 * side + line] })
    }
    for y in 0..<side - 1 {
      for x in 0..<side - 1 {
        let first = modules[y * side + x]
        if first == modules[y * side + x + 1], first == modules[(y + 1) * side + x],
          first == modules[(y + 1) * side + x + 1]
        {
          penalty += 3
        }
      }
    }
    let dark = modules.count { $0 }
    let percent = (200 * dark + modules.count) / modules.count / 2
    return penalty + abs(percent - 50) / 5 * 10
  }

  /// Lengths of the runs of a line, light ones at even places: the first is 0 where the line begins dark.
  private func runs(_ isDark: (Int) -> Bool) -> [Int] {
    var runs = [0]
    var last = false
    for place in 0..<side {
      if isDark(place) == last {
        runs[runs.count - 1] += 1
      } else {
        runs.append(1)
        last.toggle()
      }
    }
    return runs
  }

  static func penalty(ofRuns runs: [Int]) -> Int {
    var penalty = runs.reduce(0) { $0 + ($1 >= 5 ? $1 - 2 : 0) }
    // 1:1:3:1:1 beside a light area of four, or at the edge, where the quiet zone is.
    for place in stride(from: 3, to: runs.count - 2, by: 2) where runs[place] % 3 == 0 {
      let unit = runs[place] / 3
      guard [-2, -1, 1, 2].allSatisfy({ runs[place + $0] == unit }) else { continue }
      let isBefore = place == 3 || runs[place - 3] >= 4 * unit
      let isAfter = place + 4 >= runs.count || runs[place + 3] >= 4 * unit
      if isBefore || isAfter { penalty += 40 }
    }
    return penalty
  }
}
