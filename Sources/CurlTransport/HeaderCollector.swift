import Networking

/// Puts the header of the final answer together from libcurl's header lines, within bounds.
struct HeaderCollector {
  /// All headers of a transfer, interim answers and trailers included.
  static let maximumBytes = 64 << 10

  /// Error text for a longer header.
  static let tooLong = "its header is longer than \(maximumBytes >> 10) KiB"

  enum Event {
    case more
    case complete(HTTPHead)
    case tooLarge
  }

  private var bytes = 0
  private var status = 0
  private var reason = ""
  private var headers: [HTTPHeader] = []
  private var isDone = false

  /// Takes one line with its line end, as libcurl delivers them.
  mutating func take(_ line: UnsafeRawBufferPointer) -> Event {
    bytes += line.count
    guard bytes <= Self.maximumBytes else { return .tooLarge }
    // Trailers of a chunked body come the same way.
    guard !isDone else { return .more }
    let text = String(decoding: line, as: UTF8.self).trimmingLineEnd()
    if text.hasPrefix("HTTP/") {
      let parts = text.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
      reason = parts.count > 2 ? String(parts[2]) : ""
      headers = []
      return .more
    }
    if text.isEmpty {
      guard status >= 200 else { return .more }
      isDone = true
      return .complete(HTTPHead(status: status, reason: reason, headers: headers))
    }
    if let colon = text.firstIndex(of: ":") {
      let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      headers.append(HTTPHeader(String(text[..<colon]), String(value)))
    }
    return .more
  }
}

extension String {
  /// Without CR, LF, space and tab at the end. On scalars: CR LF is a single `Character`.
  fileprivate func trimmingLineEnd() -> String {
    var end = utf8.endIndex
    while end > utf8.startIndex {
      let before = utf8.index(before: end)
      guard [0x0D, 0x0A, 0x20, 0x09].contains(utf8[before]) else { break }
      end = before
    }
    return String(self[..<end])
  }
}
