#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Finds line ends in one chunk. The next LF and the next CR are remembered separately, so that a chunk
/// full of one kind does not cause a search for the other at every line.
struct LineScanner {
  let base: UnsafeRawPointer
  let count: Int
  var position = 0
  private var nextLF = -1
  private var nextCR = -1

  init(base: UnsafeRawPointer, count: Int) {
    self.base = base
    self.count = count
  }

  var byte: UInt8 { base.load(fromByteOffset: position, as: UInt8.self) }

  /// Offset of the first CR or LF at or after `position`.
  mutating func nextLineEnd() -> Int? {
    if nextLF < position { nextLF = find(0x0A) }
    if nextCR < position { nextCR = find(0x0D) }
    let end = min(nextLF, nextCR)
    return end < count ? end : nil
  }

  /// `count` when there is none.
  private func find(_ byte: Int32) -> Int {
    guard let hit = memchr(base + position, byte, count - position) else { return count }
    return UnsafeRawPointer(hit) - base
  }
}

/// A split line: the field name and the range of the value.
struct FieldParts {
  enum Name { case comment, data, event, id, retry, unknown }

  let name: Name
  /// Offsets in the line.
  let value: Range<Int>

  private init(name: Name, value: Range<Int>) {
    self.name = name
    self.value = value
  }

  @inline(__always)
  init(_ line: UnsafeRawBufferPointer) {
    // Nearly every line, as nearly every server spells it; eight bytes of it can be read.
    if line.count >= 8, let base = line.baseAddress {
      let head = UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
      if head & 0xFFFF_FFFF_FFFF == 0x203A_6174_6164 {  // "data: ", the first letter lowest
        self.init(name: .data, value: 6..<line.count)
        return
      }
      if head & 0xFF_FFFF_FFFF_FFFF == 0x20_3A74_6E65_7665 {  // "event: "
        self.init(name: .event, value: 7..<line.count)
        return
      }
    }
    self.init(general: line)
  }

  @inline(never)
  private init(general line: UnsafeRawBufferPointer) {
    let colon = Self.colon(in: line) ?? line.count
    var start = min(colon + 1, line.count)
    if start < line.count, line[start] == 0x20 { start += 1 }
    value = start..<line.count
    guard colon > 0 else {
      name = .comment
      return
    }
    name = Self.name(line, length: colon)
  }

  /// The first colon. No known field name is longer than five bytes, so inspect six at most.
  private static func colon(in line: UnsafeRawBufferPointer) -> Int? {
    for index in 0..<min(line.count, 6) where line[index] == 0x3A { return index }
    return nil
  }

  private static func name(_ line: UnsafeRawBufferPointer, length: Int) -> Name {
    switch length {
    case 2 where starts(line, "id"): .id
    case 4 where starts(line, "data"): .data
    case 5 where starts(line, "event"): .event
    case 5 where starts(line, "retry"): .retry
    default: .unknown
    }
  }

  @inline(__always)
  private static func starts(_ line: UnsafeRawBufferPointer, _ name: StaticString) -> Bool {
    for index in 0..<name.utf8CodeUnitCount where line[index] != name.utf8Start[index] {
      return false
    }
    return true
  }
}
