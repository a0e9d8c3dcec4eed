/// Text between the quotes of JSON strings, and JSON spelled so that nothing in it can act on a
/// terminal.
package enum JSONText {
  /// Decodes the bytes between the quotes of a JSON string. Unknown escapes and invalid UTF-8
  /// become U+FFFD, lone surrogates their stand-ins (`SurrogateHalves`).
  package static func decode(_ body: UnsafeRawBufferPointer) -> String {
    let isPlain = body.allSatisfy { $0 != UInt8(ascii: "\\") && $0 != SurrogateHalves.lead }
    guard !isPlain else { return String(decoding: body, as: UTF8.self) }
    var out: [UInt8] = []
    out.reserveCapacity(body.count)
    var at = 0
    while at < body.count {
      if body[at] == UInt8(ascii: "\\") {
        append(escape(in: body, at: &at, keepingHalves: true), to: &out)
      } else if SurrogateHalves.isReserved(body, at: at) {
        SurrogateHalves.appendHalves(ofFour: body, at: at, to: &out)
        at += 4
      } else {
        out.append(body[at])
        at += 1
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Appends the bytes with their escapes resolved, and stops when `limit` bytes were added.
  /// Bytes that are not UTF-8 pass through, lone surrogates become U+FFFD.
  package static func unescape(
    _ body: UnsafeRawBufferPointer, into out: inout [UInt8], limit: Int = .max
  ) {
    let start = out.count
    var at = 0
    while at < body.count, out.count - start < limit {
      let byte = body[at]
      if byte != UInt8(ascii: "\\") {
        out.append(byte)
        at += 1
      } else {
        append(escape(in: body, at: &at), to: &out)
      }
    }
  }

  /// Decodes the escape at `at` (a backslash), with the second half of a surrogate pair.
  ///
  /// - Parameter keepingHalves: whether a lone surrogate becomes its stand-in instead of U+FFFD.
  static func escape(
    in body: UnsafeRawBufferPointer, at: inout Int, keepingHalves: Bool = false
  ) -> Unicode.Scalar {
    guard at + 1 < body.count else {
      at = body.count
      return "\u{FFFD}"
    }
    let letter = body[at + 1]
    if letter == UInt8(ascii: "u") {
      guard let first = hex4(body, at + 2) else {
        at += 2
        return "\u{FFFD}"
      }
      at += 6
      if let scalar = Unicode.Scalar(first) { return scalar }
      guard first < 0xDC00, at + 6 <= body.count, body[at] == UInt8(ascii: "\\"),
        body[at + 1] == UInt8(ascii: "u"), let second = hex4(body, at + 2),
        (0xDC00..<0xE000).contains(second),
        let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)),
        !keepingHalves || !SurrogateHalves.isReserved(scalar)
      else { return keepingHalves ? SurrogateHalves.standIn(for: first) : "\u{FFFD}" }
      at += 6
      return scalar
    }
    at += 2
    switch letter {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{08}"
    case UInt8(ascii: "f"): return "\u{0C}"
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    default: return "\u{FFFD}"
    }
  }

  private static func hex4(_ body: UnsafeRawBufferPointer, _ start: Int) -> UInt32? {
    guard start + 4 <= body.count else { return nil }
    var value: UInt32 = 0
    for index in start..<start + 4 {
      let byte = body[index]
      switch byte {
      case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
      case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
      case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
      default: return nil
      }
    }
    return value
  }

  static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
    if scalar.value < 0x80 {
      out.append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      out.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
  }

  /// Reads one scalar of UTF-8 at `at`, or U+FFFD for the longest wrong piece
  /// (Unicode 15, section 3.9, "maximal subparts").
  static func scalar(in body: UnsafeRawBufferPointer, at: inout Int) -> Unicode.Scalar {
    let first = body[at]
    at += 1
    let length: Int
    var value: UInt32
    var lowest: UInt8 = 0x80
    var highest: UInt8 = 0xBF
    switch first {
    case 0x00...0x7F: return Unicode.Scalar(first)
    case 0xC2...0xDF: (length, value) = (1, UInt32(first & 0x1F))
    case 0xE0...0xEF:
      (length, value) = (2, UInt32(first & 0x0F))
      if first == 0xE0 { lowest = 0xA0 }
      if first == 0xED { highest = 0x9F }
    case 0xF0...0xF4:
      (length, value) = (3, UInt32(first & 0x07))
      if first == 0xF0 { lowest = 0x90 }
      if first == 0xF4 { highest = 0x8F }
    default: return "\u{FFFD}"
    }
    for _ in 0..<length {
      guard at < body.count, body[at] >= lowest, body[at] <= highest else { return "\u{FFFD}" }
      value = value << 6 | UInt32(body[at] & 0x3F)
      lowest = 0x80
      highest = 0xBF
      at += 1
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }

  /// Whether eight bytes are ASCII without a backslash. A byte equal to one becomes 0, and
  /// subtracting 1 sets its high bit, which otherwise only non-ASCII bytes have.
  @inline(__always)
  private static func isPlain(_ word: UInt64) -> Bool {
    let changed = word ^ 0x5C5C_5C5C_5C5C_5C5C
    return (word | (changed &- 0x0101_0101_0101_0101)) & 0x8080_8080_8080_8080 == 0
  }

  /// Appends the part of a text that a stored row keeps: its first `units` UTF-16 code units
  /// (contract 4.1: 2,000), as UTF-8. If the cut splits a surrogate pair, backends send the lone
  /// half, U+FFFD or nothing, so such a last unit is dropped. Live and stored copies of a text give
  /// the same bytes.
  package static func canonicalPrefix(
    _ body: UnsafeRawBufferPointer, units limit: Int, into out: inout [UInt8]
  ) {
    var at = 0
    var units = 0
    while at < body.count, units < limit {
      // Plain bytes, ASCII without a backslash, are found eight at a time and copied all at once.
      let run = at
      while at &+ 8 <= body.count, units &+ 8 <= limit,
        isPlain(body.loadUnaligned(fromByteOffset: at, as: UInt64.self))
      {
        at &+= 8
        units &+= 8
      }
      while at < body.count, units < limit, body[at] < 0x80, body[at] != UInt8(ascii: "\\") {
        at &+= 1
        units &+= 1
      }
      if at > run { out.append(contentsOf: UnsafeRawBufferPointer(rebasing: body[run..<at])) }
      guard at < body.count, units < limit else { return }
      let byte = body[at]
      let scalar =
        byte == UInt8(ascii: "\\") ? escape(in: body, at: &at) : scalar(in: body, at: &at)
      let width = scalar.value > 0xFFFF ? 2 : 1
      let isCut = units + width >= limit
      if isCut, units + width > limit || scalar == "\u{FFFD}" { return }
      append(scalar, to: &out)
      units += width
    }
  }
}
