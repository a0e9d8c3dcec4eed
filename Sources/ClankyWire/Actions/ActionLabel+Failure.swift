import LenientJSON

extension ActionLabel {
  /// Whether metadata reports a failure that kind and event do not show: `isError: true`, an error
  /// text without a usable `isError`, or a `runStatus` or `status` of `error` or `failed` (contract
  /// 4.1, 4.4 and 9.3).
  ///
  /// Called for every row of some kinds, so members are stepped over in place; only unusual
  /// spellings are parsed into a tree.
  package static func reportsFailure(_ metadata: UnsafeRawBufferPointer) -> Bool {
    steppedFailure(metadata) ?? parsedFailure(metadata)
  }

  /// The same, from the tree.
  static func parsedFailure(_ metadata: UnsafeRawBufferPointer) -> Bool {
    guard let tree = try? JSONValue.parse(metadata) else { return false }
    if let isError = tree["isError"]?.bool {
      if isError { return true }
    } else {
      for key in ["error", "errorMessage"] where tree[key]?.string?.isEmpty == false { return true }
    }
    for key in ["runStatus", "status"] {
      if let status = tree[key]?.string, status == "error" || status == "failed" { return true }
    }
    return false
  }

  /// The same from the bytes; for a repeated key the last value counts, as in the tree. nil if the
  /// bytes are no object, are broken, are so large that the tree might be rejected, or contain a
  /// relevant escape.
  private static func steppedFailure(_ metadata: UnsafeRawBufferPointer) -> Bool? {
    // A value takes a byte at least.
    guard metadata.count < JSONParser.maxValues, var cursor = JSONCursor(metadata) else {
      return nil
    }
    cursor.skipSpace()
    guard cursor.byte == UInt8(ascii: "{") else { return nil }
    cursor.at += 1
    cursor.skipSpace()
    if cursor.byte == UInt8(ascii: "}") { return ends(&cursor) ? false : nil }
    var (runFailed, failed) = (false, false)
    var isError: Bool?
    var (hasError, hasMessage) = (false, false)
    while true {
      guard let key = cursor.skipPlainKey() else { return nil }
      let first = cursor.byte
      if equal(key, "isError") {
        isError = first == UInt8(ascii: "t") ? true : first == UInt8(ascii: "f") ? false : nil
      } else if equal(key, "error") {
        hasError = cursor.isAtText
      } else if equal(key, "errorMessage") {
        hasMessage = cursor.isAtText
      } else if equal(key, "status") || equal(key, "runStatus") {
        var says = false
        if first == UInt8(ascii: "\"") {
          var ahead = cursor
          guard let status = ahead.skipPlainString() else { return nil }
          says = equal(status, "error") || equal(status, "failed")
        }
        if key.count == 6 { failed = says } else { runFailed = says }
      }
      guard cursor.skipValue() else { return nil }
      cursor.skipSpace()
      if cursor.byte == UInt8(ascii: "}") {
        guard ends(&cursor) else { return nil }
        return isError ?? (hasError || hasMessage) || runFailed || failed
      }
      guard cursor.byte == UInt8(ascii: ",") else { return nil }
      cursor.at += 1
      cursor.skipSpace()
    }
  }

  /// Steps over the last brace; whether only white space follows.
  private static func ends(_ cursor: inout JSONCursor) -> Bool {
    cursor.at += 1
    cursor.skipSpace()
    return cursor.at == cursor.count
  }

  @inline(__always)
  private static func equal(_ bytes: UnsafeRawBufferPointer, _ word: StaticString) -> Bool {
    guard bytes.count == word.utf8CodeUnitCount else { return false }
    for index in 0..<bytes.count where bytes[index] != word.utf8Start[index] { return false }
    return true
  }
}
