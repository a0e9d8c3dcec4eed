extension JSONFields {
  /// A list with the number of elements that were no rows.
  package func rows<Row>(
    _ name: String, of make: (JSONValue) -> Row?
  ) -> (rows: [Row], omitted: Int) { page(name, of: make) ?? ([], 0) }

  /// The list of a list reply; nil if it is missing.
  package func page<Row>(
    _ name: String, of make: (JSONValue) -> Row?
  ) -> (rows: [Row], omitted: Int)? {
    guard let array = value(name)?.array else { return nil }
    let rows = array.compactMap(make)
    return (rows, array.count - rows.count)
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
