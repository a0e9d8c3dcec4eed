import FlyingSocks
import Foundation

/// Speaks HTTP/1.1 on one accepted socket.
///
/// The HTTP server of FlyingFox sorts response headers, ignores `HEAD` bodies and cannot stop in
/// the middle of a chunk, all of which matter here; its sockets and event loop are used unchanged.
struct HTTPConnection: Sendable {
  typealias Handler = @Sendable (HTTPRequest) async -> HTTPOutcome

  /// 7 MiB (contract 1.6).
  static let backendBodyLimit = 7 << 20
  private static let headLimit = 64 << 10

  let socket: AsyncSocket
  let clock: any DemoClock
  var bodyLimit = Self.backendBodyLimit
  let handler: Handler

  /// Serves requests until either side is done. Never throws: a broken connection just ends.
  func run() async {
    var buffer: [UInt8] = []
    do {
      while let request = try await readRequest(&buffer) {
        switch await handler(request) {
        case .close:
          return
        case .reply(let reply):
          let date = DemoTime.httpDate(clock.nowMs)
          try await socket.write(reply.bytes(date: date, includeBody: request.method != "HEAD"))
          let close = request.headers["connection"]?.lowercased() == "close"
          if close || request.bodyTooLarge { return }
        case .stream(let sink):
          try await stream(sink)
          return
        case .upgrade(let speak):
          await speak(socket, buffer)
          return
        }
      }
    } catch {
      // The peer went away or the server is stopping: no reader is left.
      return
    }
  }

  // MARK: Requests

  private func readRequest(_ buffer: inout [UInt8]) async throws -> HTTPRequest? {
    let separator: [UInt8] = [13, 10, 13, 10]
    var scanned = 0
    var headEnd: Int?
    while headEnd == nil {
      if buffer.count >= 4 {
        var at = max(0, scanned - 3)
        while at + 4 <= buffer.count {
          if buffer[at] == 13, Array(buffer[at..<at + 4]) == separator {
            headEnd = at
            break
          }
          at += 1
        }
      }
      scanned = buffer.count
      if headEnd == nil {
        guard buffer.count < Self.headLimit else { throw SocketError.disconnected }
        try await fill(&buffer)
      }
    }
    let end = headEnd ?? 0
    let lines = String(decoding: buffer[..<end], as: UTF8.self).components(separatedBy: "\r\n")
    buffer.removeFirst(end + 4)
    let parts = (lines.first ?? "").split(separator: " ")
    guard parts.count == 3 else { throw SocketError.disconnected }
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[line.index(after: colon)...]
      headers[line[..<colon].lowercased()] = value.trimmingCharacters(in: .whitespaces)
    }
    var request = HTTPRequest(
      method: String(parts[0]), target: String(parts[1]), headers: headers, body: [])
    if headers["expect"]?.lowercased() == "100-continue" {
      try await socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if headers["transfer-encoding"]?.lowercased().contains("chunked") == true {
      try await readChunks(&buffer, into: &request)
    } else if let length = headers["content-length"].flatMap({ Int($0) }), length > 0 {
      try await readBody(length, &buffer, into: &request)
    }
    return request
  }

  private func readBody(
    _ length: Int, _ buffer: inout [UInt8], into request: inout HTTPRequest
  ) async throws {
    guard length <= bodyLimit else {
      // Read a little more than the limit so that ordinary clients get to see the answer.
      request.bodyTooLarge = true
      var drained = buffer.count
      while drained < min(length, bodyLimit * 4) {
        drained += try await socket.read(atMost: 4096).count
      }
      buffer = []
      return
    }
    while buffer.count < length { try await fill(&buffer) }
    request.body = Array(buffer[..<length])
    buffer.removeFirst(length)
  }

  private func readChunks(
    _ buffer: inout [UInt8], into request: inout HTTPRequest
  ) async throws {
    while true {
      let line = try await readLine(&buffer)
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else {
        throw SocketError.disconnected
      }
      if size == 0 {
        while try await !readLine(&buffer).isEmpty {}
        return
      }
      guard request.body.count + size <= bodyLimit else {
        request.bodyTooLarge = true
        return
      }
      while buffer.count < size + 2 { try await fill(&buffer) }
      request.body.append(contentsOf: buffer[..<size])
      buffer.removeFirst(size + 2)
    }
  }

  private func readLine(_ buffer: inout [UInt8]) async throws -> String {
    while true {
      if let end = buffer.firstIndex(of: 10) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeFirst(end + 1)
        return line.trimmingCharacters(in: .whitespaces.union(.newlines))
      }
      guard buffer.count < Self.headLimit else { throw SocketError.disconnected }
      try await fill(&buffer)
    }
  }

  private func fill(_ buffer: inout [UInt8]) async throws {
    buffer.append(contentsOf: try await socket.read(atMost: 4096))
  }

  // MARK: Event streams

  private func stream(_ sink: StreamSink) async throws {
    defer { sink.close() }
    // Header names, values and order as recorded from the backend (contract 2.1).
    let head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-cache\r\n"
      + "Connection: keep-alive\r\nX-Accel-Buffering: no\r\n"
      + "Date: \(DemoTime.httpDate(clock.nowMs))\r\nTransfer-Encoding: chunked\r\n\r\n"
    try await socket.write(Data(head.utf8))
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        do {
          try await writeEvents(of: sink)
        } catch {
          sink.close()
        }
      }
      group.addTask {
        // No input is expected from the client; the read only ends when it hangs up.
        while let bytes = try? await socket.read(atMost: 4096), !bytes.isEmpty {}
      }
      await group.next()
      group.cancelAll()
    }
  }

  private func writeEvents(of sink: StreamSink) async throws {
    while case .events(let events) = await sink.next() {
      if sink.faults.current.stalled { continue }
      var pending = Data()
      for event in events {
        if let cut = sink.takeCut() {
          pending.append(Self.chunkHead(event.count))
          pending.append(event.prefix(min(cut, max(0, event.count - 1))))
          try await socket.write(pending)
          return
        }
        if sink.faults.current.drip {
          try await drip(Self.chunked(event))
          continue
        }
        pending.append(Self.chunkHead(event.count))
        pending.append(event)
        pending.append(contentsOf: [13, 10])
        if pending.count > 1 << 20 {
          try await socket.write(pending)
          pending = Data()
        }
      }
      if !pending.isEmpty { try await socket.write(pending) }
    }
  }

  /// Sends a few bytes at a time, so that lines, multi-byte characters and chunk heads are split.
  private func drip(_ data: Data) async throws {
    let step = max(3, data.count / 400)
    var at = data.startIndex
    while at < data.endIndex {
      let end = min(at + step, data.endIndex)
      try await socket.write(Data(data[at..<end]))
      at = end
      try await Task.sleep(for: .milliseconds(2))
    }
  }

  private static func chunkHead(_ count: Int) -> Data {
    Data((String(count, radix: 16) + "\r\n").utf8)
  }

  private static func chunked(_ event: Data) -> Data {
    chunkHead(event.count) + event + Data([13, 10])
  }
}
