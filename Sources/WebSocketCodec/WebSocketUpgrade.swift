/// The request that turns an HTTP connection into a WebSocket, and the check of the answer (RFC 6455, 4).
package struct WebSocketUpgrade: Sendable {
  /// What the answer says so far.
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed.
    case more
    /// The connection speaks WebSocket; these bytes behind the header are frames already.
    case open([UInt8])
    /// An ordinary answer: its status, its reason phrase and the first bytes of its body.
    case refused(status: Int, reason: String, body: [UInt8])
    /// Not an answer to the request.
    case failed(String)
  }

  /// The most bytes of an answer's header.
  package static let maximumHead = 64 << 10
  /// The bytes of a refusal's body that are kept for the message.
  package static let maximumBody = 1 << 10

  private static let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

  private let key: String
  private var bytes: [UInt8] = []
  /// A refusal whose body is being read.
  private var refusal: Refusal?
  private var isOver = false

  private struct Refusal {
    var status: Int
    var reason: String
    /// Content-Length, at most `maximumBody`.
    var wanted: Int
  }

  /// - Parameter nonce: 16 random bytes.
  package init(nonce: [UInt8]) { key = Base64.encoded(nonce) }

  /// The request's bytes. Headers with characters that would end a line are left out.
  ///
  /// - Parameters:
  ///   - authority: host and port as in the URL.
  ///   - path: with its slash.
  package func request(
    authority: String, path: String, headers: [(name: String, value: String)]
  ) -> [UInt8] {
    var lines = [
      "GET \(path) HTTP/1.1", "Host: \(authority)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: \(key)", "Sec-WebSocket-Version: 13",
    ]
    for (name, value) in headers where Self.isSafe(name: name, value: value) {
      lines.append("\(name): \(value)")
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }

  private static func isSafe(name: String, value: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
      && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }
  }

  /// Takes the next bytes of the answer.
  package mutating func push(_ new: UnsafeRawBufferPointer) -> Outcome {
    guard !isOver else { return .more }
    bytes.append(contentsOf: new)
    while refusal == nil {
      guard let end = Self.endOfHead(bytes) else {
        return bytes.count <= Self.maximumHead ? .more : over(.failed("its header is too long"))
      }
      guard end <= Self.maximumHead else { return over(.failed("its header is too long")) }
      let head = String(decoding: bytes[..<end], as: UTF8.self)
      bytes.removeFirst(end)
      guard let answer = Answer(head) else { return over(.failed("it does not speak HTTP/1.1")) }
      if answer.status == 101 {
        let rest = bytes
        return over(answer.fault(key: Self.accept(for: key)).map(Outcome.failed) ?? .open(rest))
      }
      // An interim answer: the final one follows (RFC 9110, 15.2).
      guard !(100...199).contains(answer.status) else { continue }
      let declared = answer.values("content-length").first.flatMap { Int($0) }
      refusal = Refusal(
        status: answer.status, reason: answer.reason,
        wanted: min(max(declared ?? Self.maximumBody, 0), Self.maximumBody))
    }
    guard let refusal, bytes.count >= refusal.wanted else { return .more }
    return ended()
  }

  /// The connection ended, or time ran out: a refusal is told with the body that there is.
  package mutating func ended() -> Outcome {
    guard !isOver else { return .more }
    guard let refusal else { return over(.failed("it closed the connection without an answer")) }
    return over(
      .refused(
        status: refusal.status, reason: refusal.reason,
        body: Array(bytes.prefix(min(refusal.wanted, Self.maximumBody)))))
  }

  private mutating func over(_ outcome: Outcome) -> Outcome {
    isOver = true
    bytes = []
    return outcome
  }

  /// What `Sec-WebSocket-Accept` must hold.
  static func accept(for key: String) -> String {
    Base64.encoded(SHA1.digest((key + guid).utf8))
  }

  /// The offset behind the blank line.
  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    var index = 3
    let limit = min(bytes.count, maximumHead + 4)
    while index < limit {
      if bytes[index] == 0x0A, bytes[index - 1] == 0x0D, bytes[index - 2] == 0x0A,
        bytes[index - 3] == 0x0D
      {
        return index + 1
      }
      index += 1
    }
    return nil
  }
}

/// Status line and header of the answer.
private struct Answer {
  let status: Int
  let reason: String
  private let fields: [(name: String, value: String)]

  init?(_ head: String) {
    var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
    guard !lines.isEmpty else { return nil }
    let parts = lines.removeFirst().split(
      separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count >= 2, parts[0] == "HTTP/1.1" || parts[0] == "HTTP/1.0",
      parts[1].utf8.count == 3, let status = Int(parts[1]), status >= 100
    else { return nil }
    // An upgrade exists in 1.1 alone.
    guard status != 101 || parts[0] == "HTTP/1.1" else { return nil }
    self.status = status
    reason = parts.count > 2 ? String(parts[2]) : ""
    fields = lines.compactMap { line in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (line[..<colon].lowercased(), Self.trimmed(line[line.index(after: colon)...]))
    }
  }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// Why a 101 is none.
  func fault(key: String) -> String? {
    guard tokens("upgrade").contains("websocket"), tokens("connection").contains("upgrade") else {
      return "its answer does not upgrade to WebSocket"
    }
    guard values("sec-websocket-accept") == [key] else {
      return "its answer belongs to another request (Sec-WebSocket-Accept)"
    }
    guard values("sec-websocket-extensions").allSatisfy(\.isEmpty),
      values("sec-websocket-protocol").allSatisfy(\.isEmpty)
    else { return "it uses an extension or a subprotocol that was not asked for" }
    return nil
  }

  private func tokens(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { Self.trimmed($0).lowercased() }
  }

  private static func trimmed(_ text: Substring) -> String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    let start = text.drop(while: isSpace)
    guard let end = start.lastIndex(where: { !isSpace($0) }) else { return "" }
    return String(start[...end])
  }
}
