internal import CByteMarks

extension JSONText {
  /// Appends one JSON value re-encoded as strictly valid JSON in printable ASCII: the content of a
  /// line of `--json` (promises P1 and P1b).
  ///
  /// Every other scalar becomes a `\u` escape (a surrogate pair above U+FFFF), invalid UTF-8
  /// becomes `\ufffd`, lone surrogate escapes stay escapes, `NaN` and the infinities become `null`,
  /// numbers keep their digits, white space between tokens is dropped. Bytes that are no JSON value
  /// become `null`.
  package static func asciiSafe(_ raw: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    guard let value = value(in: raw) else {
      out += null
      return
    }
    respell(UnsafeRawBufferPointer(rebasing: raw[value]), into: &out)
  }

  /// The range of the single JSON value in the bytes, without surrounding white space; nil if they
  /// contain anything else.
  package static func value(in raw: UnsafeRawBufferPointer) -> Range<Int>? {
    guard var cursor = JSONCursor(raw) else { return nil }
    cursor.skipSpace()
    let start = cursor.at
    guard cursor.skipValue() else { return nil }
    let end = cursor.at
    cursor.skipSpace()
    return cursor.at == raw.count ? start..<end : nil
  }

  /// Appends a valid JSON value; see `asciiSafe`. Unchanged text, which is nearly all of it, is
  /// copied in runs.
  static func respell(_ value: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    out.reserveCapacity(out.count + value.count)
    var run = 0
    var at = 0
    while at < value.count {
      switch value[at] {
      case UInt8(ascii: "\""):
        at += 1
        stringBody(value, at: &at, run: &run, into: &out)
        at += 1
      case 0x20, 0x0A, 0x0D, 0x09:
        copy(value, run..<at, into: &out)
        at += 1
        run = at
      case UInt8(ascii: "N"):
        copy(value, run..<at, into: &out)
        out += null
        at += 3
        run = at
      case UInt8(ascii: "I"):
        copy(value, run..<at, into: &out)
        if out.last == UInt8(ascii: "-") { out.removeLast() }
        out += null
        at += 8
        run = at
      default: at += 1
      }
    }
    copy(value, run..<value.count, into: &out)
  }

  private static let null = Array("null".utf8)

  private static func copy(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, into out: inout [UInt8]
  ) {
    if !range.isEmpty { out += UnsafeRawBufferPointer(rebasing: bytes[range]) }
  }

  /// The place of the first byte from `at` on that cannot be copied as it is; the end where there is none.
  private static func plainEnd(_ bytes: UnsafeRawBufferPointer, from at: Int) -> Int {
    guard let base = bytes.baseAddress else { return at }
    var at = at
    while at + 16 <= bytes.count {
      let plain = Int(cmarks_first_special_of_16(base + at))
      at += plain
      if plain < 16 { return at }
    }
    while at < bytes.count, case let byte = bytes[at],
      byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\")
    {
      at += 1
    }
    return at
  }

  /// Advances to the closing quote.
  ///
  /// - Parameter run: the start of the bytes to copy unchanged.
  private static func stringBody(
    _ value: UnsafeRawBufferPointer, at: inout Int, run: inout Int, into out: inout [UInt8]
  ) {
    while true {
      at = plainEnd(value, from: at)
      guard at < value.count, value[at] != UInt8(ascii: "\"") else { return }
      if value[at] == UInt8(ascii: "\\") {
        at += 2
      } else {
        copy(value, run..<at, into: &out)
        escape(scalar(in: value, at: &at), into: &out)
        run = at
      }
    }
  }

  /// The text as a JSON string with its quotes, printable ASCII only.
  package static func quote(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    quote(text, into: &out)
    return out
  }

  /// Appends the text as a JSON string with quotes, printable ASCII only. The stand-in of a lone
  /// surrogate becomes its escape again.
  package static func quote(_ text: String, into out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      quote(UnsafeRawBufferPointer(bytes), into: &out) { scalar, out in
        if let half = SurrogateHalves.unit(of: scalar) {
          escape(half, into: &out)
        } else {
          quoteScalar(scalar, into: &out)
        }
      }
    }
  }

  /// Appends the repaired text of raw bytes (no JSON) as a JSON string with its quotes.
  package static func quote(utf8 bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    quote(bytes, into: &out, special: quoteScalar)
  }

  private static func quote(
    _ bytes: UnsafeRawBufferPointer, into out: inout [UInt8],
    special: (Unicode.Scalar, inout [UInt8]) -> Void
  ) {
    out.reserveCapacity(out.count + bytes.count + 2)
    out.append(UInt8(ascii: "\""))
    var run = 0
    var at = 0
    while true {
      at = plainEnd(bytes, from: at)
      copy(bytes, run..<at, into: &out)
      guard at < bytes.count else { break }
      run = at
      if bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "\\") {
        // The byte itself begins the next run.
        out.append(UInt8(ascii: "\\"))
        at += 1
      } else {
        special(scalar(in: bytes, at: &at), &out)
        run = at
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  @inline(__always)
  private static func pair(_ first: Unicode.Scalar, _ second: Unicode.Scalar, _ out: inout [UInt8])
  {
    out.append(UInt8(truncatingIfNeeded: first.value))
    out.append(UInt8(truncatingIfNeeded: second.value))
  }

  private static func quoteScalar(_ scalar: Unicode.Scalar, into out: inout [UInt8]) {
    switch scalar {
    case "\n": pair("\\", "n", &out)
    case "\r": pair("\\", "r", &out)
    case "\t": pair("\\", "t", &out)
    case "\u{20}"..."\u{7E}": out.append(UInt8(truncatingIfNeeded: scalar.value))
    default: escape(scalar, into: &out)
    }
  }

  private static func escape(_ scalar: Unicode.Scalar, into out: inout [UInt8]) {
    for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
      escape(unit, into: &out)
    }
  }

  /// Appends the `\u` escape of one UTF-16 unit.
  static func escape(_ unit: UInt16, into out: inout [UInt8]) {
    pair("\\", "u", &out)
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(truncatingIfNeeded: unit >> UInt16(shift)) & 0xF
      out.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }
}
