import Foundation
import Testing

/// The recorded activity stream as an action log: snapshot rows keep their ids, each live action
/// gets the next one, and the backend that holds the log loses its connection in the middle.
struct ReplayedLog {
  /// Stored rows, oldest first.
  private let rows: [[String: Any]]
  private let firstLiveID: Int
  private let liveActions: [[String: Any]]
  private let events: [RecordedEvent]
  private let bytes: [UInt8]

  /// A server that replays the log, and the gate that lets the last action go.
  struct Replay {
    let capture: CaptureServer
    let gate: Gate
  }

  /// Content of the action that marks the end: everything before it has been sent.
  private static let marker = "the end of the replay"

  init() throws {
    bytes = try Captures.bytes("activity.sse")
    events = RecordedEvent.all(in: bytes)
    let snapshot = try #require(try PlainAction.objects(events[0].data).first)
    let known = (snapshot["actions"] as? [[String: Any]] ?? []).sorted { Self.id($0) < Self.id($1) }
    firstLiveID = (known.last.map(Self.id) ?? 0) + 1
    liveActions = try events.filter { $0.name == "action_event" }
      .compactMap { try PlainAction.objects($0.data).first }
    let first = firstLiveID
    rows = known + liveActions.enumerated().map { Self.stored($1, id: first + $0) }
  }

  static func id(_ row: [String: Any]) -> Int { row["id"] as? Int ?? 0 }
  func id(ofLive index: Int) -> Int { firstLiveID + index }

  /// A live action as the store keeps it (wire contract 4.1).
  private static func stored(_ live: [String: Any], id: Int) -> [String: Any] {
    let content = PlainAction.stored(live["content"] as? String ?? "")
    return [
      "id": id, "created_at": live["createdAt"] ?? NSNull(), "kind": live["kind"] ?? NSNull(),
      "guild_id": live["guildId"] ?? NSNull(), "channel_id": live["channelId"] ?? NSNull(),
      "message_id": live["messageId"] ?? NSNull(), "user_id": live["userId"] ?? NSNull(),
      "content": content.isEmpty ? NSNull() : content, "metadata": live["metadata"] ?? NSNull(),
      "usd_cost": live["usdCost"] ?? 0,
    ]
  }

  /// Every action that is to come out, once each.
  func expected(without lost: ClosedRange<Int>? = nil) throws -> ActionCounts {
    var counts = ActionCounts()
    for row in rows where !(lost?.contains(Self.id(row)) ?? false) { counts.add(try .init(row)) }
    return counts
  }

  /// - Parameters:
  ///   - cutAfter: live actions of the first connection.
  ///   - plus: bytes of the next event that still arrive.
  ///   - resumeAt: live actions that the log holds when the second connection comes.
  ///   - withheld: ids that no answer holds.
  func server(
    cutAfter: Int, plus: Int, resumeAt: Int, withheld: ClosedRange<Int>? = nil
  ) throws -> Replay {
    let ends = events.filter { $0.name == "action_event" }.map(\.end)
    let cut = ends[cutAfter - 1] + plus
    let first = [StreamStep.chunk(Array(bytes[..<cut])), .cut]

    let held = rows.filter { Self.id($0) < id(ofLive: resumeAt) }
    // Shorter than the real 220 rows, so that the snapshot does not reach back to the cut.
    let recent = Array(held.suffix(60).reversed())
    let stats = try #require(try PlainAction.objects(events[0].data).first?["stats"])
    let snapshot = try Self.json(["actions": recent, "stats": stats])
    let gate = Gate()
    let marker = try Self.json([
      "kind": "bot_runtime", "createdAt": "2026-11-21T02:00:00.000Z", "content": Self.marker,
    ])
    let second =
      [Self.event("activity_snapshot", snapshot)]
      + (try liveActions[resumeAt...].map { Self.event("action_event", try Self.json($0)) })
      + [.gate(gate), Self.event("action_event", marker), .stayAlive]

    let obtainable = held.filter { !(withheld?.contains(Self.id($0)) ?? false) }.reversed()
    let answer = try obtainable.map {
      (time: $0["created_at"] as? String ?? "", text: try Self.json($0))
    }
    let now = rows.last?["created_at"] as? String ?? ""
    let capture = try CaptureServer(
      activity: { connection in connection == 0 ? first : second },
      actions: { request in
        let limit = request.query["limit"].flatMap { Int($0) } ?? 200
        let oldest = Self.time(now, hoursBefore: request.query["sinceHours"].flatMap { Double($0) })
        let found = answer.filter { $0.time >= oldest }.prefix(min(1000, max(1, limit)))
        return .json("[" + found.map(\.text).joined(separator: ",") + "]")
      })
    return Replay(capture: capture, gate: gate)
  }

  /// Reads until the log is complete and the marker, sent after it, has come; ends the process.
  func read(
    _ process: PipedProcess, _ replay: Replay, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> TailLines {
    // Holes are filled within 2 s of the reconnect (promise P4); the reconnect itself takes 3 to 4.
    let isFilled = process.pump {
      let text = process.text
      return text.contains(#""state":"reconnecting""#)
        && text.components(separatedBy: #"{"type":"action""#).count - 1 >= rows.count - 31
        && !replay.capture.server.requests(for: "/api/actions").isEmpty
    }
    #expect(isFilled, "\(process.lines.count) lines", sourceLocation: sourceLocation)
    replay.gate.open()
    #expect(process.pump { process.text.contains(Self.marker) }, sourceLocation: sourceLocation)
    process.signal(SIGTERM)
    process.wait()
    return TailLines(
      process.lines.filter { !$0.contains(Self.marker) }, sourceLocation: sourceLocation)
  }

  /// The time so many hours earlier, comparable as text; the empty text when there is no limit.
  private static func time(_ now: String, hoursBefore hours: Double?) -> String {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    guard let hours, let date = try? style.parse(now) else { return "" }
    return style.format(date.addingTimeInterval(-hours * 3600))
  }

  private static func json(_ value: [String: Any]) throws -> String {
    String(decoding: try JSONSerialization.data(withJSONObject: value), as: UTF8.self)
  }

  private static func event(_ name: String, _ data: String) -> StreamStep {
    .chunk(Array("event: \(name)\ndata: \(data)\n\n".utf8))
  }
}
