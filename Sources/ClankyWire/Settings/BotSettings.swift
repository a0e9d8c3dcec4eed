import LenientJSON

/// A whole answer of `/api/settings`: what was asked for, what it amounts to, and the version.
///
/// The backend stores what a body names and sets everything else to its default, so only a document
/// that was read without any loss may be changed and sent back; `flaw` says what was lost.
package struct BotSettings: Hashable, Sendable {
  /// What was asked for, as it was spelt: only settings that differ from their defaults.
  package var intent: JSONObject
  /// What it amounts to: every setting, normalised.
  package var effective: JSONObject
  /// Which providers, models and credentials that means; read only.
  package var bindings: JSONValue
  /// To be sent back letter by letter; empty in previews.
  package var version: String
  /// Whether a save reached the live sessions; nil where nothing was saved.
  package var isApplied: Bool?
  /// Why it did not.
  package var applyError: String?
  /// Why this must not be changed and sent back: one sentence; nil if it was read whole.
  package var flaw: String?

  package init(
    intent: JSONObject = JSONObject(), effective: JSONObject = JSONObject(),
    bindings: JSONValue = .null, version: String = "", isApplied: Bool? = nil,
    applyError: String? = nil, flaw: String? = nil
  ) {
    self.intent = intent
    self.effective = effective
    self.bindings = bindings
    self.version = version
    self.isApplied = isApplied
    self.applyError = applyError
    self.flaw = flaw
  }

  /// Reads an answer; nil if it contains no settings at all.
  package init?(body: [UInt8]) {
    guard let json = try? JSONValue.parse(body), let effective = json["effective"]?.object else {
      return nil
    }
    self.effective = effective
    intent = json["intent"]?.object ?? JSONObject()
    bindings = json["bindings"] ?? .null
    version = json[path: "_meta", "updatedAt"]?.string ?? ""
    isApplied = json[path: "_meta", "saveAppliedToRuntime"]?.bool
    applyError = json[path: "_meta", "saveApplyError"]?.string
    flaw = Self.flaw(of: json, body)
  }

  private static func flaw(of json: JSONValue, _ body: [UInt8]) -> String? {
    if String(validating: body, as: UTF8.self) == nil {
      return "The settings contain text that is no UTF-8, which cannot be sent back as it came."
    }
    guard let intent = json["intent"], case .object = intent else {
      return "The answer has no 'intent', so what was asked for is unknown."
    }
    guard case .string? = json[path: "_meta", "updatedAt"] else {
      return "The answer has no version, so a change could overwrite somebody else's."
    }
    return intent.loss
  }

  /// The body of a save: the whole document, with the version that it is based on.
  package static func body(_ intent: JSONObject, version: String) -> [UInt8] {
    var whole = intent
    whole.members.removeAll { $0.key == "_meta" }
    whole.members.append(
      .init(key: "_meta", value: .body([("expectedUpdatedAt", .string(version))])))
    return Array(JSONValue.object(whole).serialized().utf8)
  }

  /// Whether the setting differs from its default: `intent` has only those that do.
  package func differsFromDefault(_ path: SettingPath) -> Bool {
    intent.value(at: path) != nil
  }

  /// The release that it came from, as far as its members tell.
  package var dialect: BackendDialect? {
    if effective.value(at: SettingPath(["agentStack", "runtimeConfig", "minecraft"])) != nil {
      return .may
    }
    return effective.value(at: SettingPath(["interaction", "followup"])) != nil ? .march : nil
  }
}

extension JSONValue {
  /// What of the value did not survive reading, as one sentence; nil if all of it did.
  fileprivate var loss: String? {
    switch self {
    case .null, .bool: return nil
    case .number(let number):
      guard !number.double.isFinite else { return nil }
      return "The settings contain \(number.text), which is no JSON and cannot be sent back."
    case .string(let text):
      guard text == JSONParser.tooDeep else { return nil }
      return "The settings are nested too deeply to be read whole."
    case .array(let elements): return Self.loss(of: elements)
    case .object(let object):
      guard Set(object.members.map(\.key)).count == object.count else {
        return
          "A section of the settings names a member twice, so which one counts is not certain."
      }
      return Self.loss(of: object.members.map(\.value))
    }
  }

  /// The first one. A lazy search would look at each value twice, and so at a nested one 2^depth
  /// times.
  private static func loss(of values: [JSONValue]) -> String? {
    for value in values {
      if let loss = value.loss { return loss }
    }
    return nil
  }
}
