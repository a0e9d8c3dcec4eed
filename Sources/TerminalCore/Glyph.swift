/// The content of one or two cells: a base scalar and up to three marks.
package struct Glyph: Hashable, Sendable {
  /// A curses cell holds four marks; three fit in 64 bits and cover every living script.
  package static let maxMarks = 3

  /// The base scalar; 0 for the right half of a wide glyph.
  package var base: UInt32
  /// The marks, 21 bits each, first one lowest.
  package var marks: UInt64

  /// A base scalar and its marks, packed as `marks` says.
  @inlinable @inline(__always) package init(_ base: UInt32, marks: UInt64 = 0) {
    self.base = base
    self.marks = marks
  }

  /// The glyph of a blank cell.
  @inlinable package static var space: Glyph { Glyph(0x20) }
  /// Whether it is the glyph of a blank cell.
  @inlinable @inline(__always) package var isSpace: Bool { base == 0x20 && marks == 0 }
  /// The right half of a wide glyph; never drawn.
  package static let continuation = Glyph(0)

  /// The scalars in drawing order, none for a continuation.
  package var scalars: [Unicode.Scalar] {
    guard base != 0 else { return [] }
    var scalars = [base]
    // The two colours of a picture stand in the place of marks.
    var rest = marks >> 63 == 0 ? marks : 0
    while rest != 0 {
      scalars.append(UInt32(rest & 0x1F_FFFF))
      rest >>= 21
    }
    return scalars.compactMap(Unicode.Scalar.init)
  }

  mutating func append(mark: UInt32) {
    var shift: UInt64 = 0
    while shift < 63, marks >> shift != 0 { shift += 21 }
    if shift < 63 { marks |= UInt64(mark) << shift }
  }
}
