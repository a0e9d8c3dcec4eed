/// Reads a server's frames (RFC 6455) in any chunking and gives whole messages.
///
/// Every length is checked before its body is waited for, so a far side cannot make this program
/// reserve more than the limit. Nothing behind a close frame or a fault is looked at.
package struct WebSocketParser: Sendable {
  private let maximumMessage: Int
  /// Bytes that are not used up, from `start` on.
  private var buffer: [UInt8] = []
  private var start = 0
  /// The fragments so far of a message in several frames.
  private var fragments: [UInt8] = []
  private var fragmentedAs: WebSocketOpcode?
  private var text = UTF8Check()
  private var isOver = false

  /// A buffer above this is given back when it is empty.
  private static let keptCapacity = 256 << 10
  /// Used-up bytes before the rest is moved to the front.
  private static let compactAfter = 64 << 10

  /// - Parameter maximumMessage: the most bytes of one message, all fragments together.
  package init(maximumMessage: Int) { self.maximumMessage = maximumMessage }

  /// Takes the next bytes of the connection.
  package mutating func push(
    _ bytes: UnsafeRawBufferPointer, _ out: (WebSocketEvent) -> Void
  ) {
    guard !isOver else { return }
    buffer.append(contentsOf: bytes)
    while !isOver, let event = next() {
      if let event = event.event { out(event) }
    }
    tidy()
  }

  /// A frame that was used up, and what it completes.
  private struct Step { var event: WebSocketEvent? }

  /// nil when more bytes are needed.
  private mutating func next() -> Step? {
    let available = buffer.count - start
    guard available >= 2 else { return nil }
    let (first, second) = (buffer[start], buffer[start + 1])
    let form = Int(second & 0x7F)
    let headLength = form < 126 ? 2 : form == 126 ? 4 : 10
    if let fault = Self.fault(first: first, second: second) { return failed(fault) }
    guard available >= headLength else { return nil }
    var length = UInt64(form)
    if form >= 126 {
      length = buffer[(start + 2)..<(start + headLength)].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >= (form == 126 ? 126 : 65_536) else {
        return failed("a length is not written in its shortest form")
      }
      guard length >> 63 == 0 else { return failed("a length has its top bit set") }
    }
    guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
      return failed("a frame of an unknown kind")
    }
    let isFinal = first & 0x80 != 0
    if opcode.isControl {
      guard isFinal, length <= 125 else { return failed("a control frame is long or in pieces") }
    } else {
      guard length <= UInt64(clamping: maximumMessage - fragments.count) else {
        return failed(
          "a message is longer than \(maximumMessage) bytes", WebSocketCloseCode.tooLarge)
      }
      guard (opcode == .continuation) == (fragmentedAs != nil) else {
        return failed("the frames of a message are out of order")
      }
    }
    let whole = headLength + Int(length)
    guard available >= whole else {
      // Grown once, to what was announced and allowed.
      if buffer.capacity - start < whole { buffer.reserveCapacity(start + whole) }
      return nil
    }
    let body = (start + headLength)..<(start + whole)
    start += whole
    return Step(event: event(opcode, isFinal: isFinal, body: body))
  }

  /// What the first two bytes alone show to be wrong.
  private static func fault(first: UInt8, second: UInt8) -> String? {
    if first & 0x70 != 0 { return "a frame uses an extension that was not agreed on" }
    return second & 0x80 != 0 ? "a frame of a server is masked" : nil
  }

  private mutating func event(
    _ opcode: WebSocketOpcode, isFinal: Bool, body: Range<Int>
  ) -> WebSocketEvent? {
    switch opcode {
    case .ping: return .ping(Array(buffer[body]))
    case .pong: return .pong(Array(buffer[body]))
    case .close: return close(buffer[body])
    case .text, .binary, .continuation:
      let kind = fragmentedAs ?? opcode
      if kind == .text {
        let isValid = buffer[body].withUnsafeBufferPointer { text.take($0) }
        guard isValid, !isFinal || text.isWhole else {
          return fault("text is not UTF-8", WebSocketCloseCode.invalidText)
        }
      }
      guard isFinal else {
        fragmentedAs = kind
        fragments += buffer[body]
        return nil
      }
      let message = fragmentedAs == nil ? Array(buffer[body]) : fragments + buffer[body]
      (fragments, fragmentedAs, text) = ([], nil, UTF8Check())
      return kind == .text ? .text(message) : .binary(message)
    }
  }

  private mutating func close(_ body: ArraySlice<UInt8>) -> WebSocketEvent {
    guard !body.isEmpty else {
      isOver = true
      return .close(code: WebSocketCloseCode.none, reason: "")
    }
    guard body.count >= 2 else { return fault("a close frame of one byte") }
    let code = Int(body[body.startIndex]) << 8 | Int(body[body.startIndex + 1])
    guard WebSocketCloseCode.isAllowedOnTheWire(code) else {
      return fault("a close frame with code \(code)")
    }
    guard let reason = String(validating: body.dropFirst(2), as: UTF8.self) else {
      return fault("the reason of a close frame is not UTF-8", WebSocketCloseCode.invalidText)
    }
    isOver = true
    return .close(code: code, reason: reason)
  }

  private mutating func failed(
    _ why: String, _ code: Int = WebSocketCloseCode.protocolError
  ) -> Step {
    Step(event: fault(why, code))
  }

  private mutating func fault(
    _ why: String, _ code: Int = WebSocketCloseCode.protocolError
  ) -> WebSocketEvent {
    isOver = true
    return .failed(code: code, why: why)
  }

  private mutating func tidy() {
    if isOver {
      (buffer, fragments, start) = ([], [], 0)
    } else if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= Self.keptCapacity)
      start = 0
    } else if start >= Self.compactAfter {
      buffer.removeFirst(start)
      start = 0
    }
  }
}
