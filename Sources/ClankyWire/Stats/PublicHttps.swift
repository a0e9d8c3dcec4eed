import LenientJSON

/// The public tunnel (contract 7.6).
package struct PublicHttps: WireReadable {
  /// Whether it is switched on.
  package var enabled: Bool?
  /// Such as `cloudflared`.
  package var provider: String?
  /// The status of the tunnel.
  package var status: TunnelStatus?
  /// The local address behind the tunnel.
  package var targetURL: String?
  /// The public address; empty for none, and possibly outdated while the status is not `ready`.
  package var publicURL: String?
  /// Process id of the tunnel program.
  package var pid: Int?
  /// When it was started.
  package var startedAt: WireTime?
  /// The last error; empty for none.
  package var lastError: String?

  /// Every parameter has a default, so that a fixture names only the relevant ones.
  package init(
    enabled: Bool? = nil, provider: String? = nil, status: TunnelStatus? = nil,
    targetURL: String? = nil, publicURL: String? = nil, pid: Int? = nil,
    startedAt: WireTime? = nil, lastError: String? = nil
  ) {
    self.enabled = enabled
    self.provider = provider
    self.status = status
    self.targetURL = targetURL
    self.publicURL = publicURL
    self.pid = pid
    self.startedAt = startedAt
    self.lastError = lastError
  }

  /// nil if the value is no object.
  package init?(_ json: JSONValue) {
    guard let fields = JSONFields(json) else { return nil }
    enabled = fields.bool("enabled")
    provider = fields.string("provider")
    status = fields.word("status")
    targetURL = fields.string("targetUrl")
    publicURL = fields.string("publicUrl")
    pid = fields.int("pid")
    startedAt = fields.time("startedAt")
    lastError = fields.string("lastError")
  }
}

/// The status of the tunnel (contract 7.6).
package struct TunnelStatus: WireWord {
  /// The word as it came.
  package let rawValue: String

  /// Takes any word, known or not.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// Switched off.
  package static let disabled = TunnelStatus(rawValue: "disabled")
  /// Not started yet.
  package static let idle = TunnelStatus(rawValue: "idle")
  /// Being started; there is no public address yet.
  package static let starting = TunnelStatus(rawValue: "starting")
  /// Up.
  package static let ready = TunnelStatus(rawValue: "ready")
  /// Failed; see `lastError`.
  package static let error = TunnelStatus(rawValue: "error")
  /// Ended on purpose.
  package static let stopped = TunnelStatus(rawValue: "stopped")
}

/// The body of `/api/public-https`: a tunnel, or `null` when there is no manager (contract 7.6).
package struct PublicHttpsReply: WireReadable {
  /// The tunnel; nil if the backend has no tunnel manager.
  package var tunnel: PublicHttps?

  /// Memberwise.
  package init(tunnel: PublicHttps? = nil) { self.tunnel = tunnel }

  /// nil if the value is neither an object nor null.
  package init?(_ json: JSONValue) {
    tunnel = PublicHttps(json)
    if tunnel == nil, !json.isNull { return nil }
  }
}
