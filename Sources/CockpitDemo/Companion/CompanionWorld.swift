import Foundation

/// Everything that the demo's companion gateway knows. Owned by the engine, which is an actor.
final class CompanionWorld {
  struct Device: Sendable, Equatable {
    var token: String
    /// 32 bytes.
    var publicKey: [UInt8]
    var name: String
  }

  /// One session on one socket.
  final class Session {
    let id: Int
    let name: String
    let device: Device
    let link: GatewayLink
    var lastTimestamp: Int64 = 0
    var isOver = false
    /// When its messages of the last second came.
    var recent: [Int64] = []
    /// Requests that wait for a decision, by their id: their capability.
    var requests: [String: String] = [:]

    init(id: Int, name: String, device: Device, link: GatewayLink) {
      (self.id, self.name, self.device, self.link) = (id, name, device, link)
    }
  }

  private struct Challenge {
    var text: String
    var untilMs: Int64
    var isUsed = false
  }

  /// A challenge is valid for 5 minutes.
  static let challengeMs: Int64 = 5 * 60_000
  /// A time stamp may be off by so much.
  static let clockMs: Int64 = 120_000
  static let messagesPerSecond = 20
  static let agent = "wren"

  let options: CompanionOptions
  let port: UInt16
  let signer: CompanionSigner
  private(set) var now: Int64
  private(set) var queue = EventQueue<CompanionWorld>()
  var random: DemoRandom
  var sessions: [Session] = []
  private var devices: [Device] = []
  private var challenges: [Challenge] = []
  private var counter = 0
  private(set) var truth = StoryTruth()
  /// Whether heartbeats are answered.
  var answersHeartbeats = true

  init(options: CompanionOptions, port: UInt16) {
    self.options = options
    self.port = port
    now = options.clock.nowMs
    var random = DemoRandom(seed: options.seed &+ 78)
    signer = CompanionSigner(seed: (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    self.random = random
  }

  // MARK: Time

  func after(_ ms: Int, _ run: @escaping (CompanionWorld) -> Void) {
    queue.add(at: now + Int64(max(0, ms)), run)
  }

  /// Plans something in `ms` milliseconds of the story.
  func paced(_ ms: Int, _ run: @escaping (CompanionWorld) -> Void) {
    after(max(1, Int(Double(ms) / options.rate)), run)
  }

  func run(until time: Int64) {
    while let entry = queue.pop(dueBy: time) {
      now = max(now, entry.due)
      entry.run(self)
    }
    now = max(now, time)
  }

  // MARK: Pairing

  func makePayload() -> String {
    let text = ByteText.url(Array(random.token(24).utf8))
    challenges.append(Challenge(text: text, untilMs: now + Self.challengeMs))
    let payload: DemoJSON = [
      "endpoint": .string("ws://127.0.0.1:\(port)/companion"), "challenge": .string(text),
    ]
    return payload.text
  }

  /// The answer to a pairing request: a status, and a body.
  func pair(_ body: DemoJSON) -> (status: Int, body: DemoJSON) {
    let shape = GatewayShape.object([
      .need("public_key", .text(min: 1)),
      .need(
        "device",
        .object([
          .need("name", .text()), .need("platform", .text()), .need("model", .text()),
        ])),
      .need("challenge", .text(min: 1)), .need("signature", .text(min: 1)),
    ])
    if let problem = shape.problem(body, version: 4) {
      note("pairing malformed")
      return (400, ["error": .string(problem)])
    }
    let challenge = body["challenge"]?.stringValue ?? ""
    guard let place = challenges.firstIndex(where: { $0.text == challenge }) else {
      note("pairing with an unknown challenge")
      return (401, ["error": "unknown challenge"])
    }
    guard !challenges[place].isUsed else {
      note("pairing with a used challenge")
      return (409, ["error": "challenge used"])
    }
    guard now < challenges[place].untilMs else { return (410, ["error": "challenge expired"]) }
    let keyText = body["public_key"]?.stringValue ?? ""
    let key = ByteText.decodedURL(keyText) ?? []
    let signature = ByteText.decodedURL(body["signature"]?.stringValue ?? "") ?? []
    guard
      DeviceSignature.isValid(signature, over: "pair|\(challenge)|\(keyText)", key: key)
    else {
      note("pairing with a bad signature")
      return (401, ["error": "bad signature"])
    }
    challenges[place].isUsed = true
    let device = Device(
      token: "cdt_" + random.token(32), publicKey: key,
      name: body["device"]?["name"]?.stringValue ?? "")
    devices.append(device)
    note("paired", ["name": .string(device.name)])
    return (
      200,
      [
        "device_token": .string(device.token),
        "gateway_public_key": .string(signer.publicKeyText), "session_ttl_s": 86_400,
      ]
    )
  }

  func device(_ authorization: String?) -> Device? {
    devices.first { "Bearer \($0.token)" == authorization }
  }

  /// Takes a device's token back: its sessions end with 4401.
  func revokeDevices() {
    devices = []
    note("devices revoked")
    for session in sessions { end(session, 4_401, "revoked") }
  }

  // MARK: Sessions

  func session(_ id: Int) -> Session? { sessions.first { $0.id == id && !$0.isOver } }

  func open(_ link: GatewayLink, _ device: Device) -> Session {
    for other in sessions where other.device.publicKey == device.publicKey {
      end(other, 4_409, "replaced")
    }
    counter += 1
    let session = Session(id: counter, name: "cs_\(counter)", device: device, link: link)
    sessions.append(session)
    note("session opened", ["session": .string(session.name)])
    send(
      session, "status", .passive,
      [
        "state": "ready", "session_id": .string(session.name), "server_time": .int(Int(now)),
      ])
    if options.scenario == .story { story(session.id) }
    return session
  }

  func gone(_ session: Session) {
    session.isOver = true
    sessions.removeAll { $0 === session }
    note("session closed", ["session": .string(session.name)])
  }

  func end(_ session: Session, _ code: UInt16, _ reason: String) {
    guard !session.isOver else { return }
    note("session ended", ["session": .string(session.name), "code": .int(Int(code))])
    session.isOver = true
    session.link.close(code, reason)
    sessions.removeAll { $0 === session }
  }

  enum Level: String { case passive, notify, active, interrupt, urgent }

  func send(_ session: Session, _ type: String, _ level: Level, _ payload: DemoJSON) {
    guard !session.isOver else { return }
    let frame: DemoJSON = [
      "type": .string(type), "agent_id": .string(Self.agent),
      "attention_level": .string(level.rawValue), "payload": payload,
    ]
    session.link.send(ServerFrame.text(frame.serialized()))
  }

  // MARK: Truth

  func note(_ what: String, _ more: DemoJSON = [:]) { truth.add(now, what, more) }

  /// What really happened. It holds no token.
  var truthFile: [UInt8] { truth.file(["kind": "companion", "to": .int(Int(now))]) }
}
