/// Bytes of a stream as lines, in any chunking. A line that is too long is dropped up to its end and
/// reported once, so that memory is bounded and the next message is understood.
package struct RPCLineSplitter: Sendable {
  package enum Line: Equatable, Sendable {
    case message([UInt8])
    /// A line of more than `limit` bytes.
    case tooLong
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  private var isDropping = false

  /// - Parameter limit: in bytes, without the line end.
  package init(limit: Int = 1 << 20) { self.limit = limit }

  package mutating func take(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == 0x0A {
        if isDropping {
          lines.append(.tooLong)
        } else if buffer.contains(where: { $0 > 0x20 }) {
          lines.append(.message(buffer))
        }
        buffer.removeAll(keepingCapacity: true)
        isDropping = false
      } else if !isDropping {
        buffer.append(byte)
        if buffer.count > limit {
          isDropping = true
          buffer = []
        }
      }
    }
    return lines
  }
}
