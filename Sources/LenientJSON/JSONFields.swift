/// Reads the members of an object one by one; a member that is missing, null or of the wrong type
/// is simply not there, so one odd field costs itself and never its row (promise P3).
package struct JSONFields {
  private let object: JSONObject

  /// Fails when the value is no object: then there is no row at all.
  package init?(_ value: JSONValue) {
    guard let object = value.object else { return nil }
    self.object = object
  }

  /// The first of the names that holds a value other than null.
  package func value(_ names: String...) -> JSONValue? { first(names) { $0 } }

  /// Text; an empty string is preserved.
  package func string(_ names: String...) -> String? { first(names) { $0.string } }

  /// A Discord snowflake or other id. Ids are strings on the wire; of a number the digits are used.
  package func id(_ names: String...) -> String? {
    first(names) { value in
      switch value {
      case .string(let string): string.isEmpty ? nil : string
      case .number(let number): number.text == number.strictText ? number.text : nil
      default: nil
      }
    }
  }

  package func int(_ names: String...) -> Int? { first(names) { $0.int } }

  /// A finite number; NaN and the infinities count as missing (promise P11).
  package func double(_ names: String...) -> Double? {
    first(names) { $0.double.flatMap { $0.isFinite ? $0 : nil } }
  }

  package func bool(_ names: String...) -> Bool? { first(names) { $0.bool } }

  package func strings(_ names: String...) -> [String]? {
    first(names) { $0.array?.compactMap(\.string) }
  }

  /// The good elements of an array; bad ones are left out.
  package func list<Element>(_ names: String..., of make: (JSONValue) -> Element?) -> [Element]? {
    first(names) { $0.array?.compactMap(make) }
  }

  /// A nested object.
  package func nested<Value>(_ names: String..., as make: (JSONValue) -> Value?) -> Value? {
    first(names) { make($0) }
  }

  private func first<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> Value? {
    for name in names {
      if let value = object[name], value != .null, let read = read(value) { return read }
    }
    return nil
  }
}
