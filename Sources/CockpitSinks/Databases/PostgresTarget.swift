internal import ClankyWire
internal import CockpitDomain
internal import CockpitHistory

/// Writes rows into the shared history of a PostgreSQL server, each batch in one transaction.
final class PostgresTarget: SinkTarget {
  private let dsn: String
  private let bot: String
  private let fingerprint: [UInt8]
  private let library: PostgresLibrary
  private let records: PostgresRecords?
  private var connection: PostgresConnection?
  private var botID = ""
  private var months: Set<String> = []

  /// - Parameter records: documents and link records for a replay; nil to send rows alone.
  init(
    dsn: String, bot: String, fingerprint: [UInt8], records: RecordFeed? = nil
  ) throws(SinkProblem) {
    self.dsn = dsn
    self.bot = bot
    self.fingerprint = fingerprint
    library = try PostgresLibrary()
    self.records = records.map { PostgresRecords($0) }
  }

  var state: String { records?.feed.state ?? "" }
  func begin(state: String) { records?.feed.begin(state: state) }
  func isDue(nowMs: Int64) -> Bool { records?.feed.hasMore ?? false }

  func send(_ rows: ArraySlice<SinkRow>, nowMs: Int64) -> SinkAnswer {
    let answer = write(rows)
    guard case .accepted = answer, let records else { return answer }
    if let first = rows.first { records.feed.follow(firstSeq: first.place.seq) }
    do throws(PostgresConnection.Failure) {
      return try records.send(try opened(), botID) ?? answer
    } catch {
      return failed(error)
    }
  }

  private func write(_ rows: ArraySlice<SinkRow>) -> SinkAnswer {
    guard !rows.isEmpty else { return .accepted() }
    do throws(PostgresConnection.Failure) {
      let connection = try opened()
      for month in Set(rows.map { String(WireTime(milliseconds: $0.atMs).isoDay.prefix(7)) })
      where months.insert(month).inserted {
        _ = try connection.rows(
          "select clanky.make_partition($1::date)", [month + "-01"], columns: 1)
      }
      try write(rows, connection)
      return .accepted()
    } catch {
      return failed(error)
    }
  }

  var wantsIDs: Bool { true }

  func learn(_ rows: ArraySlice<SinkRow>) -> SinkAnswer {
    guard !rows.isEmpty else { return .accepted() }
    do throws(PostgresConnection.Failure) {
      let connection = try opened()
      func list(_ texts: [String]) -> String { "{" + texts.joined(separator: ",") + "}" }
      _ = try connection.rows(
        """
        update clanky.action a set action_id = i.id
        from unnest($1::timestamptz[], $2::uuid[], $3::bigint[]) as i(at, key, id)
        where a.bot = \(botID) and a.at = i.at and a.key = i.key and a.action_id is null
        """,
        [
          list(rows.map { WireTime(milliseconds: $0.atMs).iso }),
          list(rows.map { SinkText.uuid($0.key) }),
          list(rows.map { $0.actionID.map(String.init) ?? "NULL" }),
        ], columns: 0)
      return .accepted()
    } catch {
      return failed(error)
    }
  }

  private func failed(_ error: PostgresConnection.Failure) -> SinkAnswer {
    connection = nil
    if error.isRetryable { return .busy(error.description) }
    return error.isClosed ? .closed(error.description) : .refused(error.description)
  }

  private func opened() throws(PostgresConnection.Failure) -> PostgresConnection {
    if let connection { return connection }
    let new = try PostgresConnection(library, dsn: dsn)
    let version = try new.rows(
      "select value from clanky.meta where key = 'version'", [], columns: 1)
    if let problem = PostgresSchema.problem(version.first.flatMap { Int($0[0]) }) {
      throw PostgresConnection.Failure(state: "0A000", description: problem)
    }
    try new.run(
      """
      create temp table incoming(at timestamptz(3), key uuid, action_id bigint, kind text, event text, guild text,
        channel text, message text, person text, session text, cost_nanos bigint, duration_ms bigint,
        failed boolean, words text, body text, seq bigint, arrived timestamptz(3), origins smallint, voice boolean,
        terms text) on commit delete rows
      """)
    botID = try id(new)
    connection = new
    months = []
    return new
  }

  /// The number of the bot. Two bots with the same name get distinct names; fingerprints distinguish them.
  private func id(
    _ connection: PostgresConnection
  ) throws(PostgresConnection.Failure) -> String {
    let digits = RowFingerprint.hexadecimal(fingerprint)
    let find = "select id from clanky.bot where fingerprint = decode($1, 'hex')"
    for name in [bot, "\(bot) (\(digits.prefix(8)))"] {
      if let known = try connection.rows(find, [digits], columns: 1).first { return known[0] }
      _ = try connection.rows(
        """
        insert into clanky.bot(name, fingerprint) values ($1, decode($2, 'hex')) on conflict do nothing
        """, [SinkText.plain(name).text, digits], columns: 0)
    }
    return try connection.rows(find, [digits], columns: 1).first?[0] ?? ""
  }

  private static let columns =
    "at, key, action_id, kind, event, guild, channel, message, person, session, cost_nanos, duration_ms, failed, words, body, seq, arrived, origins, voice, terms"

  private func write(
    _ rows: ArraySlice<SinkRow>, _ connection: PostgresConnection
  ) throws(PostgresConnection.Failure) {
    try connection.run("begin")
    try connection.copy("copy incoming(\(Self.columns)) from stdin", Self.data(rows))
    try connection.run(
      """
      insert into clanky.action(bot, \(Self.columns)) select \(botID), \(Self.columns) from incoming
      on conflict do nothing;
      update clanky.action a set action_id = i.action_id from incoming i
      where a.bot = \(botID) and a.at = i.at and a.key = i.key and a.action_id is null and i.action_id is not null;
      notify clanky;
      commit
      """)
  }

  /// The rows in the text format of `COPY`.
  static func data(_ rows: ArraySlice<SinkRow>) -> [UInt8] {
    var data: [UInt8] = []
    for row in rows {
      let fields: [String?] = [
        WireTime(milliseconds: row.atMs).iso, SinkText.uuid(row.key), row.actionID.map(String.init),
        row.label.kind, row.label.event, row.guild, row.channel, row.message, row.person,
        row.session, String(row.costNanos), row.durationMs.map(String.init),
        row.isFailure ? "t" : "f", SinkText.words(row), String(decoding: row.json, as: UTF8.self),
        String(row.place.seq), WireTime(milliseconds: row.receivedMs).iso,
        String(row.origins.rawValue), row.label.domain == .voice ? "t" : "f",
        RowWords.line(row.json),
      ]
      for (index, field) in fields.enumerated() {
        if index > 0 { data.append(UInt8(ascii: "\t")) }
        if let field { append(field, to: &data) } else { data += "\\N".utf8 }
      }
      data.append(UInt8(ascii: "\n"))
    }
    return data
  }

  private static func append(_ text: String, to data: inout [UInt8]) {
    for byte in SinkText.plain(text).text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): data += "\\\\".utf8
      case 0x09: data += "\\t".utf8
      case 0x0A: data += "\\n".utf8
      case 0x0D: data += "\\r".utf8
      default: data.append(byte)
      }
    }
  }
}

/// Makes the tables of a shared history.
package enum PostgresSetup {
  /// - Parameter dsn: of a role that may create a schema and roles.
  package static func run(dsn: String) throws(SinkProblem) {
    let library = try PostgresLibrary()
    do throws(PostgresConnection.Failure) {
      // What is there already is no news.
      let quiet = "set client_min_messages = warning;"
      try PostgresConnection(library, dsn: dsn).run("\(quiet) begin; \(PostgresSchema.sql) commit;")
    } catch {
      throw SinkProblem(error.description)
    }
  }
}
