/// A JSON value that remembers the order of object keys.
///
/// The backend serialises objects in the order its program built them. Clients must not depend on
/// that order, which tests prove by sending the same one.
package indirect enum DemoJSON: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  /// A string given as UTF-16 code units, so that unpaired surrogates survive (contract 9.5).
  case units([UInt16])
  case array([DemoJSON])
  case object(Object)
  /// Bytes that already are compact JSON.
  case raw([UInt8])

  /// An ordered list of members.
  package struct Object: Sendable, Equatable {
    /// One key with its value.
    package struct Member: Sendable, Equatable {
      /// The key, unescaped.
      package var key: String
      /// The value.
      package var value: DemoJSON
    }

    /// The members in wire order.
    package var members: [Member]

    package init(_ members: [Member] = []) {
      self.members = members
    }

    /// The value stored under `key`; setting appends a new key or replaces the first one.
    package subscript(key: String) -> DemoJSON? {
      get { members.first { $0.key == key }?.value }
      set {
        if let index = members.firstIndex(where: { $0.key == key }) {
          if let newValue {
            members[index].value = newValue
          } else {
            members.remove(at: index)
          }
        } else if let newValue {
          members.append(Member(key: key, value: newValue))
        }
      }
    }
  }
}

extension DemoJSON: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .int(value) }
  package init(floatLiteral value: Double) { self = .double(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: DemoJSON...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }
  package init(dictionaryLiteral elements: (String, DemoJSON)...) {
    self = .object(Object(elements.map { Object.Member(key: $0.0, value: $0.1) }))
  }
}

extension DemoJSON {
  /// A string, or null when `value` is nil.
  static func text(_ value: String?) -> DemoJSON { value.map { .string($0) } ?? .null }
  /// An integer, or null when `value` is nil.
  static func number(_ value: Int?) -> DemoJSON { value.map { .int($0) } ?? .null }
  /// A timestamp in milliseconds since 1970 as the backend's UTC text (contract 4.1), or null.
  static func time(_ ms: Int64?) -> DemoJSON { ms.map { .string(DemoTime.iso($0)) } ?? .null }
  /// A list of strings.
  static func strings(_ values: [String]) -> DemoJSON { .array(values.map { .string($0) }) }

  /// The member `key` of an object, else nil.
  package subscript(key: String) -> DemoJSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The text of a string value, else nil.
  package var stringValue: String? {
    switch self {
    case .string(let value): value
    case .units(let units): String(decoding: units, as: UTF16.self)
    default: nil
    }
  }

  /// A truth value, else nil.
  package var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The value of a number, else nil.
  package var doubleValue: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The elements of a list, else nil.
  package var arrayValue: [DemoJSON]? {
    if case .array(let values) = self { return values }
    return nil
  }

  /// This object with `key` set to `value`; other values are returned unchanged.
  func setting(_ key: String, _ value: DemoJSON) -> DemoJSON {
    guard case .object(var object) = self else { return self }
    object[key] = value
    return .object(object)
  }

  /// This object with the members of `other` appended; other values are returned unchanged.
  func merging(_ other: DemoJSON) -> DemoJSON {
    guard case .object(var object) = self, case .object(let more) = other else { return self }
    for member in more.members { object[member.key] = member.value }
    return .object(object)
  }

  /// This object without `keys`; other values are returned unchanged.
  func removing(_ keys: [String]) -> DemoJSON {
    guard case .object(var object) = self else { return self }
    object.members.removeAll { keys.contains($0.key) }
    return .object(object)
  }
}
