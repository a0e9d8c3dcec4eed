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
    case notUTF8

    package var description: String {
      switch self {
      case .empty:
        "The token is empty; put the value of DASHBOARD_TOKEN there."
      case .controlCharacter:
        "The token contains a control character; copy it again as a single line."
      case .tooLong:
        "The token is longer than \(TokenText.maximumBytes) bytes; it is probably not a token."
      case .notUTF8: "The token is no UTF-8 text; write it again as one."
      }
    }
  }

  /// Longer than any sensible token, short enough for one request header.
  package static let maximumBytes = 4_096
  private let secret: Secret

  /// Trims white space around the configured value (the server trims its own copy, wire contract
  /// 1.1), and the byte order mark that some editors write. U+FFFD stands for bytes that were not
  /// UTF-8 in the source: the backend would reject such a token without explanation.
  package init(_ configured: String) throws(Problem) {
    let text = configured.unicodeScalars
    let trimmed = String(text.first == "\u{FEFF}" ? text.dropFirst() : text[...])
      .trimmingASCIISpace()
    guard !trimmed.isEmpty else { throw .empty }
    guard trimmed.utf8.count <= Self.maximumBytes else { throw .tooLong }
    guard !trimmed.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else { throw .controlCharacter }
    guard !trimmed.unicodeScalars.contains("\u{FFFD}") else { throw .notUTF8 }
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

  /// Replaces the token in redacted text.
  package static let standIn = "<token>"
  private static let stand = Array(standIn.utf8)

  /// Redacts every occurrence of the token in failure text: a server may echo the request. Matching
  /// ignores case, because parts of URLs and media types are lower-cased.
  package func redact(_ text: String) -> String {
    let source = Array(text.utf8)
    let found = source.withUnsafeBytes { source in
      redacted(source) { at in
        var index = at
        while index + secret.bytes.count <= source.count {
          if matches(source, at: index) { return index }
          index += 1
        }
        return nil
      }
    }
    return found.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// Data with the token redacted and otherwise unchanged; nil if it does not occur, which is
  /// nearly always. Keeps a token that something echoed off shared screens and out of files. JSON
  /// escapes (RFC 8259 section 7) match the characters they encode: many encoders write `\/`, or
  /// `\u002B` for a plus.
  package func redact(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
    let escaped: [Range<Int>]
    switch secret.presence {
    case .anywhere: escaped = EscapedSearch(data: data, secret: secret).hits
    case .wordOnly:
      escaped = EscapedSearch(data: data, secret: secret).hits.filter {
        WordEdges.surround($0, in: data)
      }
    case .unnoticed: return nil
    }
    return redacted(data, escaped) { start in
      var from = start
      while let place = secret.position(in: data, from: from) {
        if secret.presence == .anywhere
          || WordEdges.surround(place..<place + secret.bytes.count, in: data)
        {
          return place
        }
        from = place + 1
      }
      return nil
    }
  }

  /// The same for the body of a failure, whose text may be shown: matching ignores case.
  package func redact(failure data: UnsafeRawBufferPointer) -> [UInt8]? {
    let exact = redact(data)
    guard secret.presence != .unnoticed else { return exact }
    func anyCase(_ data: UnsafeRawBufferPointer) -> [UInt8]? {
      redacted(data) { start in
        var at = start
        while at + secret.bytes.count <= data.count {
          let isFound =
            matches(data, at: at)
            && (secret.presence == .anywhere
              || WordEdges.surround(at..<at + secret.bytes.count, in: data))
          if isFound { return at }
          at += 1
        }
        return nil
      }
    }
    return exact.map { exact in exact.withUnsafeBytes(anyCase) ?? exact } ?? anyCase(data)
  }

  /// The same for a field beside the data: the name of an event, an id.
  package func redact(field: String) -> String {
    var field = field
    return field.withUTF8 { redact(UnsafeRawBufferPointer($0)) }
      .map { String(decoding: $0, as: UTF8.self) } ?? field
  }

  /// - Parameter escaped: where it was found already, in order.
  private func redacted(
    _ source: UnsafeRawBufferPointer, _ escaped: [Range<Int>] = [], next: (_ from: Int) -> Int?
  ) -> [UInt8]? {
    var plain = next(0).map { $0..<$0 + secret.bytes.count }
    guard plain != nil || !escaped.isEmpty else { return nil }
    var escaped = escaped[...]
    var output: [UInt8] = []
    var from = 0
    while let hit = [plain, escaped.first].compactMap({ $0 }).min(by: {
      $0.lowerBound < $1.lowerBound
    }) {
      output.append(contentsOf: source[from..<hit.lowerBound])
      output.append(contentsOf: Self.stand)
      from = hit.upperBound
      plain = next(from).map { $0..<$0 + secret.bytes.count }
      escaped = escaped.drop { $0.lowerBound < from }
    }
    output.append(contentsOf: source[from...])
    return output
  }

  private func matches(_ source: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for offset in 0..<secret.bytes.count
    where Self.lowered(source[start + offset]) != Self.lowered(secret.bytes[offset]) {
      return false
    }
    return true
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  package static func == (left: TokenText, right: TokenText) -> Bool {
    left.secret === right.secret || left.secret.bytes.elementsEqual(right.secret.bytes)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes: UnsafeRawBufferPointer(secret.bytes))
  }
}
