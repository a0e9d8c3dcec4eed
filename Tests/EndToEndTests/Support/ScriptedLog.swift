import Foundation

/// A backend whose log the test writes: each connection of the activity stream finds the next of its
/// states, and all but the last are cut.
struct ScriptedLog: Sendable {
  /// The backend's rows during one connection.
  struct State: Sendable {
    var rows: [Row]
    /// Rows of the snapshot in the order they are sent; the newest 220 by default.
    var snapshot: [Row]?
    /// The body of every `GET /api/actions`, instead of the proper answer.
    var page: String?
    /// Rows sent live before the connection is cut.
    var live: [Row] = []
    /// The status of every `GET /api/actions`.
    var status = "200 OK"
  }

  /// A stored row.
  struct Row: Sendable {
    var id: Int
    var kind: String
    var timeMs: Int64
    var guild = "500000000000000001"

    var json: String {
      #"{"id":\#(id),"created_at":"\#(ScriptedLog.iso(timeMs))","guild_id":"\#(guild)","#
        + #""channel_id":null,"message_id":null,"user_id":null,"kind":"\#(kind)","#
        + #""content":"row \#(id)","metadata":null,"usd_cost":0}"#
    }

    /// The same row as the stream tells it (wire contract 4.1).
    var liveEvent: String {
      #"event: action_event\ndata: {"createdAt":"\#(ScriptedLog.iso(timeMs))","guildId":"\#(guild)","#
        .replacing(#"\n"#, with: "\n") + #""kind":"\#(kind)","content":"row \#(id)"}"# + "\n\n"
    }
  }

  var states: [State]

  /// Rows of consecutive ids, 20 ms apart, all within the last minutes.
  static func rows(
    _ ids: ClosedRange<Int>, kinds: [String] = ["bot_runtime"], minutesAgo: Double = 10,
    guilds: Int = 1
  ) -> [Row] {
    let start = Int64((Date().timeIntervalSince1970 - minutesAgo * 60) * 1000)
    return ids.map {
      Row(
        id: $0, kind: kinds[$0 % kinds.count], timeMs: start + Int64($0) * 20,
        guild: "50000000000000000\($0 % guilds + 1)")
    }
  }

  static func list(_ rows: [Row]) -> String { "[" + rows.map(\.json).joined(separator: ",") + "]" }

  func server() throws -> StubServer {
    let counter = Counter()
    return try StubServer { [states] request in
      let state = states[min(max(counter.count - 1, 0), states.count - 1)]
      switch request.path {
      case "/api/activity/events":
        let index = min(counter.next(), states.count - 1)
        let rows = states[index].snapshot ?? Self.newest(states[index].rows, 220)
        let stats = #"{"stats":{"last24h":{},"dailyCost":[],"performance":{}},"runtime":{}}"#
        let text =
          "event: activity_snapshot\ndata: {\"actions\":\(Self.list(rows)),\"stats\":\(stats)}\n\n"
        let isLast = index == states.count - 1
        let live = states[index].live.map(\.liveEvent).joined()
        return .stream([.chunk(Array((text + live).utf8)), isLast ? .stayAlive : .cut])
      case "/api/actions":
        return .json(state.page ?? Self.answer(request, state.rows), status: state.status)
      case "/api/voice/state": return .json(#"{"activeCount":0,"sessions":[]}"#)
      default: return .json("[]")
      }
    }
  }

  /// The answer of the real backend: newest first, 1,000 rows at most (wire contract 3.2).
  private static func answer(_ request: StubRequest, _ rows: [Row]) -> String {
    let limit = request.query["limit"].flatMap { Int($0) } ?? 200
    let kinds = request.query["kinds"].map { Set($0.split(separator: ",").map(String.init)) }
    let hours = request.query["sinceHours"].flatMap { Double($0) }
    let oldest = hours.map { Date().timeIntervalSince1970 * 1000 - $0 * 3_600_000 } ?? 0
    let found = rows.filter {
      (kinds?.contains($0.kind) ?? true) && Double($0.timeMs) >= oldest
        && $0.guild == request.query["guildId"] ?? $0.guild
    }
    return list(newest(found, min(1000, max(1, limit))))
  }

  private static func newest(_ rows: [Row], _ count: Int) -> [Row] {
    Array(rows.sorted { ($0.timeMs, $0.id) > ($1.timeMs, $1.id) }.prefix(count))
  }

  fileprivate static func iso(_ ms: Int64) -> String {
    let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    return Date(timeIntervalSince1970: Double(ms) / 1000).formatted(format)
  }

  /// `@unchecked Sendable`: `value` is read and written inside `lock`.
  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0

    var count: Int { lock.withLock { value } }
    func next() -> Int {
      lock.withLock {
        defer { value += 1 }
        return value
      }
    }
  }
}
