/// The shape of a value that clients send. Objects are closed: what is not named is refused.
indirect enum GatewayShape: Sendable {
  case any
  case text(min: Int = 0)
  case flag
  case whole(ClosedRange<Int>? = nil)
  case one([String])
  case list(GatewayShape)
  case object([Field])
  /// An object of any members, each of this shape.
  case map(GatewayShape)
  /// This, or null.
  case clearable(GatewayShape)

  struct Field: Sendable {
    var name: String
    var shape: GatewayShape
    var isRequired: Bool

    static func need(_ name: String, _ shape: GatewayShape) -> Field {
      Field(name: name, shape: shape, isRequired: true)
    }

    static func may(_ name: String, _ shape: GatewayShape) -> Field {
      Field(name: name, shape: shape, isRequired: false)
    }
  }

  /// What is wrong with `value`, as the real gateway's validator words it; nil when it fits. Protocol 4 names the
  /// first breach, 3 all of them.
  func problem(_ value: DemoJSON, version: Int) -> String? {
    var found: [String] = []
    check(value, "", version, &found)
    if found.isEmpty { return nil }
    return version == 3 ? found.joined(separator: "; ") : found[0]
  }

  private func check(_ value: DemoJSON, _ path: String, _ version: Int, _ found: inout [String]) {
    func say(_ words: String) { found.append(path.isEmpty ? words : "at \(path): \(words)") }
    switch self {
    case .any: break
    case .text(let min):
      guard let text = value.stringValue else { return say("must be string") }
      if text.utf16.count < min {
        say("must NOT have fewer than \(min) characters")
      }
    case .flag:
      if value.boolValue == nil { say("must be boolean") }
    case .whole(let range):
      guard case .int(let number) = value else { return say("must be integer") }
      if let range, number < range.lowerBound { say("must be >= \(range.lowerBound)") }
      if let range, number > range.upperBound { say("must be <= \(range.upperBound)") }
    case .one(let allowed):
      if let text = value.stringValue, allowed.contains(text) { break }
      if version == 3 {
        say("must be equal to constant")
        say("must match a schema in anyOf")
      } else {
        say("must be equal to one of the allowed values")
      }
    case .list(let shape):
      guard let items = value.arrayValue else { return say("must be array") }
      for (index, item) in items.enumerated() {
        shape.check(item, "\(path)/\(index)", version, &found)
      }
    case .map(let shape):
      guard case .object(let object) = value else { return say("must be object") }
      for member in object.members {
        shape.check(member.value, "\(path)/\(member.key)", version, &found)
      }
    case .clearable(let shape):
      if value != .null { shape.check(value, path, version, &found) }
    case .object(let fields):
      guard case .object(let object) = value else { return say("must be object") }
      for field in fields where field.isRequired && object[field.name] == nil {
        say("must have required property '\(field.name)'")
      }
      for member in object.members where !fields.contains(where: { $0.name == member.key }) {
        found.append(
          "at \(path.isEmpty ? "root" : path): unexpected property '\(member.key)'")
      }
      for field in fields {
        guard let inner = object[field.name] else { continue }
        field.shape.check(inner, "\(path)/\(field.name)", version, &found)
      }
    }
  }
}
