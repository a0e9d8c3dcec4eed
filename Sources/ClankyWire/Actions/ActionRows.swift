import LenientJSON

/// Splits a list of stored rows without parsing them: the bare array of `/api/actions`, or the
/// payload of `activity_snapshot`, whose other half is `stats` (contract 2.4, 9.2).
package enum ActionRows {
  /// Results besides the rows.
  package struct Outcome: Hashable, Sendable {
    /// Elements passed on; each may still turn out not to be an action.
    package var rows = 0
    /// Pieces that are no values, stepped over up to the next comma of the list.
    package var badRows = 0
    /// Where the value of `stats` lies.
    package var stats: Range<Int>?
    /// Whether the payload ended as it should.
    package var isComplete = false

    package init() {}
  }

  /// Maximum elements passed on from one list; an honest one has 1,000 at most (contract 3.2).
  /// Further elements, which in a backend's list are the oldest rows, count as bad.
  static let rowLimit = 1 << 20

  /// Whether the body of an answer begins as a list. A word of refusal with status 200 is none.
  package static func isList(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "[")
  }

  /// Calls `each` with the range of every element, in the order they came. A broken element costs
  /// itself: the next one is found by counting brackets outside strings.
  package static func split(
    _ payload: UnsafeRawBufferPointer, _ each: (Range<Int>) -> Void
  ) -> Outcome {
    var outcome = Outcome()
    guard var cursor = JSONCursor(payload) else { return outcome }
    cursor.skipSpace()
    switch cursor.byte {
    case UInt8(ascii: "["): outcome.isComplete = elements(&cursor, &outcome, each)
    case UInt8(ascii: "{"): outcome.isComplete = envelope(&cursor, &outcome, each)
    default: return outcome
    }
    cursor.skipSpace()
    outcome.isComplete = outcome.isComplete && cursor.at == payload.count
    return outcome
  }

  private static func envelope(
    _ cursor: inout JSONCursor, _ outcome: inout Outcome, _ each: (Range<Int>) -> Void
  ) -> Bool {
    cursor.at += 1
    while true {
      cursor.skipSpace()
      if cursor.byte == UInt8(ascii: "}") {
        cursor.at += 1
        return true
      }
      guard cursor.byte == UInt8(ascii: "\"") else { return false }
      cursor.at += 1
      let start = cursor.at
      var escaped = false
      guard cursor.skipStringBody(escaped: &escaped) else { return false }
      let key = UnsafeRawBufferPointer(start: cursor.base + start, count: cursor.at - 1 - start)
      let name = key.count <= 64 ? JSONText.decode(key) : ""
      cursor.skipSpace()
      guard cursor.byte == UInt8(ascii: ":") else { return false }
      cursor.at += 1
      cursor.skipSpace()
      let value = cursor.at
      if name == "actions", cursor.byte == UInt8(ascii: "[") {
        guard elements(&cursor, &outcome, each) else { return false }
      } else {
        if !cursor.skipValue() {
          cursor.at = value
          resynchronise(&cursor)
        } else if name == "stats" {
          outcome.stats = value..<cursor.at
        }
      }
      cursor.skipSpace()
      if cursor.byte == UInt8(ascii: ",") { cursor.at += 1 }
    }
  }

  private static func elements(
    _ cursor: inout JSONCursor, _ outcome: inout Outcome, _ each: (Range<Int>) -> Void
  ) -> Bool {
    cursor.at += 1
    cursor.skipSpace()
    if cursor.byte == UInt8(ascii: "]") {
      cursor.at += 1
      return true
    }
    while cursor.at < cursor.count {
      cursor.skipSpace()
      let start = cursor.at
      let good = cursor.skipValue()
      let end = cursor.at
      cursor.skipSpace()
      if good, cursor.byte == UInt8(ascii: ",") || cursor.byte == UInt8(ascii: "]") {
        if outcome.rows < rowLimit {
          outcome.rows += 1
          each(start..<end)
        } else {
          outcome.badRows += 1
        }
      } else {
        outcome.badRows += 1
        cursor.at = start
        resynchronise(&cursor)
      }
      switch cursor.byte {
      case UInt8(ascii: ","): cursor.at += 1
      case UInt8(ascii: "]"):
        cursor.at += 1
        return true
      default: return false
      }
    }
    return false
  }

  /// Moves to the next comma or closing bracket that belongs to the list, or to the end.
  private static func resynchronise(_ cursor: inout JSONCursor) {
    var depth = 0
    while cursor.at < cursor.count {
      switch cursor.byte {
      case UInt8(ascii: "\""):
        cursor.at += 1
        stepOverString(&cursor)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return
      default: break
      }
      cursor.at += 1
    }
  }

  /// Steps over a string with possibly invalid escapes; an unterminated one extends to the end.
  private static func stepOverString(_ cursor: inout JSONCursor) {
    while cursor.at < cursor.count {
      switch cursor.byte {
      case UInt8(ascii: "\\"): cursor.at = min(cursor.at + 2, cursor.count)
      case UInt8(ascii: "\""):
        cursor.at += 1
        return
      default: cursor.at += 1
      }
    }
  }
}
