import LenientJSON

/// The body of `/api/settings` (contract 3.5), and of its 409 replies with `error` and `detail`
/// besides.
package struct SettingsEnvelope: WireReadable {
  /// The settings as stored; no documented shape.
  package var intent: JSONValue?
  /// The effective settings; no documented shape.
  package var effective: JSONValue?
  /// Credentials that the backend found in its environment.
  package var bindings: SettingsBindings
  /// The version of the settings.
  package var meta: SettingsMeta

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    intent: JSONValue? = nil, effective: JSONValue? = nil,
    bindings: SettingsBindings = SettingsBindings(), meta: SettingsMeta = SettingsMeta()
  ) {
    self.intent = intent
    self.effective = effective
    self.bindings = bindings
    self.meta = meta
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    intent = fields.value("intent")
    effective = fields.value("effective")
    bindings = fields.object("bindings") ?? SettingsBindings()
    meta = fields.object("_meta") ?? SettingsMeta()
  }
}

/// Credentials that the backend found in its environment (contract 3.5).
package struct SettingsBindings: WireReadable {
  /// Whether credentials were found, per provider.
  package var providerAuth: [String: Bool]

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    providerAuth: [String: Bool] = [:]
  ) {
    self.providerAuth = providerAuth
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    providerAuth = fields.flags("providerAuth")
  }
}

/// The version of the settings (contract 3.5).
package struct SettingsMeta: WireReadable {
  /// The version to send back as `_meta.expectedUpdatedAt`, letter by letter.
  package var updatedAt: String?
  /// Whether a save reached the running bot.
  package var saveAppliedToRuntime: Bool?
  /// Why it did not.
  package var saveApplyError: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    updatedAt: String? = nil, saveAppliedToRuntime: Bool? = nil, saveApplyError: String? = nil
  ) {
    self.updatedAt = updatedAt
    self.saveAppliedToRuntime = saveAppliedToRuntime
    self.saveApplyError = saveApplyError
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    updatedAt = fields.string("updatedAt")
    saveAppliedToRuntime = fields.bool("saveAppliedToRuntime")
    saveApplyError = fields.string("saveApplyError")
  }
}
