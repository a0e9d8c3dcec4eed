internal import LenientJSON

/// Keeps the newest payload of an event kind that supersedes itself, undecoded, and recognises a repetition:
/// an idle backend sends the same bytes every 3 s.
struct LatestPayload {
  private var bytes: [UInt8] = []
  private(set) var isPending = false

  mutating func keep(_ payload: UnsafeRawBufferPointer) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: payload)
    isPending = true
  }

  /// Whether a payload equals the last one delivered, byte for byte.
  func isRepeated(_ payload: UnsafeRawBufferPointer) -> Bool {
    !isPending && payload.hasSameBytes(as: bytes)
  }

  /// The pending payload, once; nil until a new one is stored.
  mutating func take() -> [UInt8]? {
    guard isPending else { return nil }
    isPending = false
    return bytes
  }

  /// Forgets the payload: the next one is no repetition.
  mutating func drop() {
    isPending = false
    bytes = []
  }
}
