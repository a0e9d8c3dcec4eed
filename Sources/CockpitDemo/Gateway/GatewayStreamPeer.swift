import FlyingSocks
import Foundation

/// Server-sent events in chunks of HTTP/1.1, as a gateway writes them.
enum GatewaySSE {
  static func head(_ date: String) -> Data {
    Data(
      ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n"
        + "Cache-Control: no-cache\r\nConnection: keep-alive\r\nDate: \(date)\r\n"
        + "Transfer-Encoding: chunked\r\n\r\n").utf8)
  }

  static let end = Data("0\r\n\r\n".utf8)

  static func event(_ name: String? = nil, _ data: DemoJSON) -> Data {
    text((name.map { "event: \($0)\n" } ?? "") + "data: \(data.text)\n\n")
  }

  static func text(_ text: String) -> Data {
    let body = Data(text.utf8)
    return Data("\(String(body.count, radix: 16))\r\n".utf8) + body + Data("\r\n".utf8)
  }
}

/// Writes an answer over HTTP as it comes, until it ends or the client hangs up.
struct GatewayStreamPeer: Sendable {
  let socket: AsyncSocket
  let link: GatewayLink

  func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await write() }
      group.addTask {
        // Nothing more is expected of the client; the read ends when it hangs up.
        while let bytes = try? await socket.read(atMost: 4_096), !bytes.isEmpty {}
      }
      await group.next()
      link.cut()
      group.cancelAll()
    }
  }

  private func write() async {
    while true {
      for item in await link.next() {
        switch item {
        case .bytes(let data):
          guard (try? await socket.write(data)) != nil else { return }
        case .last(let data):
          try? await socket.write(data)
          return
        case .cut: return
        }
      }
    }
  }
}
