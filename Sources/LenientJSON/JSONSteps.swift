public import CByteMarks

/// Steps over JSON tokens like `JSONCursor`, with the position as a plain value that is passed in
/// and returned, so that it stays in a register: one action takes some hundred steps, and there are
/// thousands of actions per second.
///
/// Every step returns the position after the token, or `~` of the invalid position, which is
/// negative. `base` must hold `count` bytes; no step reads beyond them.
///
/// Work per byte or token is inlinable, because the action scanner is in another target.
@usableFromInline
package enum JSONSteps {
  /// The byte at a position; 0 at the end, which is never part of the grammar.
  @inlinable
  @inline(__always)
  package static func byte(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> UInt8 {
    at < count ? base.load(fromByteOffset: at, as: UInt8.self) : 0
  }

  /// The position of the next byte that is no white space. Compact JSON has none, so one look is
  /// nearly always enough.
  @inlinable
  @inline(__always)
  package static func space(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> Int {
    guard at < count, base.load(fromByteOffset: at, as: UInt8.self) <= 0x20 else { return at }
    return longSpace(base, count, at)
  }

  @inline(never)
  @usableFromInline
  static func longSpace(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
    var at = start
    while at < count {
      switch base.load(fromByteOffset: at, as: UInt8.self) {
      case 0x20, 0x0A, 0x0D, 0x09: at &+= 1
      default: return at
      }
    }
    return at
  }

  // MARK: strings

  /// Steps over the rest of a string; `start` is after the opening quote. Sets `escaped` if it
  /// contains a backslash.
  ///
  /// Most strings end within sixteen bytes, and nearly all others (ids and times among them) within
  /// thirty-two, so only those are handled inline.
  @inlinable
  @inline(__always)
  package static func stringBody(
    _ base: UnsafeRawPointer, _ count: Int, _ start: Int, _ escaped: inout Bool
  ) -> Int {
    var at = start
    // Sixteen bytes are read where there are sixteen before `count`, and the byte that was hit is
    // one of them.
    if at &+ 16 <= count {
      var first = Int(cmarks_first_of_16(base + at, quote, backslash))
      at &+= first
      if first == 16, at &+ 16 <= count {
        first = Int(cmarks_first_of_16(base + at, quote, backslash))
        at &+= first
      }
      if first < 16, base.load(fromByteOffset: at, as: UInt8.self) == quote { return at &+ 1 }
    }
    let long = cmarks_string_end(base.assumingMemoryBound(to: UInt8.self), Int64(count), Int64(at))
    if long.escaped != 0 { escaped = true }
    return Int(long.end)
  }

  @inlinable
  static var quote: UInt8 { UInt8(ascii: "\"") }
  @inlinable
  static var backslash: UInt8 { UInt8(ascii: "\\") }

  // MARK: numbers and words

  /// Steps over a number or a word; `at` is on its first byte.
  @inlinable
  @inline(__always)
  package static func atom(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> Int {
    let first = byte(base, count, at)
    switch first {
    case UInt8(ascii: "n"): return word("null", base, count, at)
    case UInt8(ascii: "t"): return word("true", base, count, at)
    case UInt8(ascii: "f"): return word("false", base, count, at)
    default: break
    }
    // Whole numbers are nearly all there are.
    if first &- UInt8(ascii: "1") < 9 {
      var end = at &+ 1
      while end < count {
        let next = base.load(fromByteOffset: end, as: UInt8.self)
        if next &- 0x30 >= 10 {
          if next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") { break }
          return end
        }
        end &+= 1
      }
    }
    return rareAtom(base, count, at)
  }

  @inline(never)
  @usableFromInline
  static func rareAtom(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> Int {
    switch byte(base, count, at) {
    case UInt8(ascii: "N"): word("NaN", base, count, at)
    case UInt8(ascii: "I"): word("Infinity", base, count, at)
    default: number(base, count, at)
    }
  }

  @inlinable
  @inline(__always)
  package static func digits(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
    var at = start
    while at < count, base.load(fromByteOffset: at, as: UInt8.self) &- 0x30 < 10 { at &+= 1 }
    return at
  }

  /// Steps over a number, or over `-Infinity`; `start` is on its first byte.
  @usableFromInline
  static func number(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
    var at = start
    if byte(base, count, at) == UInt8(ascii: "-") { at &+= 1 }
    switch byte(base, count, at) {
    case UInt8(ascii: "0"): at &+= 1
    case UInt8(ascii: "1")...UInt8(ascii: "9"): at = digits(base, count, at)
    case UInt8(ascii: "I"): return word("Infinity", base, count, at)
    default: return ~at
    }
    if byte(base, count, at) == UInt8(ascii: ".") {
      let end = digits(base, count, at &+ 1)
      guard end > at &+ 1 else { return ~end }
      at = end
    }
    if byte(base, count, at) | 0x20 == UInt8(ascii: "e") {
      at &+= 1
      let sign = byte(base, count, at)
      if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { at &+= 1 }
      let end = digits(base, count, at)
      guard end > at else { return ~at }
      at = end
    }
    // The token must end here: `01` and `1.2.3` are no numbers.
    let next = byte(base, count, at)
    return next &- 0x30 < 10 || next == UInt8(ascii: ".") ? ~at : at
  }

  /// Steps over a fixed word.
  @inlinable
  @inline(__always)
  package static func word(
    _ word: StaticString, _ base: UnsafeRawPointer, _ count: Int, _ at: Int
  ) -> Int {
    let length = word.utf8CodeUnitCount
    guard at &+ length <= count else { return ~at }
    for index in 0..<length
    where base.load(fromByteOffset: at &+ index, as: UInt8.self) != word.utf8Start[index] {
      return ~at
    }
    return at &+ length
  }

  // MARK: values

  /// Steps over any value; `at` is on its first byte.
  @inlinable
  @inline(__always)
  package static func value(_ base: UnsafeRawPointer, _ count: Int, _ at: Int) -> Int {
    switch byte(base, count, at) {
    case UInt8(ascii: "{"), UInt8(ascii: "["): return container(base, count, at)
    case UInt8(ascii: "\""):
      var escaped = false
      return stringBody(base, count, at &+ 1, &escaped)
    default: return atom(base, count, at)
    }
  }

  /// Steps over an object or array; `start` is on its opening bracket.
  @usableFromInline
  package static func container(_ base: UnsafeRawPointer, _ count: Int, _ start: Int) -> Int {
    var nesting = Nesting()
    var escaped = false
    var at = start
    // Behind an opening bracket.
    opening: while true {
      var inObject = base.load(fromByteOffset: at, as: UInt8.self) == UInt8(ascii: "{")
      nesting.push(inObject)
      at = space(base, count, at &+ 1)
      var next = byte(base, count, at)
      var isEmpty = next == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
      // Before a member or an element.
      while true {
        if !isEmpty {
          if inObject {
            guard next == UInt8(ascii: "\"") else { return ~at }
            at = stringBody(base, count, at &+ 1, &escaped)
            if at < 0 { return at }
            at = space(base, count, at)
            guard byte(base, count, at) == UInt8(ascii: ":") else { return ~at }
            at = space(base, count, at &+ 1)
            next = byte(base, count, at)
          }
          if next == UInt8(ascii: "\"") {
            at = stringBody(base, count, at &+ 1, &escaped)
          } else if next == UInt8(ascii: "{") || next == UInt8(ascii: "[") {
            continue opening
          } else {
            at = atom(base, count, at)
          }
          if at < 0 { return at }
          at = space(base, count, at)
          next = byte(base, count, at)
        }
        // After a value: brackets close, a comma continues.
        while next != UInt8(ascii: ",") || isEmpty {
          guard next == (inObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else { return ~at }
          isEmpty = false
          at &+= 1
          if nesting.pop() { return at }
          inObject = nesting.isObject
          at = space(base, count, at)
          next = byte(base, count, at)
        }
        at = space(base, count, at &+ 1)
        next = byte(base, count, at)
      }
    }
  }
}

/// The open containers, a bit each: 1 is an object. Sixty-four levels without an allocation.
private struct Nesting {
  private var top: UInt64 = 0
  private var depth = 0
  // nil until needed: an empty array would be released at the end of each container.
  private var deeper: [UInt64]?

  @inline(__always)
  mutating func push(_ isObject: Bool) {
    if depth & 63 == 0, depth > 0 { push(deeper: top) }
    top = top &<< 1 | (isObject ? 1 : 0)
    depth &+= 1
  }

  private mutating func push(deeper word: UInt64) {
    if deeper == nil { deeper = [] }
    deeper?.append(word)
  }

  /// Closes one; true when it was the outermost.
  @inline(__always)
  mutating func pop() -> Bool {
    depth &-= 1
    top = top &>> 1
    if depth & 63 == 0, depth > 0 { top = deeper?.popLast() ?? 0 }
    return depth == 0
  }

  @inline(__always)
  var isObject: Bool { top & 1 == 1 }
}
