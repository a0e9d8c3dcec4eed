internal import ClankyWire
internal import LenientJSON

extension LiveRow {
  /// A row that is made from an event of a gateway; `timeMs` is by the gateway's clock.
  init(
    _ kind: String, _ content: String, atMs timeMs: Int64, agent: String? = nil,
    session: String? = nil, user: String? = nil, cost: Double? = nil,
    _ metadata: [(key: String, value: JSONValue?)] = []
  ) {
    self.init(
      of: RowOrigin.gateway, kind, content, atMs: timeMs, agent: agent, session: session,
      user: user, cost: cost, metadata)
  }
}
