import LenientJSON

/// The body of `/api/health` (contract 3.2). It needs the token like everything else.
package struct HealthReply: WireReadable {
  /// True.
  package var ok: Bool?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    ok: Bool? = nil
  ) {
    self.ok = ok
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ok = fields.bool("ok")
  }
}

/// The body of `/api/oauth/status`, only from May on (contract 3.5).
package struct OAuthStatus: WireReadable {
  /// Whether an Anthropic account is connected.
  package var claudeOauth: Bool?
  /// Whether an OpenAI account is connected.
  package var openaiOauth: Bool?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    claudeOauth: Bool? = nil, openaiOauth: Bool? = nil
  ) {
    self.claudeOauth = claudeOauth
    self.openaiOauth = openaiOauth
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    claudeOauth = fields.bool("claude_oauth")
    openaiOauth = fields.bool("openai_oauth")
  }
}

/// The body of a successful fact edit (contract 6.3): the stored fact, whose text the backend may
/// have changed.
package struct FactReply: WireReadable {
  /// True.
  package var ok: Bool?
  /// The fact as stored.
  package var fact: Fact?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    ok: Bool? = nil, fact: Fact? = nil
  ) {
    self.ok = ok
    self.fact = fact
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ok = fields.bool("ok")
    fact = fields.object("fact")
  }
}

/// The body of a successful fact deletion (contract 6.3).
package struct DeleteReply: WireReadable {
  /// True.
  package var ok: Bool?
  /// Number of rows hidden.
  package var deleted: Int?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    ok: Bool? = nil, deleted: Int? = nil
  ) {
    self.ok = ok
    self.deleted = deleted
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    ok = fields.bool("ok")
    deleted = fields.int("deleted")
  }
}
