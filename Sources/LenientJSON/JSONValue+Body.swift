extension JSONValue {
  /// An object for a request body; members without a value are left out.
  package static func body(_ members: [(key: String, value: JSONValue?)]) -> JSONValue {
    .object(
      JSONObject(
        members: members.compactMap { key, value in
          value.map { JSONObject.Member(key: key, value: $0) }
        }))
  }

  /// A whole number.
  package static func integer(_ value: some BinaryInteger) -> JSONValue {
    .number(JSONNumber(text: "\(value)"))
  }

  /// A number for a request body; nil if JSON cannot represent it.
  package static func finite(_ double: Double) -> JSONValue? {
    double.isFinite ? .number(JSONNumber(text: "\(double)")) : nil
  }
}
