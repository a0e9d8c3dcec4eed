/// One JSON value, as it came: numbers keep their spelling, objects keep their order.
///
/// Foundation's decoder rejects a whole document for one lone surrogate, one `NaN` or one branch
/// that is nested too deeply; here each of these costs only itself (promise P3). Wire types are
/// built from this tree with `JSONFields`.
package enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSONValue])
  case object(JSONObject)
}

/// A number with the spelling it had on the wire.
package struct JSONNumber: Hashable, Sendable {
  /// The digits as sent, such as `0.10595600000000001`, `1e400` or `NaN`.
  package let text: String

  package init(text: String) { self.text = text }

  /// The value as a double, infinite or NaN when the text says so or overflows.
  package var double: Double { Double(text) ?? .nan }

  /// The largest magnitude of a whole number that is read, a little over 2^53, which is all that a
  /// backend in JavaScript can mean. A thousand of them can be added, and one can be turned from
  /// seconds into milliseconds, without an overflow, which would end the program (promise P11).
  package static let farthestInt = Int.max / 1000

  /// The value when it is a whole number such as `3` or `3.0`, no farther from 0 than `farthestInt`.
  package var int: Int? {
    if let int = Int(text) { return int.magnitude <= Self.farthestInt.magnitude ? int : nil }
    let double = double
    return double == double.rounded() && abs(double) < 0x1p53 ? Int(double) : nil
  }
}

/// The members of an object in the order they came; a repeated key counts with its last value,
/// as in the reference clients' `JSON.parse`.
package struct JSONObject: Hashable, Sendable {
  /// One key and its value.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSONValue

    package init(key: String, value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  package var members: [Member]

  package init(members: [Member] = []) { self.members = members }

  package subscript(key: String) -> JSONValue? {
    members.last { $0.key == key }?.value
  }

  package var isEmpty: Bool { members.isEmpty }
  package var count: Int { members.count }
}

extension JSONValue {
  package var isNull: Bool { self == .null }

  package var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The text of a string; nil for other types.
  package var string: String? {
    if case .string(let string) = self { string } else { nil }
  }

  /// The number, even if it was sent as numeric text (contract 4.2).
  package var double: Double? {
    switch self {
    case .number(let number): number.double
    case .string(let string): Double(string)
    default: nil
    }
  }

  /// The whole number, even if it was sent as numeric text (contract 4.2).
  package var int: Int? {
    switch self {
    case .number(let number): number.int
    case .string(let string): JSONNumber(text: string).int
    default: nil
    }
  }

  package var array: [JSONValue]? {
    if case .array(let array) = self { array } else { nil }
  }

  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// A member of an object; nil if this is no object or has no such key.
  package subscript(key: String) -> JSONValue? { object?[key] }

  /// A member reached through several keys.
  package subscript(path path: String...) -> JSONValue? {
    var value: JSONValue? = self
    for key in path { value = value?[key] }
    return value
  }
}
