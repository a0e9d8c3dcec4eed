import CockpitSinks
import Foundation
import Synchronization

/// Takes pushes as Loki does: an entry with equal time, labels and line is dropped, one that is more than an hour behind
/// the newest of its stream refuses the push.
final class LokiReceiver: Sendable {
  struct Entry: Hashable {
    var time: UInt64
    var line: String
  }

  struct Content {
    var streams: [[String: String]: Set<Entry>] = [:]
    var newest: [[String: String]: UInt64] = [:]
    var keys: Set<String> = []
    var pushes = 0
    var bodies: [[UInt8]] = []
    var problems: [String] = []
  }

  let content = Mutex(Content())
  private let status: @Sendable (Int) -> Int

  /// - Parameter status: of a push, by its number; what is not 204 is answered without being taken, but 1204, which is
  ///   taken and not answered.
  init(_ status: @escaping @Sendable (Int) -> Int = { _ in 204 }) { self.status = status }

  var entries: Int { content.withLock { $0.streams.values.reduce(0) { $0 + $1.count } } }

  func http(_ request: SinkRequest) -> SinkReply {
    content.withLock { content in
      let status = self.status(content.pushes)
      content.pushes += 1
      content.bodies.append(request.body)
      guard status == 204 || status == 1204 else {
        return .answer(status: status, headers: [], body: Array("later".utf8), retryAfterMs: nil)
      }
      guard
        let json = try? JSONSerialization.jsonObject(with: Data(request.body)) as? [String: Any],
        let streams = json["streams"] as? [[String: Any]]
      else {
        return .answer(status: 400, headers: [], body: Array("no JSON".utf8), retryAfterMs: nil)
      }
      for stream in streams {
        guard let labels = stream["stream"] as? [String: String],
          let values = stream["values"] as? [[Any]]
        else { continue }
        for value in values {
          guard value.count == 3, let text = value[0] as? String, let time = UInt64(text),
            let line = value[1] as? String, let metadata = value[2] as? [String: String]
          else {
            content.problems.append("\(value)")
            continue
          }
          let newest = content.newest[labels] ?? 0
          guard time + 3_600_000_000_000 >= newest else {
            return .answer(
              status: 400, headers: [], body: Array("entry too far behind".utf8), retryAfterMs: nil)
          }
          content.newest[labels] = max(newest, time)
          content.streams[labels, default: []].insert(Entry(time: time, line: line))
          if let key = metadata["key"] { content.keys.insert(key) }
        }
      }
      return status == 1204
        ? .failed("the connection was lost")
        : .answer(status: 204, headers: [], body: [], retryAfterMs: nil)
    }
  }
}
