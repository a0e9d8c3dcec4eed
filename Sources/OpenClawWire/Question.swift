package import LenientJSON

/// An agent asks its owner; protocol 4 only.
package struct GatewayQuestion: Sendable, Equatable {
  /// One of the questions that are asked together.
  package struct Item: Sendable, Equatable {
    package var id: String
    package var header: String
    package var question: String
    package var options: [String]
    package var isMultiSelect: Bool
    /// Free text is taken too.
    package var isOther: Bool
    /// The answer must not be shown, kept or logged.
    package var isSecret: Bool

    package init?(_ value: JSONValue) {
      // Early versions of protocol 4 call it `id`.
      guard let fields = JSONFields(value), let id = fields.id("questionId", "id") else {
        return nil
      }
      self.id = id
      header = fields.string("header") ?? ""
      question = fields.string("question") ?? ""
      options = fields.list("options") { $0["label"]?.string } ?? []
      isMultiSelect = fields.bool("multiSelect") ?? false
      isOther = fields.bool("isOther") ?? false
      isSecret = fields.bool("isSecret") ?? false
    }
  }

  package var id: String
  package var items: [Item]
  package var agentId: String?
  package var sessionKey: String?
  package var status: String
  package var expiresAtMs: Int?

  /// The answers in a record are never read: those of secret questions are among them.
  package init?(_ value: JSONValue) {
    guard let fields = JSONFields(value), let id = fields.id("id") else { return nil }
    self.id = id
    items = fields.list("questions", of: Item.init) ?? []
    agentId = fields.string("agentId")
    sessionKey = fields.string("sessionKey")
    status = fields.string("status") ?? "pending"
    expiresAtMs = fields.int("expiresAtMs")
  }
}
