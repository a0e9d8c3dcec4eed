extension JSONText {
  /// Appends one JSON value re-spelled as strictly valid JSON of printable ASCII only: what a line
  /// of `--json` may hold (promises P1 and P1b).
  ///
  /// Every other scalar becomes a `\u` escape (a surrogate pair above U+FFFF), bytes that are not
  /// UTF-8 become `\ufffd`, lone surrogate escapes stay escapes, `NaN` and the infinities become
  /// `null`, numbers keep their digits, white space between tokens goes. Bytes that are no JSON
  /// value at all become `null`.
  package static func asciiSafe(_ raw: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    guard let value = value(in: raw) else {
      out += Array("null".utf8)
      return
    }
    respell(UnsafeRawBufferPointer(rebasing: raw[value]), into: &out)
  }

  /// Where the one JSON value is that the bytes are, white space around it left out; nil when they are
  /// something else.
  package static func value(in raw: UnsafeRawBufferPointer) -> Range<Int>? {
    guard var cursor = JSONCursor(raw) else { return nil }
    cursor.skipSpace()
    let start = cursor.at
    guard cursor.skipValue() else { return nil }
    let end = cursor.at
    cursor.skipSpace()
    return cursor.at == raw.count ? start..<end : nil
  }

  private static func respell(_ value: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    out.reserveCapacity(out.count + value.count)
    var at = 0
    while at < value.count {
      switch value[at] {
      case UInt8(ascii: "\""):
        out.append(UInt8(ascii: "\""))
        at += 1
        stringBody(value, at: &at, into: &out)
        out.append(UInt8(ascii: "\""))
        at += 1
      case 0x20, 0x0A, 0x0D, 0x09: at += 1
      case UInt8(ascii: "N"):
        out += Array("null".utf8)
        at += 3
      case UInt8(ascii: "I"):
        if out.last == UInt8(ascii: "-") { out.removeLast() }
        out += Array("null".utf8)
        at += 8
      case let byte:
        out.append(byte)
        at += 1
      }
    }
  }

  /// Re-spells up to the closing quote, and stops on it.
  private static func stringBody(
    _ value: UnsafeRawBufferPointer, at: inout Int, into out: inout [UInt8]
  ) {
    while at < value.count, value[at] != UInt8(ascii: "\"") {
      let byte = value[at]
      if byte == UInt8(ascii: "\\") {
        out.append(byte)
        out.append(value[at + 1])
        at += 2
      } else if byte >= 0x20, byte < 0x7F {
        out.append(byte)
        at += 1
      } else {
        escape(scalar(in: value, at: &at), into: &out)
      }
    }
  }

  /// The text as a JSON string with its quotes, printable ASCII only.
  package static func quote(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    quote(text, into: &out)
    return out
  }

  /// Appends the text as a JSON string with its quotes, printable ASCII only. What stands for a lone
  /// surrogate becomes its escape again.
  package static func quote(_ text: String, into out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      if let half = SurrogateHalves.unit(of: scalar) {
        escape(half, into: &out)
      } else {
        quoteScalar(scalar, into: &out)
      }
    }
    out.append(UInt8(ascii: "\""))
  }

  /// Appends the repaired text of raw bytes (no JSON) as a JSON string with its quotes.
  package static func quote(utf8 bytes: UnsafeRawBufferPointer, into out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    var at = 0
    while at < bytes.count { quoteScalar(scalar(in: bytes, at: &at), into: &out) }
    out.append(UInt8(ascii: "\""))
  }

  private static func quoteScalar(_ scalar: Unicode.Scalar, into out: inout [UInt8]) {
    switch scalar {
    case "\"": out += [UInt8(ascii: "\\"), UInt8(ascii: "\"")]
    case "\\": out += [UInt8(ascii: "\\"), UInt8(ascii: "\\")]
    case "\n": out += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
    case "\r": out += [UInt8(ascii: "\\"), UInt8(ascii: "r")]
    case "\t": out += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
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
    let digits = Array("0123456789abcdef".utf8)
    out += [UInt8(ascii: "\\"), UInt8(ascii: "u")]
    for shift in [12, 8, 4, 0] { out.append(digits[Int(unit >> shift) & 0xF]) }
  }
}
