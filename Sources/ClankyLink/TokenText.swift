#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The dashboard token. It never appears in a description, an error or a debugger's summary, and its
/// memory is wiped when the last copy goes.
package struct TokenText: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
  CustomReflectable
{
  /// Why a configured token cannot be used.
  package enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
    case empty
    case controlCharacter
    case tooLong

    package var description: String {
      switch self {
      case .empty:
        "The token is empty; put the value of DASHBOARD_TOKEN there."
      case .controlCharacter:
        "The token contains a control character; copy it again as a single line."
      case .tooLong:
        "The token is longer than \(TokenText.maximumBytes) bytes; it is probably not a token."
      }
    }
  }

  /// Longer than any sensible token, short enough for one request header.
  package static let maximumBytes = 4_096
  private let secret: Secret

  /// Trims white space around the configured value (the server trims its own copy, wire contract 1.1).
  package init(_ configured: String) throws(Problem) {
    let trimmed = configured.trimmingASCIISpace()
    guard !trimmed.isEmpty else { throw .empty }
    guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong }
    guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .controlCharacter }
    secret = Secret(trimmed.utf8)
  }

  package var description: String { "<token>" }
  package var debugDescription: String { "<token>" }
  package var customMirror: Mirror { Mirror(self, children: []) }

  /// Lends the bytes, for the request header only.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    try body(UnsafeRawBufferPointer(secret.bytes))
  }

  /// Replaces every occurrence of the token in remote text: a server may echo what it was sent.
  package func redact(_ text: String) -> String {
    guard text.utf8.count >= secret.bytes.count else { return text }
    let source = Array(text.utf8)
    let first = secret.bytes[0]
    let length = secret.bytes.count
    var output: [UInt8] = []
    var index = 0
    var found = false
    while index < source.count {
      if source[index] == first, index + length <= source.count, matches(source, at: index) {
        output.append(contentsOf: "<token>".utf8)
        index += length
        found = true
      } else {
        output.append(source[index])
        index += 1
      }
    }
    return found ? String(decoding: output, as: UTF8.self) : text
  }

  private func matches(_ source: [UInt8], at start: Int) -> Bool {
    for offset in 0..<secret.bytes.count where source[start + offset] != secret.bytes[offset] {
      return false
    }
    return true
  }

  package static func == (left: TokenText, right: TokenText) -> Bool {
    left.secret === right.secret || left.secret.bytes.elementsEqual(right.secret.bytes)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(secret.bytes))
  }
}

/// Heap bytes that are overwritten before they are freed.
///
/// `@unchecked Sendable`: the memory is written in `init` and in `deinit` only; in between it is read.
private final class Secret: @unchecked Sendable {
  let bytes: UnsafeMutableBufferPointer<UInt8>

  init(_ text: String.UTF8View) {
    bytes = .allocate(capacity: text.count)
    _ = bytes.initialize(from: text)
  }

  deinit {
    // Unlike plain stores these are not dropped as dead.
    #if canImport(Darwin)
      memset_s(bytes.baseAddress, bytes.count, 0, bytes.count)
    #else
      if let start = bytes.baseAddress { explicit_bzero(start, bytes.count) }
    #endif
    bytes.deallocate()
  }
}
