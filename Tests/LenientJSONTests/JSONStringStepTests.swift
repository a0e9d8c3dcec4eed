import CByteMarks
import JSONTestKit
import LenientJSON
import Testing

/// Strings are stepped over sixty-four and sixteen bytes at a time; what is at the seams must be
/// seen as a look at one byte after the other sees it.
@Suite struct JSONStringStepTests {
  /// The end behind the closing quote, or nil, with the place that is wrong; byte by byte.
  private func plain(_ bytes: [UInt8]) -> (end: Int?, wrongAt: Int, escaped: Bool) {
    var at = 0
    var escaped = false
    while at < bytes.count {
      switch bytes[at] {
      case UInt8(ascii: "\""): return (at + 1, 0, escaped)
      case UInt8(ascii: "\\"):
        escaped = true
        guard at + 1 < bytes.count else { return (nil, at, escaped) }
        if Array("\"\\/bfnrt".utf8).contains(bytes[at + 1]) {
          at += 2
        } else if bytes[at + 1] == UInt8(ascii: "u"), at + 6 <= bytes.count,
          bytes[at + 2..<at + 6].allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
        {
          at += 6
        } else {
          return (nil, at, escaped)
        }
      default: at += 1
      }
    }
    return (nil, bytes.count, escaped)
  }

  private func expectSame(_ bytes: [UInt8]) {
    let expected = plain(bytes)
    bytes.withUnsafeBytes { buffer in
      guard var cursor = JSONCursor(buffer) else { return }
      var escaped = false
      let isWhole = cursor.skipStringBody(escaped: &escaped)
      #expect(
        isWhole == (expected.end != nil) && cursor.at == expected.end ?? expected.wrongAt,
        "\(String(decoding: bytes, as: UTF8.self)) ends at \(cursor.at)")
      if isWhole { #expect(escaped == expected.escaped) }
      // Whatever the processor has.
      guard let base = buffer.baseAddress else { return }
      let bytes = base.assumingMemoryBound(to: UInt8.self)
      for step in [cmarks_string_end, cmarks_string_end_plain] {
        let found = step(bytes, Int64(buffer.count), 0)
        #expect(found.end == Int64(expected.end ?? ~expected.wrongAt))
        if isWhole { #expect((found.escaped != 0) == expected.escaped) }
      }
    }
  }

  @Test(
    "every escape, right or broken, at every place of a string, whatever follows it",
    arguments: [
      "", "\\n", "\\\"", "\\\\", "\\\\\\\"", "\\u0041", "\\ud83d\\ude00", "\\x", "\\u00g0", "\\u12",
      "\\",
    ])
  func everySeam(escape: String) {
    for before in 0...134 {
      for after in [0, 1, 15, 16, 17, 31, 33, 63, 64, 65, 128] {
        let inside = Array(repeating: UInt8(ascii: "a"), count: before) + Array(escape.utf8)
        let rest = Array(repeating: UInt8(ascii: "b"), count: after)
        expectSame(inside + rest)  // never closed
        expectSame(inside + rest + Array("\"".utf8))  // closed by the last byte
        expectSame(inside + Array("\"".utf8) + rest)  // more behind it
      }
    }
  }

  @Test("strings of nothing but quotes, backslashes and letters", arguments: 0..<4)
  func random(seed: UInt64) {
    var random = RandomJSON(seed + 90)
    for _ in 0..<4_000 {
      let count = Int.random(in: 0...200, using: &random.random)
      expectSame((0..<count).map { _ in random.pick(Array("aaaaaaan\\u\"0f".utf8)) })
    }
  }
}
