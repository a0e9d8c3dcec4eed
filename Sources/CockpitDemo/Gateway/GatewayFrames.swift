import Foundation

/// Frames that the gateway sends (RFC 6455, 5.2): never masked.
enum ServerFrame {
  static func text(_ payload: [UInt8]) -> Data { frame(0x81, payload) }
  static func pong(_ payload: [UInt8]) -> Data { frame(0x8A, payload) }

  /// A close with a code; nil gives one without a body.
  static func close(_ code: UInt16?, _ reason: String = "") -> Data {
    guard let code else { return frame(0x88, []) }
    // A control frame holds 125 bytes; a longer reason is cut between characters.
    var words = ""
    for character in reason {
      if words.utf8.count + String(character).utf8.count > 123 { break }
      words.append(character)
    }
    return frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + Array(words.utf8))
  }

  private static func frame(_ head: UInt8, _ payload: [UInt8]) -> Data {
    var data = Data([head])
    switch payload.count {
    case ..<126: data.append(UInt8(payload.count))
    case ..<65_536:
      data.append(contentsOf: [126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)])
    default:
      data.append(127)
      for shift in stride(from: 56, through: 0, by: -8) {
        data.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    data.append(contentsOf: payload)
    return data
  }
}

/// Reads the frames of a client out of any pieces, and joins fragments.
struct ClientFrameReader {
  enum Event: Equatable {
    /// A whole message; `isText` is false for a binary one.
    case message([UInt8], isText: Bool)
    case ping([UInt8])
    case pong
    case close(UInt16?)
    /// A breach of the protocol: close with this code. Nothing is read after it.
    case breach(UInt16)
  }

  /// Bytes of a message, its fragments together; above it: 1009.
  var limit: Int

  private var bytes: [UInt8] = []
  private var start = 0
  private var joined: [UInt8] = []
  private var joinedIsText: Bool?
  private var isBroken = false

  init(limit: Int) { self.limit = limit }

  mutating func append(_ more: [UInt8]) {
    if start > 0, start * 2 > bytes.count {
      bytes.removeFirst(start)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The next event, or nil until more bytes come.
  mutating func next() -> Event? {
    while !isBroken {
      guard let frame = takeFrame() else { return isBroken ? .breach(breachCode) : nil }
      if let event = handle(frame) {
        if case .breach = event { isBroken = true }
        return event
      }
    }
    return nil
  }

  private struct Frame {
    var isFinal: Bool
    var opcode: UInt8
    var payload: [UInt8]
  }

  private var breachCode: UInt16 = 1002

  /// The next frame, unmasked; nil when it is not whole, or when `isBroken` was set.
  private mutating func takeFrame() -> Frame? {
    let available = bytes.count - start
    guard available >= 2 else { return nil }
    let first = bytes[start]
    let second = bytes[start + 1]
    let isControl = first & 0x08 != 0
    var length = Int(second & 0x7F)
    // Reserved bits without an extension, a frame without a mask, a long or split control frame.
    if first & 0x70 != 0 || second & 0x80 == 0 || (isControl && (first & 0x80 == 0 || length > 125))
    {
      return fail(1002)
    }
    var head = 2
    let lengthBytes = length == 126 ? 2 : length == 127 ? 8 : 0
    guard available >= head + lengthBytes + 4 else { return nil }
    if lengthBytes > 0 {
      if bytes[start + 2] & 0x80 != 0, lengthBytes == 8 { return fail(1002) }
      length = bytes[start + 2..<start + 2 + lengthBytes].reduce(0) { $0 << 8 | Int($1) }
      head += lengthBytes
    }
    // Before the body is awaited: a promise of too much is refused at once.
    if !isControl, length > limit - joined.count { return fail(1009) }
    guard available >= head + 4 + length else { return nil }
    let mask = Array(bytes[start + head..<start + head + 4])
    let from = start + head + 4
    var payload = Array(bytes[from..<from + length])
    for index in payload.indices { payload[index] ^= mask[index & 3] }
    start = from + length
    return Frame(isFinal: first & 0x80 != 0, opcode: first & 0x0F, payload: payload)
  }

  private mutating func fail(_ code: UInt16) -> Frame? {
    breachCode = code
    isBroken = true
    return nil
  }

  private mutating func handle(_ frame: Frame) -> Event? {
    switch frame.opcode {
    case 0x0:
      guard joinedIsText != nil else { return .breach(1002) }
    case 0x1, 0x2:
      guard joinedIsText == nil else { return .breach(1002) }
      joinedIsText = frame.opcode == 0x1
    case 0x8: return .close(Self.code(frame.payload))
    case 0x9: return .ping(frame.payload)
    case 0xA: return .pong
    default: return .breach(1002)
    }
    joined += frame.payload
    guard frame.isFinal, let isText = joinedIsText else { return nil }
    let message = joined
    joined = []
    joinedIsText = nil
    // Repaired text is other text.
    if isText, !String(decoding: message, as: UTF8.self).utf8.elementsEqual(message) {
      return .breach(1007)
    }
    return .message(message, isText: isText)
  }

  private static func code(_ payload: [UInt8]) -> UInt16? {
    payload.count < 2 ? nil : UInt16(payload[0]) << 8 | UInt16(payload[1])
  }
}
