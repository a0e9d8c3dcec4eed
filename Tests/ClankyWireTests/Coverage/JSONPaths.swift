import LenientJSON

/// One step into a JSON value.
enum JSONStep: Hashable, CustomStringConvertible {
  case key(String)
  case index(Int)

  var description: String {
    switch self {
    case .key(let key): ".\(key)"
    case .index(let index): "[\(index)]"
    }
  }
}

extension JSONValue {
  /// The paths of all values within this one, containers included.
  var paths: [[JSONStep]] {
    switch self {
    case .object(let object):
      object.members.flatMap { member in
        [[.key(member.key)]] + member.value.paths.map { [.key(member.key)] + $0 }
      }
    case .array(let array):
      array.enumerated().flatMap { index, value in
        [[.index(index)]] + value.paths.map { [.index(index)] + $0 }
      }
    default: []
    }
  }

  func at(_ path: some Collection<JSONStep>) -> JSONValue? {
    switch path.first {
    case .key(let key)?: self[key]?.at(path.dropFirst())
    case .index(let index)?: array?[index].at(path.dropFirst())
    case nil: self
    }
  }

  /// The same with one value exchanged.
  func replacing(_ path: some Collection<JSONStep>, with value: JSONValue) -> JSONValue {
    switch (path.first, self) {
    case (.key(let key)?, .object(var object)):
      for index in object.members.indices where object.members[index].key == key {
        object.members[index].value = object.members[index].value
          .replacing(path.dropFirst(), with: value)
      }
      return .object(object)
    case (.index(let index)?, .array(var array)):
      array[index] = array[index].replacing(path.dropFirst(), with: value)
      return .array(array)
    default: return value
    }
  }

  /// Values of every type but this one's own, none of which could be meant for it. A number as text
  /// and a number for an id are tolerated (contract 4.2), so they are not among them.
  var wrongTypes: [JSONValue] {
    let object = JSONValue.object(
      JSONObject(members: [.init(key: "unexpected", value: .bool(true))]))
    switch self {
    case .string: return [.bool(true), .array([.array([])]), object]
    case .number:
      return [.bool(true), .string("many"), .array([.number(JSONNumber(text: "1"))]), object]
    case .bool:
      return [.string("true"), .number(JSONNumber(text: "2")), .array([.bool(true)]), object]
    case .array: return [.bool(true), .string("[]"), .number(JSONNumber(text: "1")), object]
    case .object:
      return [.bool(true), .string("{}"), .number(JSONNumber(text: "1")), .array([self])]
    case .null: return []
    }
  }
}
