internal import CockpitHistory
internal import ClankyWire
internal import LenientJSON
internal import Networking

/// Inserts rows into ClickHouse over HTTP.
final class ClickHouseTarget: SinkTarget {
  private let url: SinkURL
  private let http: SinkHTTP
  private let bot: String
  private let name: String

  /// - Parameter name: of the sink: a part of what a batch is known by.
  init(url: SinkURL, bot: String, name: String, http: @escaping SinkHTTP) {
    self.url = url
    self.bot = bot
    self.name = name
    self.http = http
  }

  /// The statements that make the tables.
  static let schema = [
    "CREATE DATABASE IF NOT EXISTS clanky",
    """
    CREATE TABLE IF NOT EXISTS clanky.action (
      bot LowCardinality(String), at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)), key UUID,
      received DateTime64(3, 'UTC') DEFAULT now64(3), action_id Nullable(UInt64),
      kind LowCardinality(String), event LowCardinality(String), guild LowCardinality(String),
      channel LowCardinality(String), message String, person LowCardinality(String), session String,
      cost_nanos UInt64, duration_ms Nullable(UInt32), failed UInt8, words String CODEC(ZSTD(3)),
      body String CODEC(ZSTD(3)), version UInt32 DEFAULT 1,
      INDEX w words TYPE tokenbf_v1(8192, 3, 0) GRANULARITY 4)
    ENGINE = ReplacingMergeTree(version) PARTITION BY toYYYYMM(at) ORDER BY (bot, at, key)
    TTL toDateTime(at) + INTERVAL 90 DAY DELETE
    SETTINGS non_replicated_deduplication_window = 1000
    """,
  ]

  static let columns =
    "bot, at, key, action_id, kind, event, guild, channel, message, person, session, cost_nanos, duration_ms, failed, words, body, version"

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    insert(rows, as: "")
  }

  var wantsIDs: Bool { true }

  /// Rows with their ids replace those without when the engine merges them.
  func learn(_ rows: ArraySlice<SinkRow>) -> SinkAnswer { insert(rows, as: "ids-") }

  /// - Parameter sort: a part of what the batch is known by.
  private func insert(_ rows: ArraySlice<SinkRow>, as sort: String) -> SinkAnswer {
    guard let first = rows.first, let last = rows.last else { return .accepted() }
    var body: [UInt8] = []
    for row in rows {
      body += Self.line(row, bot: bot)
      body.append(UInt8(ascii: "\n"))
    }
    // The same rows sent again are one insert; in other batches they are merged by their keys.
    let token =
      "\(name)-\(sort)\(RowFingerprint.hexadecimal(first.key))-\(first.place.seq)-\(last.place.seq)"
    let target = url.adding([
      .init("query", "INSERT INTO clanky.action (\(Self.columns)) FORMAT JSONEachRow"),
      .init("insert_deduplication_token", token),
    ])
    let type = HTTPHeader("Content-Type", "application/x-ndjson")
    return http(SinkRequest(url: target, headers: [type], body: body)).answer
  }

  static func line(_ row: SinkRow, bot: String) -> [UInt8] {
    func plain(_ text: String?) -> String { SinkText.plain(text ?? "").text }
    var object = JSONObjectWriter(capacity: row.json.count + 500)
    object.string("bot", plain(bot))
    let iso = WireTime(milliseconds: row.atMs).iso
    object.string("at", iso.replacing("T", with: " ").replacing("Z", with: ""))
    object.string("key", SinkText.uuid(row.key))
    object.int("action_id", row.actionID)
    object.string("kind", plain(row.label.kind))
    object.string("event", plain(row.label.event))
    object.string("guild", plain(row.guild))
    object.string("channel", plain(row.channel))
    object.string("message", plain(row.message))
    object.string("person", plain(row.person))
    object.string("session", plain(row.session))
    object.int("cost_nanos", Int(max(0, row.costNanos)))
    object.int("duration_ms", row.durationMs.flatMap { UInt32(exactly: $0).map { Int($0) } })
    object.int("failed", row.isFailure ? 1 : 0)
    object.string("words", plain(SinkText.words(row)))
    object.string("body", plain(String(decoding: row.json, as: UTF8.self)))
    object.int("version", row.actionID == nil ? 1 : 2)
    return object.finish()
  }
}
