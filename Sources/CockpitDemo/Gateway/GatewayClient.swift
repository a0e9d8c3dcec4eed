/// One connection, as the gateway's world knows it.
final class GatewayClient {
  let id: Int
  let link: GatewayLink
  let connID: String
  /// What its signature must hold; used once.
  let nonce: String
  var isNonceUsed = false
  /// Whether hello-ok was sent.
  var isConnected = false
  /// Whether the gateway has given it up; nothing of it counts any more.
  var isClosing = false

  var deviceID: String?
  var name = ""
  var clientID = ""
  var role = "operator"
  /// Scopes as they were asked for.
  var scopes: [String] = []
  var caps: Set<String> = []
  /// What it carries out as a node.
  var commands: [String] = []
  /// What it showed of itself in `client`.
  var client: DemoJSON = [:]

  var subscribesSessions = false
  /// Sessions whose messages it follows, and whether with their approvals.
  var followed: [String: Bool] = [:]

  /// Broadcast events so far (contract 2).
  private(set) var sequence = 0
  /// Refused calls, by method: repeated ones close the socket.
  var refusals: [String: Int] = [:]
  var faults = ClientFaults()

  init(id: Int, link: GatewayLink, connID: String, nonce: String) {
    self.id = id
    self.link = link
    self.connID = connID
    self.nonce = nonce
  }

  /// Whether it holds `scope`: `operator.admin` has all, `operator.write` reads too.
  func holds(_ scope: String) -> Bool {
    scopes.contains("operator.admin") || scopes.contains(scope)
      || (scope == "operator.read" && scopes.contains("operator.write"))
  }

  /// Whether it may see `approval` and answer it (contract 10); protocol 3 shows all.
  func sees(_ approval: GatewayApproval, version: Int) -> Bool {
    if version == 3 || scopes.contains("operator.admin") { return true }
    switch approval.binding {
    case .nobody: return true
    case .device(let owner): return owner == deviceID
    case .elsewhere: return false
    }
  }

  /// Sends a broadcast event, unless a fault has it lost.
  func emit(_ event: String, _ payload: DemoJSON, stateVersion: DemoJSON? = nil) {
    sequence += 1
    if faults.lostEvents > 0 {
      faults.lostEvents -= 1
      return
    }
    var frame: DemoJSON = [
      "type": "event", "event": .string(event), "payload": payload, "seq": .int(sequence),
    ]
    if let stateVersion { frame = frame.setting("stateVersion", stateVersion) }
    send(frame)
    if faults.duplicates > 0 {
      faults.duplicates -= 1
      send(frame)
    }
  }

  /// Sends a frame without adding a sequence number.
  func send(_ frame: DemoJSON) {
    if isClosing || faults.isSilent { return }
    var bytes = frame.serialized()
    if faults.breaksText {
      faults.breaksText = false
      // The last quote of a text: two bytes that are no UTF-8.
      if let quote = bytes.lastIndex(of: UInt8(ascii: "\"")) {
        bytes.insert(contentsOf: [0xC3, 0x28], at: quote)
      }
    }
    let data = ServerFrame.text(bytes)
    if faults.halvesNext {
      isClosing = true
      link.end(after: data.prefix(data.count / 2))
      return
    }
    link.send(data)
    if let left = faults.framesLeft {
      faults.framesLeft = left - 1
      if left <= 1 {
        isClosing = true
        link.cut()
      }
    }
  }

  func close(_ code: UInt16?, _ reason: String = "") {
    isClosing = true
    link.close(code, reason)
  }
}

/// How the frames of one connection are disturbed.
struct ClientFaults {
  /// So many events are counted and not sent.
  var lostEvents = 0
  /// So many events come twice.
  var duplicates = 0
  /// Nothing is sent any more.
  var isSilent = false
  /// The next frame ends in its middle.
  var halvesNext = false
  /// The next frame holds bytes that are no UTF-8.
  var breaksText = false
  /// The socket is cut after so many frames.
  var framesLeft: Int?
}
