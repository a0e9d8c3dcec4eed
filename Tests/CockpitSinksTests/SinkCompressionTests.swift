import CockpitSinks
import Foundation
import Gzip
import Networking
import Synchronization
import Testing

@Suite struct SinkCompressionTests {
  private final class Seen: Sendable {
    let requests = Mutex<[SinkRequest]>([])
  }

  /// The requests that a far end gets which answers as a function says.
  private static func sent(
    _ bodies: [[UInt8]], _ status: @escaping @Sendable (SinkRequest) -> Int
  ) throws -> (requests: [SinkRequest], answers: [SinkAnswer]) {
    let seen = Seen()
    let http = SinkCompression.over { request in
      seen.requests.withLock { $0.append(request) }
      return .answer(status: status(request), headers: [], body: [], retryAfterMs: nil)
    }
    let url = try SinkURL("http://127.0.0.1:1", allowsPlainHTTP: false)
    let type = HTTPHeader("Content-Type", "application/json")
    let answers = bodies.map { http(SinkRequest(url: url, headers: [type], body: $0)).answer }
    return (seen.requests.withLock { $0 }, answers)
  }

  private static func isPacked(_ request: SinkRequest) -> Bool {
    request.headers.contains { $0.name == "Content-Encoding" && $0.value == "gzip" }
  }

  @Test("a body of some length is sent as gzip with its header, a short one plain")
  func packed() throws {
    let long = [UInt8](repeating: 65, count: 100_000)
    let (requests, answers) = try Self.sent([long, Array("short".utf8)]) { _ in 204 }
    #expect(requests.map(Self.isPacked) == [true, false])
    #expect(requests[0].body == Gzip.pack(long))
    #expect(requests[0].headers.contains { $0.name == "Content-Type" })
    #expect(requests[1].body == Array("short".utf8))
    #expect(answers == [.accepted(), .accepted()])
  }

  @Test("a far end that refuses the encoding gets the same request plain, and all others")
  func refused() throws {
    let long = [UInt8](repeating: 65, count: 100_000)
    let (requests, answers) = try Self.sent([long, long]) { Self.isPacked($0) ? 415 : 204 }
    #expect(requests.map(Self.isPacked) == [true, false, false])
    #expect(answers == [.accepted(), .accepted()])
  }

  @Test("other refusals are those of the far end")
  func others() throws {
    let long = [UInt8](repeating: 65, count: 100_000)
    let (requests, answers) = try Self.sent([long, long]) { _ in 400 }
    #expect(requests.map(Self.isPacked) == [true, true])
    #expect(answers == [.refused("400"), .refused("400")])
  }
}
