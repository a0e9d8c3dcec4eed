import LenientJSON

/// The body of `/api/memory` and `/api/memory/refresh` (contract 6.4). The text is untrusted.
package struct MemoryMarkdown: WireReadable {
  /// Its guild; nil for the file on disk, which may be outdated.
  package var guildID: String?
  /// The text.
  package var markdown: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    guildID: String? = nil, markdown: String? = nil
  ) {
    self.guildID = guildID
    self.markdown = markdown
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    guildID = fields.id("guildId")
    markdown = fields.string("markdown")
  }
}
