import CockpitStores
import LenientJSON

/// A canvas as it is recorded: without its images, which may show what no redaction finds, and with long texts cut.
enum RecordedCanvas {
  /// Bytes of one text that are kept.
  static let maximumText = 4 << 10
  /// Bytes of a document that is kept whole.
  static let maximumBytes = 1 << 20

  /// Nil for a document that is no canvas, or that is too large even so.
  static func document(_ json: UnsafeRawBufferPointer) -> [UInt8]? {
    guard let value = try? JSONValue.parse(json), var object = value.object else { return nil }
    for place in object.members.indices where object.members[place].key == "elements" {
      let elements = object.members[place].value.array ?? []
      object.members[place].value = .array(elements.map(element))
    }
    let bytes = Array(JSONValue.object(object).serialized().utf8)
    return bytes.count <= maximumBytes ? bytes : nil
  }

  private static func element(_ value: JSONValue) -> JSONValue {
    guard var object = value.object else { return value }
    for place in object.members.indices {
      let member = object.members[place]
      if member.key == "content", let text = member.value.string {
        object.members[place].value = .string(shortened(text))
      } else if member.key == "style", let style = member.value.object {
        let members = style.members.map { style in
          JSONObject.Member(
            key: style.key, value: style.value.string.map { .string(shortened($0)) } ?? style.value)
        }
        object.members[place].value = .object(JSONObject(members: members))
      }
    }
    return .object(object)
  }

  private static func shortened(_ text: String) -> String {
    if CanvasDataURI.isOne(text) { return CanvasDataURI.omitted(text) ?? "data:image/,omitted" }
    return text.utf8.count > maximumText ? String(text.prefix(maximumText / 4)) + "…" : text
  }
}
