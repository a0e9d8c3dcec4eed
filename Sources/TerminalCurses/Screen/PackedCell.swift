import TerminalCore

/// A cell as its two words in memory, loaded once. Reading the properties through `Cell` reloads them
/// each time, which doubled the instructions per row.
struct PackedCell {
  /// From the lowest bit on: scalar, columns, style.
  private let word: UInt64
  let marks: UInt64

  init(_ cells: UnsafeBufferPointer<Cell>, _ index: Int) {
    let bytes = UnsafeRawBufferPointer(cells)
    let start = index * MemoryLayout<Cell>.stride
    word = UInt64(littleEndian: bytes.load(fromByteOffset: start, as: UInt64.self))
    marks = bytes.load(fromByteOffset: start + 8, as: UInt64.self)
  }

  var base: UInt32 { UInt32(truncatingIfNeeded: word) }
  var width: UInt8 { UInt8(truncatingIfNeeded: word >> 32) }
  /// `Cell.styleKey`.
  var styleKey: UInt32 { UInt32(truncatingIfNeeded: word >> 40) }
  var isSpace: Bool { base == 0x20 && marks == 0 }
  /// Whether it is of a picture (`Cell.pixels`).
  var isPixels: Bool { marks >> 63 == 1 }
  /// One column, one byte.
  var isASCII: Bool { word & 0xFF_FFFF_FF80 == 0x01_0000_0000 && marks == 0 }
}
