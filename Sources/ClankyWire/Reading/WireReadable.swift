import LenientJSON

/// A value read tolerantly from the wire: nil only if there is nothing to read, otherwise
/// everything that could be understood.
///
/// Two rules hold for all of them. A scalar that is missing, null or of the wrong type is nil,
/// never an invented 0 or false. A missing list is empty, and so is an object that the backend
/// always sends. But a reply that consists of a list and lacks it is invalid: "there are none" is
/// never invented either.
package protocol WireReadable: Hashable, Sendable {
  /// nil if there is nothing to read.
  init?(_ json: JSONValue)
}

/// A word from an enumeration that may grow: unknown words are kept as they came.
package protocol WireWord: RawRepresentable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
  /// Takes any word, known or not.
  init(rawValue: String)
}

extension WireWord {
  /// The word as it came.
  package var description: String { rawValue }
}

/// A reply whose body is a bare array, such as `/api/guilds` (contract 9.2).
package struct WireList<Row: WireReadable>: WireReadable {
  /// The good elements, in their order.
  package var rows: [Row]
  /// Number of unreadable array elements, which are left out.
  package var omitted: Int

  /// Memberwise.
  package init(rows: [Row] = [], omitted: Int = 0) {
    self.rows = rows
    self.omitted = omitted
  }

  /// nil if the value is no array.
  package init?(_ json: JSONValue) {
    guard let array = json.array else { return nil }
    rows = array.compactMap(Row.init)
    omitted = array.count - rows.count
  }
}

extension JSONFields {
  /// An open word; an empty text means nothing (contract 9.2).
  package func word<Word: WireWord>(_ names: String...) -> Word? {
    for name in names {
      if let text = string(name), !text.isEmpty { return Word(rawValue: text) }
    }
    return nil
  }

  /// A nested value.
  package func object<Value: WireReadable>(_ names: String...) -> Value? {
    for name in names {
      if let value = nested(name, as: Value.init) { return value }
    }
    return nil
  }

  /// A UTC timestamp, in milliseconds since 1970 (contract 4.1).
  package func time(_ names: String...) -> WireTime? {
    for name in names {
      if let time = string(name).flatMap(WireTime.init(iso:)) { return time }
    }
    return nil
  }

  /// A time that is written either as text or as milliseconds since 1970 (contract 9.1).
  package func moment(_ names: String...) -> WireTime? {
    for name in names {
      if let time = time(name) { return time }
      if let milliseconds = double(name), let whole = Int64(exactly: milliseconds.rounded()),
        whole.magnitude <= WireTime.farthest.magnitude
      {
        return WireTime(milliseconds: whole)
      }
    }
    return nil
  }
}

extension WireTime {
  /// The largest distance from 1970 that a JavaScript `Date` can hold, in milliseconds
  /// (ECMA-262, 21.4.1.1); a number beyond it is no time.
  package static let farthest: Int64 = 8_640_000_000_000_000
}
