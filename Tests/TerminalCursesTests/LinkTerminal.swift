import TerminalCore

/// A terminal that knows links: what each cell shows, and where it leads to. Written from ECMA-48, DEC's manuals and
/// the description of OSC 8, and checked against libvterm in what it shows.
struct LinkTerminal {
  struct Cell: Equatable {
    var text = " "
    var url: String?
    var id: String?
  }

  private(set) var cells: [[Cell]]
  /// Sequences that it does not know.
  private(set) var unknown: [String] = []
  private let size: Size
  private var (x, y) = (0, 0)
  private var kept = (0, 0)
  private var region: ClosedRange<Int>
  private var link: (url: String, id: String?)?
  /// The last glyph, for REP.
  private var last = " "
  /// The cursor is behind the last column.
  private var isPending = false

  init(_ size: Size) {
    self.size = size
    cells = Array(repeating: Array(repeating: Cell(), count: size.width), count: size.height)
    region = 0...size.height - 1
  }

  var lines: [String] {
    cells.map { row in
      var text = row.map(\.text).joined()
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }
  }

  mutating func feed(_ bytes: [UInt8]) {
    var scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar.value {
      case 0x1B: escape(&scalars)
      case 0x0D: (x, isPending) = (0, false)
      case 0x08: (x, isPending) = (max(0, x - 1), false)
      case 0x0A: feedLine()
      case 0x07, 0x0E, 0x0F: break
      case 0x20...: put(String(scalar))
      default: unknown.append("control \(scalar.value)")
      }
    }
  }

  private mutating func put(_ text: String) {
    if isPending {
      (x, isPending) = (0, false)
      feedLine()
    }
    cells[y][x] = Cell(text: text, url: link?.url, id: link?.id)
    last = text
    if x == size.width - 1 { isPending = true } else { x += 1 }
  }

  private mutating func feedLine() {
    if y == region.upperBound { scroll(1, in: region) } else { y = min(size.height - 1, y + 1) }
  }

  /// Rows move up, down if negative.
  private mutating func scroll(_ count: Int, in rows: ClosedRange<Int>) {
    for _ in 0..<abs(count) {
      let blank = Array(repeating: Cell(), count: size.width)
      if count > 0 {
        cells.remove(at: rows.lowerBound)
        cells.insert(blank, at: rows.upperBound)
      } else {
        cells.remove(at: rows.upperBound)
        cells.insert(blank, at: rows.lowerBound)
      }
    }
  }

  private mutating func escape(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    guard let kind = scalars.popFirst() else { return }
    switch kind {
    case "[": control(&scalars)
    case "]": string(&scalars)
    case "(": _ = scalars.popFirst()
    case "7": kept = (x, y)
    case "8":
      (x, y) = kept
      isPending = false
    case "M": if y == region.lowerBound { scroll(-1, in: region) } else { y = max(0, y - 1) }
    case "=", ">": break
    default: unknown.append("ESC \(kind)")
    }
  }

  private mutating func string(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    var text = String.UnicodeScalarView()
    while let scalar = scalars.popFirst(), scalar != "\u{07}" {
      if scalar == "\u{1B}" {
        if scalars.popFirst() != "\\" { unknown.append("a string that another sequence ends") }
        break
      }
      text.append(scalar)
    }
    let parts = String(text).split(separator: ";", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0] == "8" else { return unknown.append("OSC \(text)") }
    let id = parts[1].hasPrefix("id=") ? String(parts[1].dropFirst(3)) : nil
    link = parts[2].isEmpty ? nil : (String(parts[2]), id)
  }

  private mutating func control(_ scalars: inout ArraySlice<Unicode.Scalar>) {
    var text = ""
    var final: Unicode.Scalar?
    while final == nil, let scalar = scalars.popFirst() {
      if scalar.value >= 0x40 { final = scalar } else { text.unicodeScalars.append(scalar) }
    }
    let numbers = text.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    func number(_ place: Int) -> Int {
      max(1, numbers.indices.contains(place) ? numbers[place] : 1)
    }
    let count = number(0)
    let wasPending = isPending
    isPending = false
    switch final {
    case "H": (x, y) = (min(size.width, number(1)) - 1, min(size.height, count) - 1)
    case "G": x = min(size.width, count) - 1
    case "d": y = min(size.height, count) - 1
    case "A": y = max(0, y - count)
    case "B": y = min(size.height - 1, y + count)
    case "C": x = min(size.width - 1, x + count)
    case "D": x = max(0, x - count)
    case "b":
      isPending = wasPending
      for _ in 0..<count { put(last) }
    case "K":
      let range =
        numbers.first == 1 ? 0..<x + 1 : numbers.first == 2 ? 0..<size.width : x..<size.width
      for column in range { cells[y][column] = Cell() }
    case "X": for column in x..<min(size.width, x + count) { cells[y][column] = Cell() }
    case "J":
      let start = numbers.first == 2 ? 0 : y * size.width + x
      for place in start..<size.width * size.height {
        cells[place / size.width][place % size.width] = Cell()
      }
    case "r":
      let bottom = numbers.count > 1 ? number(1) : size.height
      region = (numbers.isEmpty ? 1 : count) - 1...bottom - 1
      (x, y) = (0, 0)
    case "S": scroll(count, in: region)
    case "T": scroll(-count, in: region)
    case "L": scroll(-count, in: y...region.upperBound)
    case "M": scroll(count, in: y...region.upperBound)
    case "m", "h", "l", "t": isPending = wasPending
    default: unknown.append("CSI \(text)\(final.map(String.init) ?? "")")
    }
  }
}
