internal import ClankyWire
internal import CockpitDomain
internal import CockpitHistory
internal import LenientJSON
internal import Networking

/// Inserts rows into ClickHouse over HTTP.
final class ClickHouseTarget: SinkTarget {
  private let url: SinkURL
  private let http: SinkHTTP
  private let bot: String
  private let name: String
  private let records: ClickHouseRecords?

  /// - Parameters:
  ///   - name: of the sink: a part of what a batch is known by.
  ///   - records: documents and link records for a replay; nil to send rows alone.
  init(
    url: SinkURL, bot: String, name: String, records: RecordFeed? = nil, http: @escaping SinkHTTP
  ) {
    self.url = url
    self.bot = bot
    self.name = name
    self.http = http
    self.records = records.map { ClickHouseRecords($0, url: url, bot: bot, http: http) }
  }

  var state: String { records?.feed.state ?? "" }
  func begin(state: String) { records?.feed.begin(state: state) }
  func isDue(nowMs: Int64) -> Bool { records?.feed.hasMore ?? false }

  static let columns =
    "bot, at, key, action_id, kind, event, guild, channel, message, person, session, cost_nanos, duration_ms, failed, words, body, seq, arrived, origins, voice, terms, version"

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    let answer = insert(rows, as: "")
    guard case .accepted = answer, let records else { return answer }
    if let first = rows.first { records.feed.follow(firstSeq: first.place.seq) }
    return records.send() ?? answer
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
    object.string("at", SinkText.clickHouseTime(row.atMs))
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
    object.int("seq", Int(row.place.seq))
    object.string("arrived", SinkText.clickHouseTime(row.receivedMs))
    object.int("origins", Int(row.origins.rawValue))
    object.int("voice", row.label.domain == .voice ? 1 : 0)
    object.string("terms", RowWords.line(row.json))
    object.int("version", row.actionID == nil ? 1 : 2)
    return object.finish()
  }
}
