import Foundation

/// A backend that sends rows of a test's own: a first snapshot, and live rows as it says so.
final class RowServer {
  let server: StubServer
  private let gates: [Gate]
  private var opened = 0

  var url: String { server.url }

  /// - Parameters:
  ///   - stored: rows of the snapshot, in JSON as REST has them.
  ///   - live: rows that come one after the other with each call of `next`.
  init(stored: [String], live: [String] = []) throws {
    let gates = live.map { _ in Gate() }
    self.gates = gates
    let stats = #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#
    let snapshot =
      "event: activity_snapshot\ndata: {\"actions\":[\(stored.joined(separator: ","))],"
      + "\"stats\":\(stats)}\n\n"
    server = try StubServer { request in
      switch request.path {
      case "/api/activity/events":
        let rows = zip(gates, live).flatMap { gate, row -> [StreamStep] in
          [.gate(gate), .chunk(Array("event: action_event\ndata: \(row)\n\n".utf8))]
        }
        return .stream([.chunk(Array(snapshot.utf8))] + rows + [.stayAlive])
      case "/api/voice/events": return FactRoutes.voice
      case "/api/stats": return .json(stats)
      default: return .json("[]")
      }
    }
  }

  /// Sends the next live row.
  func next() {
    gates[opened].open()
    opened += 1
  }

  func stop() {
    for gate in gates { gate.open() }
    server.stop()
  }

  /// A time as the wire spells it, so many seconds from now.
  static func time(_ seconds: Double = 0) -> String {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Date(timeIntervalSinceNow: seconds).formatted(format)
  }

  static func stored(_ id: Int, _ kind: String, content: String, secondsAgo: Double = 60) -> String
  {
    #"{"id":\#(id),"created_at":"\#(time(-secondsAgo))","guild_id":"500000000000000001","#
      + #""channel_id":"600000000000000001","message_id":"800000000000000001","user_id":null,"#
      + #""kind":"\#(kind)","content":"\#(content)","metadata":null,"usd_cost":0}"#
  }

  static func live(_ kind: String, content: String) -> String {
    #"{"kind":"\#(kind)","guildId":"500000000000000001","content":"\#(content)","#
      + #""createdAt":"\#(time(0))"}"#
  }
}
