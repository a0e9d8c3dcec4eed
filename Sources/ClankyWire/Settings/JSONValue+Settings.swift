import LenientJSON

/// Why a setting cannot be put into a document.
package enum SettingPathProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// Something else than a section stands in the way.
  case notSection(SettingPath)
  /// The path has no key.
  case empty

  package var description: String {
    switch self {
    case .notSection(let path):
      "\(path) is a value and no section, so nothing can be put into it; change \(path) itself."
    case .empty: "The whole document cannot be replaced by one value; name a setting."
    }
  }
}

extension JSONObject {
  /// The value at a path; nil where there is none.
  package func value(at path: SettingPath) -> JSONValue? {
    var value = JSONValue.object(self)
    for key in path.keys {
      guard let next = value[key] else { return nil }
      value = next
    }
    return value
  }

  /// Sets the value at a path, and appends missing sections. Other members keep value and order.
  package func setting(
    _ path: SettingPath, to value: JSONValue
  ) throws(SettingPathProblem) -> JSONObject {
    try setting(path.keys[...], to: value, all: path)
  }

  /// Takes a value away, and the sections that have nothing left in them.
  package func removing(_ path: SettingPath) -> JSONObject { removing(path.keys[...]) }

  private func setting(
    _ keys: ArraySlice<String>, to value: JSONValue, all: SettingPath
  ) throws(SettingPathProblem) -> JSONObject {
    guard let key = keys.first else { throw .empty }
    var copy = self
    let index = members.lastIndex { $0.key == key }
    var inner = value
    if keys.count > 1 {
      var section = JSONObject()
      if let index {
        guard case .object(let object) = members[index].value else {
          throw .notSection(SettingPath(Array(all.keys.prefix(all.keys.count - keys.count + 1))))
        }
        section = object
      }
      inner = .object(try section.setting(keys.dropFirst(), to: value, all: all))
    }
    if let index {
      copy.members[index].value = inner
    } else {
      copy.members.append(Member(key: key, value: inner))
    }
    return copy
  }

  private func removing(_ keys: ArraySlice<String>) -> JSONObject {
    guard let key = keys.first, let index = members.lastIndex(where: { $0.key == key }) else {
      return self
    }
    var copy = self
    if keys.count > 1 {
      guard case .object(let section) = members[index].value else { return self }
      let left = section.removing(keys.dropFirst())
      guard left.isEmpty, !section.isEmpty else {
        copy.members[index].value = .object(left)
        return copy
      }
    }
    copy.members.remove(at: index)
    return copy
  }
}

extension JSONValue {
  /// Equality as in JavaScript: numbers by value, objects in any order of keys, strings by UTF-16 units
  /// (no Unicode normalisation).
  package func meansSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)):
      left.text == right.text || left.double == right.double
    case (.string(let left), .string(let right)): left.isIdentical(to: right)
    case (.array(let left), .array(let right)):
      left.count == right.count && zip(left, right).allSatisfy { $0.meansSame(as: $1) }
    case (.object(let left), .object(let right)):
      left.count == right.count
        && left.members.allSatisfy { member in
          right[member.key].map { $0.meansSame(as: member.value) } ?? false
        }
    default: false
    }
  }
}

extension JSONValue? {
  /// The same for values that may be missing.
  package func meansSame(as other: JSONValue?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (let left?, let right?): left.meansSame(as: right)
    default: false
    }
  }
}
