/// What came from the far side of a WebSocket connection.
package enum WebSocketEvent: Equatable, Sendable {
  /// A whole text message; the bytes are valid UTF-8.
  case text([UInt8])
  case binary([UInt8])
  /// To be answered with a pong of the same body.
  case ping([UInt8])
  case pong([UInt8])
  /// The far side closes; the code is 1005 when it gave none.
  case close(code: Int, reason: String)
  /// The far side broke the protocol: the code to close with, and why.
  case failed(code: Int, why: String)
}

/// The kinds of frames (RFC 6455, 5.2).
package enum WebSocketOpcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  /// Control frames are whole and short, and may stand between the fragments of a message.
  var isControl: Bool { rawValue >= 8 }
}

/// Close codes that this program sends or finds by itself (RFC 6455, 7.4).
package enum WebSocketCloseCode {
  /// Nothing more to say.
  package static let normal = 1_000
  /// The other side broke the protocol.
  package static let protocolError = 1_002
  /// A close frame without a code. Never sent.
  package static let none = 1_005
  /// The connection ended without a close frame. Never sent.
  package static let lost = 1_006
  /// Text that is not UTF-8.
  package static let invalidText = 1_007
  /// A message above the limit.
  package static let tooLarge = 1_009

  /// Whether a close frame may hold this code.
  static func isAllowedOnTheWire(_ code: Int) -> Bool {
    (1_000...1_003).contains(code) || (1_007...1_014).contains(code)
      || (3_000...4_999).contains(code)
  }
}
