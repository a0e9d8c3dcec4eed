import Foundation

/// One client of the measuring backend.
struct BackendConnection {
  /// The requested stream.
  enum Stream {
    case activity, voice
  }

  let descriptor: Int32
  private(set) var stream: Stream?
  /// When its next periodic event is due; nil without a stream.
  var nextTickNs: UInt64?
  private(set) var isOver = false
  private var input: [UInt8] = []
  private var output: [UInt8] = []
  /// How much of `output` was sent.
  private var sent = 0

  init(_ descriptor: Int32) {
    self.descriptor = descriptor
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    var yes: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  var waitingBytes: Int { output.count - sent }
  var isWaiting: Bool { waitingBytes > 0 }

  // MARK: In

  mutating func read() {
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = Foundation.read(descriptor, &buffer, buffer.count)
      if count > 0 {
        input += buffer[..<count]
      } else {
        if count == 0 || errno != EAGAIN { isOver = true }
        return
      }
    }
  }

  /// The target of the next request that is complete. No request here has a body.
  mutating func nextRequest() -> String? {
    guard let end = input.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let words = input[..<end.lowerBound].prefix { $0 != 0x0D }.split(separator: 0x20)
    input.removeFirst(end.upperBound)
    return words.count > 1 ? String(decoding: words[1], as: UTF8.self) : "/"
  }

  // MARK: Out

  mutating func reply(_ status: Int, _ type: String, _ body: [UInt8]) {
    output += head(status, type, ["Content-Length: \(body.count)"])
    output += body
  }

  mutating func begin(_ stream: Stream, tickNs: UInt64) {
    self.stream = stream
    nextTickNs = tickNs
    output += head(200, "text/event-stream", ["Cache-Control: no-cache", Self.chunked])
  }

  /// One event, in one chunk.
  mutating func event(_ name: String, _ data: [UInt8]) {
    output += Self.chunk(Array("event: \(name)\ndata: ".utf8) + data + [0x0A, 0x0A])
  }

  mutating func flush() {
    while waitingBytes > 0, !isOver {
      let count = output.withUnsafeBytes { buffer in
        write(descriptor, buffer.baseAddress?.advanced(by: sent), buffer.count - sent)
      }
      if count < 0 {
        if errno == EAGAIN { break }
        isOver = true
      } else {
        sent += count
      }
    }
    if sent == output.count {
      output.removeAll(keepingCapacity: true)
      sent = 0
    } else if sent > 1 << 20 {
      output.removeFirst(sent)
      sent = 0
    }
  }

  /// So many events as fast as the client takes them, each in a chunk and a write of its own; then
  /// the end. Blocks other connections.
  mutating func pour(_ events: Int) {
    output += head(200, "text/event-stream", [Self.chunked])
    var corpus = ActionCorpus()
    let rows = (0..<1000).map { _ in corpus.live() }
    var index = 0
    burst(events, writeBytes: 0) {
      index += 1
      return rows[index % rows.count]
    }
  }

  /// Sends live actions after the pending output, as fast as the client reads them, and then
  /// closes. Blocks other connections.
  ///
  /// - Parameter writeBytes: bytes per write; 0 for a write per event.
  /// - Parameter writeBytes: how much goes out in one write; 0 for a write per event.
  mutating func burst(_ events: Int, writeBytes: Int, next: () -> [UInt8]) {
    _ = fcntl(descriptor, F_SETFL, 0)
    flush()
    var waiting: [UInt8] = []
    for _ in 0..<events {
      waiting += Self.chunk(Array("event: action_event\ndata: ".utf8) + next() + [0x0A, 0x0A])
      guard waiting.count >= writeBytes else { continue }
      writeAll(waiting)
      waiting.removeAll(keepingCapacity: true)
    }
    writeAll(waiting)
    writeAll(Array("0\r\n\r\n".utf8))
    isOver = true
  }

  private mutating func writeAll(_ bytes: [UInt8]) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        write(descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done)
      }
      guard count > 0 else { return }
      done += count
    }
  }

  private static let chunked = "Transfer-Encoding: chunked"

  private static func chunk(_ body: [UInt8]) -> [UInt8] {
    Array((String(body.count, radix: 16) + "\r\n").utf8) + body + [0x0D, 0x0A]
  }

  private func head(_ status: Int, _ type: String, _ more: [String]) -> [UInt8] {
    var time = Foundation.time(nil)
    var parts = tm()
    gmtime_r(&time, &parts)
    var text = [CChar](repeating: 0, count: 64)
    _ = strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
    let date = String(
      decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let lines =
      ["HTTP/1.1 \(status) \(status == 200 ? "OK" : "Not Found")", "Content-Type: \(type)"]
      + ["Date: \(date)"] + more
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
  }
}
