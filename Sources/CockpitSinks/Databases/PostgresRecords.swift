internal import CockpitHistory
internal import ClankyWire

/// Writes documents and link records into the shared history of a PostgreSQL server, each page in one transaction.
final class PostgresRecords {
  let feed: RecordFeed
  /// The last document of each name that was written whole: the next ones are packed on it.
  private var whole: [String: (atMs: Int64, body: [UInt8], followers: Int)] = [:]

  /// The length of a delta chain: the next document is written in full.
  private static let chain = 50
  private static let names = 200

  init(_ feed: RecordFeed) { self.feed = feed }

  /// Sends the next page.
  ///
  /// - Returns: nil if there is none.
  func send(
    _ connection: PostgresConnection, _ bot: String
  ) throws(PostgresConnection.Failure) -> SinkAnswer? {
    guard let page = feed.page else { return feed.takeProblem().map { .busy($0) } }
    let before = whole
    do throws(PostgresConnection.Failure) {
      try connection.run("begin")
      for entry in page.entries {
        switch entry.record {
        case .document(let document): try write(document, entry.id, connection, bot)
        case .link(let link): try write(link, entry.id, page.end.file, connection, bot)
        }
      }
      try connection.run("notify clanky; commit")
    } catch {
      whole = before
      throw error
    }
    feed.advance()
    return .accepted()
  }

  private func write(
    _ document: RecordedDocument, _ id: Int64, _ connection: PostgresConnection,
    _ bot: String
  ) throws(PostgresConnection.Failure) {
    var base: (atMs: Int64, body: [UInt8], followers: Int)?
    if var known = whole[document.name], known.followers < Self.chain,
      known.atMs < document.atMs
    {
      known.followers += 1
      whole[document.name] = known
      base = known
    } else {
      if whole.count >= Self.names { whole = [:] }
      whole[document.name] = (document.atMs, document.body, 0)
    }
    guard let packed = PackedDocument.pack(document.body, on: base?.body ?? []) else {
      throw PostgresConnection.Failure(state: "", description: "there is no memory")
    }
    // A document without a base has the same value twice: `nullif` makes NULL of it.
    let at = Self.time(document.atMs)
    _ = try connection.rows(
      """
      insert into clanky.document(bot, name, at, recorder, seq, arrived, base, body, id)
      values (\(bot), $1, $2, $3, $4, $5, nullif($6::timestamptz(3), $2::timestamptz(3)), $7, $8)
      on conflict do nothing
      """,
      [
        SinkText.plain(document.name).text, at, feed.recorder, String(document.seq),
        Self.time(document.receivedMs), base.map { Self.time($0.atMs) } ?? at,
        "\\x" + RowFingerprint.hexadecimal(packed), String(id),
      ], columns: 0)
  }

  private func write(
    _ link: RecordedLink, _ id: Int64, _ part: String, _ connection: PostgresConnection,
    _ bot: String
  ) throws(PostgresConnection.Failure) {
    _ = try connection.rows(
      """
      insert into clanky.link(bot, recorder, part, id, at, seq, arrived, what, value)
      values (\(bot), $1, $2, $3, $4, $5, $6, $7, $8) on conflict do nothing
      """,
      [
        feed.recorder, part, String(id), Self.time(link.atMs), String(link.seq),
        Self.time(link.receivedMs), SinkText.plain(link.what.rawValue).text,
        SinkText.plain(String(decoding: link.value, as: UTF8.self)).text,
      ], columns: 0)
  }

  private static func time(_ ms: Int64) -> String { WireTime(milliseconds: ms).iso }
}
