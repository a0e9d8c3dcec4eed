internal import LenientJSON

/// A component of A2UI v0.8, as far as a terminal shows it. Text in it is remote.
struct A2UIComponent: Sendable {
  /// Text, or where it stands in the data of the surface.
  enum Value: Sendable {
    case literal(String)
    case path(String)

    init?(_ value: JSONValue?) {
      if let literal = value?["literalString"]?.string ?? value?.string {
        self = .literal(literal)
      } else if let path = value?["path"]?.string {
        self = .path(path)
      } else if let literal = value?["literalNumber"] ?? value?["literalBoolean"] {
        self = .literal(literal.string ?? literal.serialized())
      } else {
        return nil
      }
    }
  }

  enum Children: Sendable {
    case ids([String])
    /// One component for each entry of a list of the data.
    case template(id: String, path: String)
  }

  /// Such as `Text`, `Row`, `Button`.
  let type: String
  let text: Value?
  let url: Value?
  let children: Children
  /// Such as `h1` and `body`.
  let hint: String
  /// `horizontal` or `vertical`; empty where it does not say.
  let direction: String

  /// The most children of one component.
  private static let maximumChildren = 200

  /// Nil where it is not an object of one member that names the type.
  init?(_ value: JSONValue?) {
    guard let member = value?.object?.members.first, member.value.object != nil else { return nil }
    type = member.key
    let fields = member.value
    text = Value(fields["text"] ?? fields["label"] ?? fields["description"] ?? fields["name"])
    url = Value(fields["url"])
    hint = fields["usageHint"]?.string ?? ""
    direction = (fields["direction"] ?? fields["axis"])?.string ?? ""
    if let template = fields["children"]?["template"],
      let id = template["componentId"]?.string, let path = template["dataBinding"]?.string
    {
      children = .template(id: id, path: path)
    } else {
      let list = fields["children"]?["explicitList"]?.array ?? fields["children"]?.array ?? []
      let ids = list.prefix(Self.maximumChildren).compactMap(\.string)
      children = .ids(ids.isEmpty ? [fields["child"]?.string].compactMap(\.self) : ids)
    }
  }
}
