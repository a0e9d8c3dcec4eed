/// Decides whether a match in JSON stands alone or is part of a longer word.
enum WordEdges {
  static func isLetter(_ byte: UInt8) -> Bool {
    (0x41...0x5A).contains(byte & 0xDF)
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    isLetter(byte) || (0x30...0x39).contains(byte)
  }

  static func surround(_ range: Range<Int>, in data: UnsafeRawBufferPointer) -> Bool {
    if range.upperBound < data.count, isInWord(data[range.upperBound]) { return false }
    guard range.lowerBound > 0, isInWord(data[range.lowerBound - 1]) else { return true }
    // The text before it may be an escape, such as `
    // ` or `\u000a` (RFC 8259 section 7).
    return [2, 6].contains { length in
      let start = range.lowerBound - length
      guard start >= 0, data[start] == 0x5C, length == 2 || data[start + 1] == UInt8(ascii: "u")
      else { return false }
      // In a run of backslashes every other one starts an escape.
      var before = start
      while before > 0, data[before - 1] == 0x5C { before -= 1 }
      return (start - before).isMultiple(of: 2)
    }
  }
}
