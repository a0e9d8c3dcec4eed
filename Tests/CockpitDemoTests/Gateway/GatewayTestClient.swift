import COpenSSL
import FlyingSocks
import Foundation

@testable import CockpitDemo

/// A device with a key of its own.
struct TestDevice {
  let seed: [UInt8]
  let publicKey: [UInt8]
  var name = "Desk"

  init(_ fill: UInt8 = 1, name: String = "Desk") {
    seed = (0..<32).map { $0 &* 3 &+ fill }
    var key = [UInt8](repeating: 0, count: 32)
    var count = 32
    let pkey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, 32)
    EVP_PKEY_get_raw_public_key(pkey, &key, &count)
    EVP_PKEY_free(pkey)
    publicKey = key
    self.name = name
  }

  var id: String { ByteText.hex(DeviceSignature.sha256(publicKey)) }

  func sign(_ text: String) -> [UInt8] {
    let pkey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, 32)
    defer { EVP_PKEY_free(pkey) }
    let context = EVP_MD_CTX_new()
    defer { EVP_MD_CTX_free(context) }
    var signature = [UInt8](repeating: 0, count: 64)
    var count = 64
    let bytes = Array(text.utf8)
    EVP_DigestSignInit(context, nil, nil, nil, pkey)
    EVP_DigestSign(context, &signature, &count, bytes, bytes.count)
    return signature
  }
}

/// A client of the demo gateway, written from RFC 6455 and the contract: every byte is its own.
final class GatewayTestClient {
  enum Incoming: Equatable {
    case frame(DemoJSON)
    case close(UInt16?, String)
    /// The connection ended without a close.
    case ended
  }

  static let allScopes = [
    "operator.read", "operator.write", "operator.approvals", "operator.questions",
    "operator.pairing",
  ]

  let socket: AsyncSocket
  private var buffer: [UInt8] = []
  private var count = 0
  private(set) var challenge: DemoJSON = .null
  /// Events that came and were not asked for yet.
  var events: [DemoJSON] = []
  /// Every event, in order.
  private(set) var seen: [DemoJSON] = []

  init(_ server: GatewayServer) async throws {
    socket = try await AsyncSocket.connected(
      to: sockaddr_in.inet(ip4: "127.0.0.1", port: server.port), timeout: 120)
    let head =
      "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
    try await socket.write(Data(head.utf8))
    var lines = ""
    while !lines.hasSuffix("\r\n\r\n") {
      lines += String(decoding: [try await byte()], as: UTF8.self)
    }
    guard lines.contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") else { throw SocketError.disconnected }
    if case .frame(let frame) = try await next() { challenge = frame["payload"] ?? .null }
  }

  // MARK: Frames

  private func byte() async throws -> UInt8 {
    try await fill(1)
    return buffer.removeFirst()
  }

  private func fill(_ size: Int) async throws {
    while buffer.count < size { buffer += try await socket.read(atMost: 1 << 16) }
  }

  /// The payload's size of a text frame, which is not parsed.
  func skipFrame() async throws -> Int {
    try await fill(10)
    guard buffer[1] == 127 else { return 0 }
    var left = buffer[2..<10].reduce(0) { $0 << 8 | Int($1) }
    let size = left
    left -= buffer.count - 10
    buffer = []
    while left > 0 { left -= try await socket.read(atMost: min(left, 1 << 20)).count }
    return size
  }

  func next() async throws -> Incoming {
    do {
      try await fill(2)
      let opcode = buffer[0] & 0x0F
      var length = Int(buffer[1])
      var head = 2
      if length == 126 {
        try await fill(4)
        length = Int(buffer[2]) << 8 | Int(buffer[3])
        head = 4
      } else if length == 127 {
        try await fill(10)
        length = buffer[2..<10].reduce(0) { $0 << 8 | Int($1) }
        head = 10
      }
      try await fill(head + length)
      let payload = Array(buffer[head..<head + length])
      buffer.removeFirst(head + length)
      if opcode == 8 {
        let code = length >= 2 ? UInt16(payload[0]) << 8 | UInt16(payload[1]) : nil
        return .close(code, String(decoding: payload.dropFirst(2), as: UTF8.self))
      }
      let frame = try DemoJSON.parse(payload)
      if frame["type"] == "event" { seen.append(frame) }
      return .frame(frame)
    } catch is SocketError {
      return .ended
    }
  }

  /// Sends one frame as it is: `head` is the first byte.
  func write(_ head: UInt8, _ payload: [UInt8], isMasked: Bool = true) async throws {
    var data: [UInt8] = [head]
    let bit: UInt8 = isMasked ? 0x80 : 0
    if payload.count < 126 {
      data.append(bit | UInt8(payload.count))
    } else if payload.count < 65_536 {
      data += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    } else {
      data.append(bit | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        data.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    let mask: [UInt8] = isMasked ? [0x11, 0xA2, 0x33, 0xC4] : []
    data += mask
    data += payload.enumerated().map { isMasked ? $1 ^ mask[$0 & 3] : $1 }
    try await socket.write(Data(data))
  }

  func send(_ json: DemoJSON) async throws { try await write(0x81, json.serialized()) }

  // MARK: Requests

  /// The answer to a request; events that come first are kept.
  func call(_ method: String, _ params: DemoJSON = [:]) async throws -> DemoJSON {
    count += 1
    let id = "c\(count)"
    try await send([
      "type": "req", "id": .string(id), "method": .string(method), "params": params,
    ])
    while true {
      switch try await next() {
      case .frame(let frame):
        if frame["type"] == "res", frame["id"]?.stringValue == id { return frame }
        events.append(frame)
      case .close, .ended: throw SocketError.disconnected
      }
    }
  }

  /// The first event that fits.
  func event(
    _ name: String, where fits: (DemoJSON) -> Bool = { _ in true }
  ) async throws -> DemoJSON {
    func isIt(_ frame: DemoJSON) -> Bool {
      frame["event"]?.stringValue == name && fits(frame["payload"] ?? .null)
    }
    if let index = events.firstIndex(where: isIt) { return events.remove(at: index) }
    while true {
      guard case .frame(let frame) = try await next() else { throw SocketError.disconnected }
      if isIt(frame) { return frame }
      events.append(frame)
    }
  }

  /// The close, whatever comes before it.
  func close() async throws -> (UInt16?, String) {
    while true {
      switch try await next() {
      case .frame: continue
      case .close(let code, let reason): return (code, reason)
      case .ended: return (nil, "ended")
      }
    }
  }

  func end() { try? socket.close() }

  // MARK: Connect

  /// The parameters of a good connect.
  func parameters(
    _ device: TestDevice, token: String, scopes: [String] = allScopes, kind: String = "token",
    signedAtMs: Int? = nil, nonce: String? = nil, version: Int = 3
  ) -> DemoJSON {
    let nonce = nonce ?? challenge["nonce"]?.stringValue ?? ""
    let at = signedAtMs ?? Int(challenge["ts"]?.doubleValue ?? 0)
    var fields = [
      "v\(version)", device.id, "gateway-client", "ui", "operator",
      scopes.joined(separator: ","), "\(at)", token, nonce,
    ]
    if version == 3 { fields += ["linux", "terminal"] }
    let signature = device.sign(fields.joined(separator: "|"))
    return [
      "minProtocol": 3, "maxProtocol": 4,
      "client": [
        "id": "gateway-client", "displayName": .string(device.name), "version": "0.9.0",
        "platform": " Linux ", "deviceFamily": "Terminal", "mode": "ui", "instanceId": "i-1",
      ], "role": "operator", "scopes": .strings(scopes), "caps": ["tool-events", "approvals"],
      "commands": [], "permissions": [:], "auth": .object(.init([.init(kind, token)])),
      "device": [
        "id": .string(device.id), "publicKey": .string(ByteText.url(device.publicKey)),
        "signature": .string(ByteText.url(signature)), "signedAt": .int(at),
        "nonce": .string(nonce),
      ], "locale": "en-GB", "userAgent": "test/1",
    ]
  }

  @discardableResult
  func connect(
    _ device: TestDevice = TestDevice(), token: String = "secret", scopes: [String] = allScopes
  ) async throws -> DemoJSON {
    try await call("connect", parameters(device, token: token, scopes: scopes))
  }
}

extension DemoJSON.Object.Member {
  init(_ key: String, _ text: String) {
    self.init(key: key, value: .string(text))
  }
}

/// A gateway on a clock that only moves on command.
struct TestGateway {
  let server: GatewayServer
  let clock: ManualDemoClock

  init(
    scenario: GatewayOptions.Scenario = .quiet, version: Int = 4,
    _ change: (inout GatewayOptions) -> Void = { _ in }
  ) async throws {
    let clock = ManualDemoClock()
    var options = GatewayOptions(
      scenario: scenario, protocolVersion: version, token: "secret", clock: clock)
    change(&options)
    server = try await GatewayServer.start(options)
    self.clock = clock
  }

  func advance(_ ms: Int64) async {
    clock.advance(byMs: ms)
    await server.catchUp()
  }

  func client(
    _ device: TestDevice = TestDevice(), scopes: [String] = GatewayTestClient.allScopes
  ) async throws -> GatewayTestClient {
    let client = try await GatewayTestClient(server)
    try await client.connect(device, scopes: scopes)
    return client
  }

  func truth() async throws -> DemoJSON { try DemoJSON.parse(await server.truth()) }
}
