internal import ClankyWire
internal import LenientJSON
internal import Networking

/// Pushes rows to Loki, or to what takes its pushes: JSON, one stream for each set of labels.
final class LokiTarget: SinkTarget {
  private let url: SinkURL
  private let bot: String
  private let http: SinkHTTP

  init(url: SinkURL, bot: String, http: @escaping SinkHTTP) {
    self.url = url
    self.bot = bot
    self.http = http
  }

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    guard !rows.isEmpty else { return .accepted() }
    let type = HTTPHeader("Content-Type", "application/json")
    return http(SinkRequest(url: url, headers: [type], body: Self.body(rows, bot: bot))).answer
  }

  var wantsIncidents: Bool { true }

  func report(_ incidents: ArraySlice<SinkIncident>, nowMs: Int64) -> SinkAnswer {
    guard !incidents.isEmpty else { return .accepted() }
    let type = HTTPHeader("Content-Type", "application/json")
    let body = Self.body(incidents, bot: bot, nowMs: nowMs)
    return http(SinkRequest(url: url, headers: [type], body: body)).answer
  }

  /// The body of a push of what rules found: separate streams, whose lines are the sentences.
  static func body(
    _ incidents: ArraySlice<SinkIncident>, bot: String, nowMs: Int64
  ) -> [UInt8] {
    // Rules find some things hours later, and a stream refuses what is too far behind its newest entry.
    func labels(_ incident: SinkIncident) -> Labels {
      Labels(
        domain: "anomaly", level: incident.logLevel,
        isLate: nowMs - incident.row.atMs > 3_600_000)
    }
    return push(Dictionary(grouping: incidents, by: labels), bot: bot) { incident in
      let row = incident.row
      return .array([
        .string(time(row)), .string(row.content ?? ""),
        .body([
          ("kind", .string("anomaly")), ("event", .string(incident.rule)),
          ("session", row.session.map(JSONValue.string)),
          ("guild", row.guild.map(JSONValue.string)),
          ("channel", row.channel.map(JSONValue.string)), ("key", .string(row.keyText)),
        ]),
      ])
    }
  }

  private struct Labels: Hashable {
    var domain: String
    var level: String
    var isLate: Bool
  }

  /// The body of a push. The time of an entry is that of its row in ns plus the row's place within its millisecond: the
  /// order is kept, and an entry that is pushed again is the same, which Loki drops.
  static func body(_ rows: ArraySlice<SinkRow>, bot: String) -> [UInt8] {
    var streams: [Labels: [SinkRow]] = [:]
    for row in rows {
      let labels = Labels(
        domain: row.label.domain.rawValue, level: row.level, isLate: row.isLate)
      streams[labels, default: []].append(row)
    }
    return push(streams, bot: bot) { row in
      .array([
        .string(time(row)),
        .string(String(decoding: UpstreamLine.json(row, instance: bot), as: UTF8.self)),
        metadata(row),
      ])
    }
  }

  private static func push<Entry>(
    _ streams: [Labels: [Entry]], bot: String, _ value: (Entry) -> JSONValue
  ) -> [UInt8] {
    let sorted = streams.sorted {
      ($0.key.domain, $0.key.level, $0.key.isLate ? 1 : 0)
        < ($1.key.domain, $1.key.level, $1.key.isLate ? 1 : 0)
    }
    let list = sorted.map { labels, entries in
      var names: [(key: String, value: JSONValue?)] = [
        ("app", .string("clanky")), ("bot", .string(bot)), ("domain", .string(labels.domain)),
        ("level", .string(labels.level)),
      ]
      // A stream refuses what is too far behind its newest entry.
      if labels.isLate { names.append(("origin", .string("repair"))) }
      return JSONValue.body([
        ("stream", .body(names)), ("values", .array(entries.map(value))),
      ])
    }
    var out: [UInt8] = []
    JSONValue.body([("streams", .array(list))]).write(to: &out, ascii: true)
    return out
  }

  static func time(_ row: SinkRow) -> String {
    let ordinal = min(row.ordinalInMs, 999_999)
    let digits = String(ordinal)
    return "\(row.atMs)" + String(repeating: "0", count: 6 - digits.utf8.count) + digits
  }

  private static func metadata(_ row: SinkRow) -> JSONValue {
    .body([
      ("kind", .string(row.label.kind)), ("event", row.label.event.map(JSONValue.string)),
      ("session", row.session.map(JSONValue.string)), ("guild", row.guild.map(JSONValue.string)),
      ("channel", row.channel.map(JSONValue.string)), ("key", .string(row.keyText)),
    ])
  }
}
