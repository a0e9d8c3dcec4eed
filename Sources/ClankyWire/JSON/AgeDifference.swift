extension UnsafeRawBufferPointer {
  /// Whether a JSON text differs from another one that was read in nothing but ages: members that the
  /// backend counts up while nothing happens (`ageMs`, `idleMs`, `msSince…`; contract 2.6, 6).
  ///
  /// Looks at bytes alone, so it is a tenth of the work of finding where the values end. True only
  /// where the text stands as the other does, number for number: then it is JSON if the other is.
  package func isSame(butForAgesAs other: UnsafeRawBufferPointer) -> Bool {
    var (at, twin, done) = (0, 0, 0)
    while true {
      let same = commonPrefix(at, other, twin)
      at += same
      twin += same
      if at == count || twin == other.count { return at == count && twin == other.count }
      // Back to where the number begins, which is the same in both.
      var start = at
      while start > done, Self.isDigit(self[start - 1]) { start -= 1 }
      let twinStart = twin - (at - start)
      guard isAge(at: start), let end = endOfNumber(at: start),
        let twinEnd = other.endOfNumber(at: twinStart)
      else { return false }
      (at, twin, done) = (end, twinEnd, end)
    }
  }

  /// How many bytes from two places on are the same, eight at a time.
  private func commonPrefix(_ start: Int, _ other: UnsafeRawBufferPointer, _ twin: Int) -> Int {
    let most = Swift.min(count - start, other.count - twin)
    guard most > 0, let left = baseAddress, let right = other.baseAddress else { return 0 }
    var length = 0
    while length &+ 8 <= most {
      let difference =
        left.loadUnaligned(fromByteOffset: start &+ length, as: UInt64.self)
        ^ right.loadUnaligned(fromByteOffset: twin &+ length, as: UInt64.self)
      guard difference == 0 else {
        return length &+ difference.littleEndian.trailingZeroBitCount / 8
      }
      length &+= 8
    }
    while length < most, self[start &+ length] == other[twin &+ length] { length &+= 1 }
    return length
  }

  /// Whether what stands here is the value of a member that is an age. A quote inside a text has a
  /// backslash before it, so neither this quote nor the key's other one can be of that kind.
  private func isAge(at value: Int) -> Bool {
    guard value >= 4, self[value - 1] == UInt8(ascii: ":"), self[value - 2] == UInt8(ascii: "\"")
    else { return false }
    let end = value - 2
    var start = end
    while start > 0, end - start < 40, Self.isLetter(self[start - 1]) { start -= 1 }
    guard start >= 2, self[start - 1] == UInt8(ascii: "\""),
      self[start - 2] == UInt8(ascii: ",") || self[start - 2] == UInt8(ascii: "{")
    else { return false }
    let key = self[start..<end]
    return key.elementsEqual("ageMs".utf8) || key.elementsEqual("idleMs".utf8)
      || key.starts(with: "msSince".utf8)
  }

  /// Where a whole number ends that anybody can read; nil when none stands here.
  private func endOfNumber(at start: Int) -> Int? {
    var end = start
    while end < count, Self.isDigit(self[end]) { end += 1 }
    guard (1...15).contains(end - start), end < count,
      self[start] != UInt8(ascii: "0") || end - start == 1
    else { return nil }
    let next = self[end]
    return next == UInt8(ascii: ",") || next == UInt8(ascii: "}") ? end : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
  private static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 < 26 }
}
