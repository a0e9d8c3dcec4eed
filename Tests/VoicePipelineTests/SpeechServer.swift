import Foundation
import Networking
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A speech service on 127.0.0.1 that answers each request with bytes that a test chose, and keeps the requests.
final class SpeechServer: Sendable {
  struct Request: Sendable {
    var head: String
    var body: [UInt8]

    func header(_ name: String) -> String? {
      head.split(separator: "\r\n").first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
        .map { $0.drop { $0 != ":" }.dropFirst().trimmingCharacters(in: .whitespaces) }
    }

    /// The parts of a multipart form, by their names.
    var parts: [String: (head: String, body: [UInt8])] {
      guard let type = header("content-type"), let at = type.range(of: "boundary=") else {
        return [:]
      }
      let mark = Data("--\(type[at.upperBound...])".utf8)
      let data = Data(body)
      var parts: [String: (head: String, body: [UInt8])] = [:]
      var rest = data.startIndex
      while let start = data.range(of: mark, in: rest..<data.endIndex),
        let end = data.range(of: mark, in: start.upperBound..<data.endIndex),
        let blank = data.range(of: Data("\r\n\r\n".utf8), in: start.upperBound..<end.lowerBound)
      {
        let head = String(decoding: data[start.upperBound..<blank.lowerBound], as: UTF8.self)
        let name = head.components(separatedBy: " name=\"").last?.prefix { $0 != "\"" } ?? ""
        parts[String(name)] = (head, Array(data[blank.upperBound..<(end.lowerBound - 2)]))
        rest = end.lowerBound
      }
      return parts
    }
  }

  let port: Int
  private let descriptor: Int32
  private let state = Mutex<[Request]>([])

  /// - Parameter answer: the whole answer with its head; nil never answers.
  init(_ answer: @escaping @Sendable (Request) -> [UInt8]?) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(descriptor, raw, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, raw, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.descriptor = descriptor
    Thread.detachNewThread { [self] in
      while true {
        let accepted = accept(descriptor, nil, nil)
        guard accepted >= 0 else {
          close(descriptor)
          return
        }
        Thread.detachNewThread { self.serve(accepted, answer) }
      }
    }
  }

  func stop() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  var requests: [Request] { state.withLock { $0 } }

  func base() throws -> BackendURL { try BackendURL("http://127.0.0.1:\(port)/v1") }

  private func serve(_ connection: Int32, _ answer: (Request) -> [UInt8]?) {
    defer { close(connection) }
    var received = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    func more() -> Bool {
      let count = recv(connection, &buffer, buffer.count, 0)
      if count > 0 { received += buffer.prefix(count) }
      return count > 0
    }
    var end: Range<Data.Index>?
    while end == nil {
      guard more() else { return }
      end = received.range(of: Data("\r\n\r\n".utf8))
    }
    guard let end else { return }
    var request = Request(
      head: String(decoding: received[..<end.lowerBound], as: UTF8.self), body: [])
    let length = request.header("content-length").flatMap { Int($0) } ?? 0
    while received.count - end.upperBound < length { guard more() else { return } }
    request.body = Array(received[end.upperBound...])
    state.withLock { $0.append(request) }
    guard let bytes = answer(request) else {
      _ = more()
      return
    }
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(connection, $0.baseAddress.map { $0 + sent }, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  static func answer(
    _ status: String, _ headers: [String] = [], _ body: [UInt8], length: Int? = nil
  ) -> [UInt8] {
    let lines =
      ["HTTP/1.1 \(status)", "Content-Length: \(length ?? body.count)", "Connection: close"]
      + headers
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body
  }
}
