/// Steps over JSON tokens and checks their grammar (RFC 8259) without building anything.
///
/// Tolerated beyond the grammar, as in `JSONParser`: the words `NaN`, `Infinity` and `-Infinity`,
/// raw control characters in strings, and invalid UTF-8 (repaired when drawn). There is no
/// recursion, so depth costs one bit per level.
///
/// The bytes are borrowed: a cursor must not outlive the buffer it was made from.
@usableFromInline
package struct JSONCursor {
  @usableFromInline
  package let base: UnsafeRawPointer
  @usableFromInline
  package let count: Int
  /// The position of the next byte, and after a failure the place that is wrong.
  @usableFromInline
  package var at = 0

  /// Fails for an empty buffer: nothing at all is no JSON.
  package init?(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return nil }
    self.base = base
    self.count = bytes.count
  }

  /// The next byte; 0 at the end, which is never part of the grammar.
  @inlinable
  @inline(__always)
  package var byte: UInt8 { JSONSteps.byte(base, count, at) }

  /// Whether a nonempty string starts here.
  package var isAtText: Bool {
    let quote = UInt8(ascii: "\"")
    return byte == quote && JSONSteps.byte(base, count, at + 1) != quote
  }

  @inlinable
  @inline(__always)
  package mutating func skipSpace() { at = JSONSteps.space(base, count, at) }

  /// Goes where a step came out.
  @inline(__always)
  private mutating func go(_ end: Int) -> Bool {
    at = end < 0 ? ~end : end
    return end >= 0
  }

  /// Steps over the rest of a string; `at` is behind the opening quote before, behind the closing
  /// one after. Sets `escaped` when there is a backslash in it.
  package mutating func skipStringBody(escaped: inout Bool) -> Bool {
    go(JSONSteps.stringBody(base, count, at, &escaped))
  }

  /// Steps over a string without escapes; `at` is on its opening quote. Returns the bytes between
  /// the quotes, nil for anything else.
  package mutating func skipPlainString() -> UnsafeRawBufferPointer? {
    guard byte == UInt8(ascii: "\"") else { return nil }
    at += 1
    let start = at
    var isEscaped = false
    guard skipStringBody(escaped: &isEscaped), !isEscaped else { return nil }
    return UnsafeRawBufferPointer(start: base + start, count: at - 1 - start)
  }

  /// Steps over such a key, its colon and the space behind, up to its value.
  package mutating func skipPlainKey() -> UnsafeRawBufferPointer? {
    guard let key = skipPlainString() else { return nil }
    skipSpace()
    guard byte == UInt8(ascii: ":") else { return nil }
    at += 1
    skipSpace()
    return key
  }

  /// Steps over a number, or over `-Infinity`; `at` is on its first byte.
  package mutating func skipNumber() -> Bool { go(JSONSteps.number(base, count, at)) }

  /// Steps over any value; `at` is on its first byte.
  package mutating func skipValue() -> Bool { go(JSONSteps.value(base, count, at)) }

  /// Steps over an object or array; `at` is on its opening bracket.
  package mutating func skipContainer() -> Bool { go(JSONSteps.container(base, count, at)) }
}
