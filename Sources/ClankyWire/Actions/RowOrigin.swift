import LenientJSON

/// What made a row: a bot, or a source that writes its events as rows of the same log.
package enum RowOrigin {
  /// The value of a row's `metadata.source` if it was made from events of an OpenClaw gateway.
  package static let gateway = "openclaw"

  /// Whether a row was made from events of a gateway.
  package static func isGateway(_ metadata: JSONValue) -> Bool {
    metadata["source"]?.string == gateway
  }
}
