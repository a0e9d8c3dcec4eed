import LenientJSON

/// A guild the bot is in (contract 7.5). There are no member counts.
package struct Guild: WireReadable {
  /// Identity.
  package var id: String?
  /// Name.
  package var name: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: String? = nil, name: String? = nil
  ) {
    self.id = id
    self.name = name
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.id("id")
    name = fields.string("name")
  }
}

/// A channel of a guild (contract 7.5).
package struct Channel: WireReadable {
  /// Identity.
  package var id: String?
  /// Name.
  package var name: String?
  /// Text or voice.
  package var type: ChannelType?
  /// The category it stands under.
  package var category: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    id: String? = nil, name: String? = nil, type: ChannelType? = nil, category: String? = nil
  ) {
    self.id = id
    self.name = name
    self.type = type
    self.category = category
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    id = fields.id("id")
    name = fields.string("name")
    type = fields.word("type")
    category = fields.string("category")
  }
}

/// The type of a channel (contract 7.5).
package struct ChannelType: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// A text channel.
  package static let text = ChannelType(rawValue: "text")
  /// A voice channel.
  package static let voice = ChannelType(rawValue: "voice")
}
