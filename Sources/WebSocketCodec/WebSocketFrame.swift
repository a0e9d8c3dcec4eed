/// Frames as a client sends them: always whole, always masked (RFC 6455, 5.1).
package enum WebSocketFrame {
  /// The most bytes of a reason in a close frame: a control frame holds 125, the code takes two.
  package static let maximumReason = 123

  /// - Parameter mask: from the system's random numbers, another one for every frame.
  package static func encoded(
    _ opcode: WebSocketOpcode, _ body: some Collection<UInt8>, mask: UInt32
  ) -> [UInt8] {
    var frame: [UInt8] = [0x80 | opcode.rawValue]
    let count = body.count
    frame.reserveCapacity(count + 14)
    switch count {
    case ..<126: frame.append(0x80 | UInt8(count))
    case ..<65_536:
      frame.append(0x80 | 126)
      append(UInt64(count), bytes: 2, to: &frame)
    default:
      frame.append(0x80 | 127)
      append(UInt64(count), bytes: 8, to: &frame)
    }
    append(UInt64(mask), bytes: 4, to: &frame)
    let key = (0..<4).map { UInt8(truncatingIfNeeded: mask >> UInt32(24 - 8 * $0)) }
    var index = 0
    for byte in body {
      frame.append(byte ^ key[index & 3])
      index += 1
    }
    return frame
  }

  /// A close frame; the reason is cut before the first character that has no room.
  package static func close(code: Int, reason: String, mask: UInt32) -> [UInt8] {
    guard code != WebSocketCloseCode.none else { return encoded(.close, [], mask: mask) }
    var body: [UInt8] = []
    append(UInt64(code), bytes: 2, to: &body)
    for scalar in reason.unicodeScalars {
      let bytes = UTF8.encode(scalar).map(Array.init) ?? []
      guard body.count + bytes.count <= maximumReason + 2 else { break }
      body += bytes
    }
    return encoded(.close, body, mask: mask)
  }

  private static func append(_ value: UInt64, bytes: Int, to frame: inout [UInt8]) {
    for index in (0..<bytes).reversed() {
      frame.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index)))
    }
  }
}
