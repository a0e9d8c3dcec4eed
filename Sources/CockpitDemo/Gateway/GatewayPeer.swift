import FlyingSocks
import Foundation

/// What speaks through WebSockets.
protocol SocketEngine: Actor {
  /// A client is connected.
  ///
  /// - Returns: a number for it.
  func open(_ link: GatewayLink) async -> Int
  func receive(_ id: Int, _ bytes: [UInt8], isText: Bool) async
  /// The client broke the rules of WebSocket.
  func breach(_ id: Int, _ code: UInt16) async
  func closed(_ id: Int) async
}

/// One WebSocket of a client, from the answer to its upgrade to the end.
struct GatewayPeer: Sendable {
  /// How long a client may take to answer a close.
  private static let closeMs = 1000
  /// A large frame is written in pieces, so that what waits is counted as it goes.
  private static let pieceBytes = 1 << 16

  let socket: AsyncSocket
  let engine: any SocketEngine
  /// The answer to the upgrade.
  let head: Data
  /// Whether the first frame shares the segment of the answer.
  let isGlued: Bool
  /// Bytes that the first message may have.
  var firstLimit = GatewayOptions.firstFrameLimit

  func run(_ early: [UInt8]) async {
    let link = GatewayLink(firstLimit: firstLimit)
    if !isGlued, (try? await socket.write(head)) == nil { return }
    let id = await engine.open(link)
    await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await write(link)
        return true
      }
      group.addTask {
        await read(link, early, id)
        return false
      }
      if await group.next() == true {
        // The close was sent: the client's answer to it keeps the kernel from resetting what it has not read yet.
        group.addTask {
          try? await Task.sleep(for: .milliseconds(Self.closeMs))
          return true
        }
        _ = await group.next()
      }
      link.cut()
      group.cancelAll()
    }
    await engine.closed(id)
  }

  private func write(_ link: GatewayLink) async {
    var pending = isGlued ? head : Data()
    do {
      while true {
        for item in await link.next() {
          switch item {
          case .bytes(let data): pending.append(data)
          case .last(let data):
            pending.append(data)
            try await pass(&pending, link)
            return
          case .cut: return
          }
        }
        try await pass(&pending, link)
      }
    } catch {
      link.cut()
    }
  }

  private func pass(_ pending: inout Data, _ link: GatewayLink) async throws {
    var at = pending.startIndex
    while at < pending.endIndex {
      let end = min(at + Self.pieceBytes, pending.endIndex)
      try await socket.write(Data(pending[at..<end]))
      link.wrote(end - at)
      at = end
    }
    pending = Data()
  }

  private func read(_ link: GatewayLink, _ early: [UInt8], _ id: Int) async {
    var reader = ClientFrameReader(limit: link.limit)
    var more = early
    while true {
      reader.append(more)
      while let event = reader.next() {
        switch event {
        case .message(let bytes, let isText):
          await engine.receive(id, bytes, isText: isText)
          reader.limit = link.limit
        case .ping(let bytes): link.send(ServerFrame.pong(bytes))
        case .pong: break
        case .close(let code):
          link.close(code)
          return
        case .breach(let code):
          await engine.breach(id, code)
          // Unread bytes at the end would make the kernel reset the connection, and the client lose the close frame.
          while let rest = try? await socket.read(atMost: Self.pieceBytes), !rest.isEmpty {}
          return
        }
      }
      while link.isReadingPaused, !Task.isCancelled {
        try? await Task.sleep(for: .milliseconds(20))
      }
      guard let bytes = try? await socket.read(atMost: Self.pieceBytes), !bytes.isEmpty else {
        link.cut()
        return
      }
      more = bytes
    }
  }

  /// The answer to an upgrade; nil when the request is not one of version 13.
  static func upgrade(_ request: HTTPRequest) -> Data? {
    guard request.method == "GET", request.headers["upgrade"]?.lowercased() == "websocket",
      request.headers["sec-websocket-version"] == "13",
      let key = request.headers["sec-websocket-key"], key.utf8.count == 24
    else { return nil }
    let guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    let accept = Data(DeviceSignature.sha1(Array((key + guid).utf8))).base64EncodedString()
    return Data(
      ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8)
  }
}
