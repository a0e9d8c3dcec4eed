package import LenientJSON

/// One message of a gateway. Only what tells the kinds apart has to be there; all else may be missing
/// or unknown.
package enum GatewayFrame: Sendable {
  case response(GatewayResponse)
  case event(GatewayEvent)
  /// A kind of frame that later gateways have; its name.
  case unknown(type: String)

  /// nil when this is no frame at all.
  package init?(_ text: [UInt8]) {
    let parsed = text.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try JSONValue.parse(bytes) }
    }
    guard case .success(let value) = parsed, let fields = JSONFields(value),
      let type = fields.string("type")
    else { return nil }
    switch type {
    case "res":
      guard let id = fields.id("id") else { return nil }
      self = .response(
        GatewayResponse(
          id: id, isOK: fields.bool("ok") ?? (value["error"] == nil), payload: value["payload"],
          error: fields.nested("error", as: GatewayError.init)))
    case "event":
      guard let name = fields.string("event") else { return nil }
      self = .event(
        GatewayEvent(name: name, payload: value["payload"] ?? .null, sequence: fields.int("seq")))
    default: self = .unknown(type: type)
    }
  }
}

/// The answer to a request. One that failed may have both a payload and an error.
package struct GatewayResponse: Sendable {
  package var id: String
  package var isOK: Bool
  /// Any JSON: an object, a bare array, null.
  package var payload: JSONValue?
  package var error: GatewayError?
}

/// Something that the gateway tells by itself.
package struct GatewayEvent: Sendable {
  package var name: String
  package var payload: JSONValue
  /// Counts the events of this connection; absent for those that are sent to chosen connections.
  package var sequence: Int?

  package init(name: String, payload: JSONValue, sequence: Int?) {
    self.name = name
    self.payload = payload
    self.sequence = sequence
  }
}
