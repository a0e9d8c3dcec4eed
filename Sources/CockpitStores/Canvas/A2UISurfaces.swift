package import LenientJSON

/// The surfaces that an agent describes by messages of A2UI v0.8, a pure fold: `surfaceUpdate`, `dataModelUpdate`,
/// `beginRendering`, `deleteSurface`, one to a line of JSON.
package struct A2UISurfaces: Sendable {
  struct Surface: Sendable {
    var components: [String: A2UIComponent] = [:]
    var data: JSONValue = .object(JSONObject())
    /// The component that is drawn; nil before `beginRendering`.
    var root: String?
    var order: Int
  }

  private(set) var surfaces: [String: Surface] = [:]
  /// Lines that were no message, and components beyond `maximumComponents`.
  package private(set) var unreadable = 0
  private var count = 0

  static let maximumSurfaces = 16
  /// Components of one surface.
  static let maximumComponents = 1_000
  /// Bytes of one line.
  static let maximumLine = 2 << 20

  package init() {}

  /// Takes lines of JSON, one message each.
  package mutating func take(lines text: String) {
    for line in text.split(whereSeparator: \.isNewline) {
      guard line.contains(where: { $0 != " " }) else { continue }
      guard line.utf8.count <= Self.maximumLine, let value = try? JSONValue.parse(Array(line.utf8))
      else {
        unreadable += 1
        continue
      }
      take(value)
    }
  }

  /// Takes one message.
  package mutating func take(_ message: JSONValue) {
    if let update = message["surfaceUpdate"] {
      change(update) { surface, unreadable in
        for value in update["components"]?.array ?? [] {
          guard let id = value["id"]?.string, let component = A2UIComponent(value["component"]),
            surface.components[id] != nil || surface.components.count < Self.maximumComponents
          else {
            unreadable += 1
            continue
          }
          surface.components[id] = component
        }
      }
    } else if let update = message["dataModelUpdate"] {
      change(update) { surface, _ in
        let path = A2UIData.steps(update["path"]?.string ?? "")
        let new = A2UIData.object(update["contents"], depth: 0)
        surface.data = A2UIData.merged(surface.data, new, at: path[...], replaces: path.isEmpty)
      }
    } else if let start = message["beginRendering"] {
      change(start) { surface, unreadable in
        surface.root = start["root"]?.string
        if surface.root == nil { unreadable += 1 }
      }
    } else if let end = message["deleteSurface"]?["surfaceId"]?.string {
      surfaces[end] = nil
    } else {
      unreadable += 1
    }
  }

  private mutating func change(
    _ message: JSONValue, _ change: (inout Surface, inout Int) -> Void
  ) {
    guard let id = message["surfaceId"]?.string,
      surfaces[id] != nil || surfaces.count < Self.maximumSurfaces
    else {
      unreadable += 1
      return
    }
    count += 1
    var surface = surfaces[id] ?? Surface(order: count)
    change(&surface, &unreadable)
    surfaces[id] = surface
  }
}

/// The data of a surface: a tree of JSON, addressed by paths such as `/user/name`.
enum A2UIData {
  private static let maximumDepth = 16

  static func steps(_ path: String) -> [String] {
    path.prefix(1_000).split(separator: "/").prefix(maximumDepth).map(String.init)
  }

  /// What entries with a `key` and a `value…` say.
  static func object(_ contents: JSONValue?, depth: Int) -> JSONValue {
    var object = JSONObject()
    guard depth < maximumDepth else { return .object(object) }
    for entry in (contents?.array ?? []).prefix(1_000) {
      guard let key = entry["key"]?.string else { continue }
      let value =
        entry["valueString"] ?? entry["valueNumber"] ?? entry["valueBoolean"]
        ?? entry["valueMap"].map { Self.object($0, depth: depth + 1) }
      set(&object, key, value ?? .null)
    }
    return .object(object)
  }

  /// Puts the members of an object at a path; the others there stay, unless the whole is replaced.
  static func merged(
    _ old: JSONValue, _ new: JSONValue, at path: ArraySlice<String>, replaces: Bool
  ) -> JSONValue {
    guard !replaces else { return new }
    var object = old.object ?? JSONObject()
    guard let step = path.first else {
      for member in new.object?.members ?? [] { set(&object, member.key, member.value) }
      return .object(object)
    }
    set(
      &object, step, merged(object[step] ?? .null, new, at: path.dropFirst(), replaces: false))
    return .object(object)
  }

  private static func set(_ object: inout JSONObject, _ key: String, _ value: JSONValue) {
    if let place = object.members.firstIndex(where: { $0.key == key }) {
      object.members[place].value = value
    } else if object.members.count < 1_000 {
      object.members.append(.init(key: key, value: value))
    }
  }

  static func value(_ data: JSONValue, _ path: [String]) -> JSONValue? {
    path.reduce(Optional(data)) { value, step in
      if let list = value?.array {
        return Int(step).flatMap { list.indices.contains($0) ? list[$0] : nil }
      }
      return value?[step]
    }
  }
}
