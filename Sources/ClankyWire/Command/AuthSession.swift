import LenientJSON

/// The body of `/api/auth/session` (contract 1.5).
package struct AuthSession: WireReadable {
  /// Whether this request was let in.
  package var authenticated: Bool?
  /// Whether the backend has a token.
  package var requiresToken: Bool?
  /// Whether the tunnel is switched on.
  package var publicHttpsEnabled: Bool?
  /// How this request was authenticated.
  package var authMethod: AuthMethod?
  /// The backend's configuration error.
  package var configurationError: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    authenticated: Bool? = nil, requiresToken: Bool? = nil, publicHttpsEnabled: Bool? = nil,
    authMethod: AuthMethod? = nil, configurationError: String? = nil
  ) {
    self.authenticated = authenticated
    self.requiresToken = requiresToken
    self.publicHttpsEnabled = publicHttpsEnabled
    self.authMethod = authMethod
    self.configurationError = configurationError
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    authenticated = fields.bool("authenticated")
    requiresToken = fields.bool("requiresToken")
    publicHttpsEnabled = fields.bool("publicHttpsEnabled")
    authMethod = fields.word("authMethod")
    configurationError = fields.string("configurationError")
  }
}

/// How a request was authenticated (contract 1.5).
package struct AuthMethod: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// It was not.
  package static let none = AuthMethod(rawValue: "none")
  /// The backend has no token and is open.
  package static let openLocal = AuthMethod(rawValue: "open_local")
  /// By the token in the header.
  package static let header = AuthMethod(rawValue: "header")
  /// By cookie.
  package static let session = AuthMethod(rawValue: "session")
}
