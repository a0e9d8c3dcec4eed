/// A value that is read from the wire with tolerance: nil only when there is nothing to read,
/// otherwise whatever could be understood.
///
/// Two rules hold for all of them. A scalar that was missing, null or of the wrong type is nil,
/// never a made-up 0 or false. A list that was missing is empty, and so is an object that the
/// backend always sends. But a reply that is nothing but a list, and does not have it, is no such reply:
/// "there are none" is never made up either.
package protocol WireReadable: Hashable, Sendable {
  /// Nil when there is nothing to read.
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

/// A reply whose body is a bare array, such as `/api/guilds` (contract 9.2, trap 9).
package struct WireList<Row: WireReadable>: WireReadable {
  /// The good elements, in their order.
  package var rows: [Row]
  /// How many elements of the array were no such row and are left out.
  package var omitted: Int

  /// Memberwise.
  package init(rows: [Row] = [], omitted: Int = 0) {
    self.rows = rows
    self.omitted = omitted
  }

  /// Nil when the value is no array.
  package init?(_ json: JSONValue) {
    guard let array = json.array else { return nil }
    rows = array.compactMap(Row.init)
    omitted = array.count - rows.count
  }
}

extension JSONFields {
  /// An open word; an empty text means nothing (contract 9.2, trap 7).
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

  /// A list with the number of elements that were no rows.
  package func rows<Row>(
    _ name: String, of make: (JSONValue) -> Row?
  ) -> (rows: [Row], omitted: Int) { page(name, of: make) ?? ([], 0) }

  /// The list that a reply is about; nil when it has none.
  package func page<Row>(
    _ name: String, of make: (JSONValue) -> Row?
  ) -> (rows: [Row], omitted: Int)? {
    guard let array = value(name)?.array else { return nil }
    let rows = array.compactMap(make)
    return (rows, array.count - rows.count)
  }

  /// A time that is written either as text or as milliseconds since 1970 (contract 9.1, trap 2).
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

  /// A truth value that some rows write as 0 or 1.
  package func flag(_ names: String...) -> Bool? {
    for name in names {
      if let bool = bool(name) { return bool }
      switch int(name) {
      case 0: return false
      case 1: return true
      default: continue
      }
    }
    return nil
  }

  /// An object of whole numbers by name; members of other types are left out.
  package func counts(_ name: String) -> [String: Int] {
    members(name) { $0.int }
  }

  /// An object of truth values by name; members of other types are left out.
  package func flags(_ name: String) -> [String: Bool] {
    members(name) { $0.bool }
  }

  private func members<Value>(_ name: String, _ read: (JSONValue) -> Value?) -> [String: Value] {
    var values: [String: Value] = [:]
    for member in value(name)?.object?.members ?? [] { values[member.key] = read(member.value) }
    return values
  }
}

extension WireTime {
  /// The largest distance from 1970 that a JavaScript `Date` can hold, in milliseconds
  /// (ECMA-262, 21.4.1.1); a number beyond it is no time.
  package static let farthest: Int64 = 8_640_000_000_000_000
}

extension JSONValue {
  /// An object for a request body; members without a value are left out.
  package static func body(_ members: [(key: String, value: JSONValue?)]) -> JSONValue {
    .object(
      JSONObject(
        members: members.compactMap { key, value in
          value.map { JSONObject.Member(key: key, value: $0) }
        }))
  }

  /// A number for a request body; nil when JSON cannot hold it.
  package static func finite(_ double: Double) -> JSONValue? {
    double.isFinite ? .number(JSONNumber(text: "\(double)")) : nil
  }
}
