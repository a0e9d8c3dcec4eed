import Foundation

/// One accepted connection of a `StubServer`, on a thread of its own.
struct StubConnection {
  let descriptor: Int32
  let isStopped: () -> Bool

  /// Answers requests until one side closes.
  func serve(_ handler: (StubRequest) -> StubReply) {
    var rest: [UInt8] = []
    while let request = readRequest(&rest) {
      guard send(handler(request)) else { return }
    }
  }

  /// Says something and hears what there is to hear, until the other side closes.
  func greet(_ bytes: [UInt8]) {
    var rest: [UInt8] = []
    guard write(bytes) else { return }
    shutdown(descriptor, Int32(SHUT_WR))
    while receive(&rest) {}
  }

  private func readRequest(_ rest: inout [UInt8]) -> StubRequest? {
    let blank = Array("\r\n\r\n".utf8)
    while true {
      if let end = rest.firstRange(of: blank) {
        let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
        var lines = head.components(separatedBy: "\r\n")
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines {
          let parts = line.split(separator: ":", maxSplits: 1)
          guard parts.count == 2 else { continue }
          headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        guard rest.count - end.upperBound >= length else {
          guard receive(&rest) else { return nil }
          continue
        }
        let body = Array(rest[end.upperBound..<end.upperBound + length])
        rest.removeSubrange(..<(end.upperBound + length))
        return StubRequest(
          method: String(words[0]), target: String(words[1]), headers: headers, body: body)
      }
      guard receive(&rest) else { return nil }
    }
  }

  private func receive(_ rest: inout [UInt8]) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest += chunk[..<count]
      return true
    }
  }

  /// False when the connection is not to be used again.
  private func send(_ reply: StubReply) -> Bool {
    guard !reply.isClosed else { return false }
    if let wire = reply.wire {
      _ = play(wire) { write($0) }
      return false
    }
    var head = "HTTP/1.1 \(reply.status)\r\n"
    let framing = ["transfer-encoding", "content-length"]
    for (name, value) in reply.headers where !framing.contains(name.lowercased()) {
      head += "\(name): \(value)\r\n"
    }
    if let steps = reply.steps {
      guard write(Array((head + "Transfer-Encoding: chunked\r\n\r\n").utf8)) else { return false }
      guard play(steps, writeChunk) else { return false }
      return write(Array("0\r\n\r\n".utf8))
    }
    let hasBody = !reply.status.hasPrefix("204")
    head += hasBody ? "Content-Length: \(reply.body.count)\r\n\r\n" : "\r\n"
    return write(Array(head.utf8) + (hasBody ? reply.body : []))
  }

  /// False when one side has closed meanwhile.
  private func play(_ steps: [StreamStep], _ put: ([UInt8]) -> Bool) -> Bool {
    for step in steps {
      switch step {
      case .chunk(let bytes):
        guard put(bytes) else { return false }
      case .pause(let milliseconds):
        guard idle(milliseconds) else { return false }
      case .gate(let gate):
        while !gate.wait(milliseconds: 50) { if isStopped() || isGone(0) { return false } }
      case .open(let gate): gate.open()
      case .stayAlive:
        repeat {
          guard put(Array(": heartbeat\n\n".utf8)) else { return false }
        } while idle(2000)
        return false
      case .stayMute:
        while idle(1000) {}
        return false
      case .endless(let bytes, let everyMs):
        repeat { guard put(bytes), !isStopped() else { return false } } while idle(everyMs)
        return false
      case .cut: return false
      }
    }
    return true
  }

  /// Waits; false when the connection ends meanwhile.
  private func idle(_ milliseconds: Int) -> Bool {
    let deadline = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < deadline {
      let left = Int((deadline - ContinuousClock.now) / .milliseconds(1))
      if isStopped() || isGone(Int32(max(1, min(left, 100)))) { return false }
    }
    return true
  }

  /// Whether the other side has closed.
  private func isGone(_ waitMs: Int32) -> Bool {
    var poller = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, waitMs) > 0 else { return false }
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_PEEK)) <= 0
  }

  private func writeChunk(_ bytes: [UInt8]) -> Bool {
    // An empty chunk would be the last one.
    guard !bytes.isEmpty else { return true }
    return write(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [0x0D, 0x0A])
  }

  private func write(_ bytes: [UInt8]) -> Bool {
    #if canImport(Darwin)
      var yes: Int32 = 1
      setsockopt(
        descriptor, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, flags)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }
}
