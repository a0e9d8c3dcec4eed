#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Heap bytes that are overwritten before they are freed.
///
/// `@unchecked Sendable`: the memory is written in `init` and in `deinit` only; in between it is read.
package final class Secret: @unchecked Sendable {
  /// Where the secret counts as present in data.
  package enum Presence {
    case anywhere
    /// Short but no dictionary word: only a standalone occurrence counts.
    case wordOnly
    /// So short, or a word or a number: it would be found where it is not meant.
    case unnoticed
  }

  package let bytes: UnsafeMutableBufferPointer<UInt8>
  package let presence: Presence
  /// For each byte that stands below the last one of the token: how far on the token may begin at the
  /// earliest (Horspool's search, which looks at one byte in as many as the token has).
  private let steps: UnsafeMutableBufferPointer<UInt16>

  package init(_ text: String.UTF8View) {
    presence =
      switch text.count {
      case 8...: .anywhere
      case 4...: Self.isWord(text) ? .unnoticed : .wordOnly
      default: .unnoticed
      }
    bytes = .allocate(capacity: text.count)
    _ = bytes.initialize(from: text)
    steps = .allocate(capacity: 256)
    steps.initialize(repeating: UInt16(clamping: bytes.count))
    for (index, byte) in bytes.dropLast().enumerated() {
      steps[Int(byte)] = UInt16(clamping: bytes.count - 1 - index)
    }
  }

  /// Whether a byte is one of the token's.
  package func contains(_ byte: UInt8) -> Bool {
    bytes[bytes.count - 1] == byte || bytes.contains(byte)
  }

  /// The position of the token in data, searching from `start`.
  package func position(in data: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let last = bytes.count - 1
    let final = bytes[last]
    var end = start + last
    while end < data.count {
      let byte = data[end]
      if byte == final, bytes.elementsEqual(data[(end - last)...end]) { return end - last }
      end += Int(steps[Int(byte)])
    }
    return nil
  }

  /// Whether the text consists of letters only, or of characters of numbers only.
  private static func isWord(_ text: String.UTF8View) -> Bool {
    let letters = text.count(where: WordEdges.isLetter)
    return letters == text.count || letters == 0
  }

  deinit {
    Self.wipe(UnsafeMutableRawBufferPointer(bytes))
    Self.wipe(UnsafeMutableRawBufferPointer(steps))
    bytes.deallocate()
    steps.deallocate()
  }

  private static func wipe(_ memory: UnsafeMutableRawBufferPointer) {
    guard let start = memory.baseAddress else { return }
    // Unlike plain stores these are not dropped as dead.
    #if canImport(Darwin)
      memset_s(start, memory.count, 0, memory.count)
    #else
      explicit_bzero(start, memory.count)
    #endif
  }
}
