internal import LenientJSON

/// The bodies of requests for an answer.
enum ChatBody {
  /// The largest body that a gateway takes, bytes (OPENCLAW.md, 15).
  static let maximumBytes = 20_000_000

  static func bytes(
    _ turn: ChatTurn, model: String, interface: ChatInterface, isGateway: Bool
  ) -> [UInt8] {
    let messages = messages(of: turn)
    let body: JSONValue =
      switch interface {
      case .chat:
        .body([
          ("model", .string(model)), ("messages", .array(messages.map(completionMessage))),
          ("stream", .bool(true)), ("stream_options", .body([("include_usage", .bool(true))])),
        ])
      case .responses:
        .body([
          ("model", .string(model)),
          ("input", .array(messages.map { responseItem($0, isGateway: isGateway) })),
          ("stream", .bool(true)),
        ])
      }
    return Array(body.serialized().utf8)
  }

  /// The messages that are sent. Of those before the newest one images are only named.
  static func messages(of turn: ChatTurn) -> [ChatMessage] {
    guard case .client(let earlier) = turn.history else { return [turn.message] }
    return earlier.map { message in
      var message = message
      for image in message.images {
        message.text += message.text.isEmpty ? "" : "\n"
        message.text += "[image: \(image.name)]"
      }
      message.images = []
      return message
    } + [turn.message]
  }

  private static func completionMessage(_ message: ChatMessage) -> JSONValue {
    let role = ("role", JSONValue.string(message.role.rawValue))
    guard !message.images.isEmpty else {
      return .body([role, ("content", .string(message.text))])
    }
    let text = JSONValue.body([("type", .string("text")), ("text", .string(message.text))])
    let images = message.images.map { image in
      JSONValue.body([
        ("type", .string("image_url")),
        ("image_url", .body([("url", .string(dataURL(image)))])),
      ])
    }
    return .body([role, ("content", .array((message.text.isEmpty ? [] : [text]) + images))])
  }

  private static func responseItem(_ message: ChatMessage, isGateway: Bool) -> JSONValue {
    let head: [(key: String, value: JSONValue?)] = [
      ("type", .string("message")), ("role", .string(message.role.rawValue)),
    ]
    guard !message.images.isEmpty else {
      return .body(head + [("content", .string(message.text))])
    }
    let text = JSONValue.body([("type", .string("input_text")), ("text", .string(message.text))])
    let images = message.images.map { image in
      JSONValue.body([
        ("type", .string("input_image")),
        isGateway
          ? (
            "source",
            .body([
              ("type", .string("base64")), ("media_type", .string(image.mimeType)),
              ("data", .string(Base64.encoded(image.bytes))),
            ])
          ) : ("image_url", .string(dataURL(image))),
      ])
    }
    return .body(head + [("content", .array((message.text.isEmpty ? [] : [text]) + images))])
  }

  private static func dataURL(_ image: ChatImage) -> String {
    "data:\(image.mimeType);base64,\(Base64.encoded(image.bytes))"
  }
}
