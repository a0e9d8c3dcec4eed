/// The public tunnel as the bot sees it (contract 7.6).
struct Tunnel {
  var host: String
  var status = "ready"
  var startedMs: Int64
  var lastError = ""
  var pid: Int? = 4242

  func json(port: UInt16) -> DemoJSON {
    [
      "enabled": true, "provider": "cloudflared", "status": .string(status),
      "targetUrl": .string("http://127.0.0.1:\(port)"),
      "publicUrl": .string(status == "starting" || status == "idle" ? "" : "https://\(host)"),
      "pid": status == "ready" || status == "starting" ? .number(pid) : .null,
      "startedAt": .time(startedMs), "lastError": .string(lastError),
    ]
  }
}

/// The connection to Discord (contract 5.1).
struct Gateway {
  var connectedOnce = true
  var reconnecting = false
  var attempts = 0
  var lastEventMs: Int64?

  var json: DemoJSON {
    [
      "hasConnectedAtLeastOnce": .bool(connectedOnce), "reconnectInFlight": .bool(reconnecting),
      "reconnectAttempts": .int(attempts), "lastGatewayEventAt": .time(lastEventMs),
    ]
  }
}
