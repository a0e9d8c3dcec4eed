internal import ClankyWire

/// Removes the oldest rows of a shared history: whole partitions, with the role that owns the tables.
package enum PostgresRetention {
  /// What goes.
  package struct Part: Hashable, Sendable {
    /// Of the table, without the schema.
    package var name: String
    package var bytes: Int
    /// The first and the last UTC day of its rows, such as `2026-01-31`; empty for the partition of all other rows.
    package var from: String
    package var to: String
    /// The number of rows that go, where the table stays; nil if it is dropped as a whole.
    package var rows: Int?
  }

  /// Bounds are written in the time zone of the session.
  private static let utc = "set timezone to 'UTC'"

  private static let old = """
    select c.relname, pg_total_relation_size(c.oid),
      to_char(b.from_at, 'YYYY-MM-DD'), to_char(b.to_at - interval '1 ms', 'YYYY-MM-DD')
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    cross join lateral (select
      substring(pg_get_expr(c.relpartbound, c.oid) from 'FROM \\(''([^'']+)''\\)')::timestamptz,
      substring(pg_get_expr(c.relpartbound, c.oid) from 'TO \\(''([^'']+)''\\)')::timestamptz
    ) as b(from_at, to_at)
    where i.inhparent = 'clanky.action'::regclass and b.to_at <= $1::timestamptz
    order by b.from_at
    """

  /// What would go: partitions all of whose rows are older, and older rows in the partition of rows without a month.
  ///
  /// - Parameter ms: rows before it go, in ms since 1970.
  package static func parts(dsn: String, beforeMs ms: Int64) throws(SinkProblem) -> [Part] {
    let before = WireTime(milliseconds: ms).iso
    return try connected(dsn) { connection throws(PostgresConnection.Failure) in
      var parts = try connection.rows(old, [before], columns: 4).map {
        Part(name: $0[0], bytes: Int($0[1]) ?? 0, from: $0[2], to: $0[3])
      }
      let rest = try connection.rows(
        """
        select count(*), coalesce(sum(pg_column_size(r.*)), 0) from clanky.action_rest r
        where at < $1::timestamptz
        """, [before], columns: 2)
      if let count = rest.first.flatMap({ Int($0[0]) }), count > 0 {
        parts.append(
          Part(name: "action_rest", bytes: Int(rest[0][1]) ?? 0, from: "", to: "", rows: count))
      }
      return parts
    }
  }

  /// Removes parts, each in a separate transaction. Writers wait for none of them longer than its `drop table` takes;
  /// where one of them holds a table for more than five seconds, this gives up.
  ///
  /// - Parameters:
  ///   - ms: the value given to `parts`.
  ///   - done: called after each.
  package static func remove(
    _ parts: [Part], dsn: String, beforeMs ms: Int64, done: (Part) -> Void
  ) throws(SinkProblem) {
    let before = WireTime(milliseconds: ms).iso
    try connected(dsn) { connection throws(PostgresConnection.Failure) in
      try connection.run("set lock_timeout to '5s'")
      for part in parts {
        if part.rows == nil {
          // Asked for again: the name comes from the catalogue, and is quoted there.
          let quoted = try connection.rows(
            "select quote_ident(x.name) from (\(old)) as x(name, bytes, a, b) where x.name = $2",
            [before, part.name], columns: 1)
          guard let name = quoted.first?[0] else { continue }
          try connection.run("drop table clanky.\(name)")
        } else {
          _ = try connection.rows(
            "delete from clanky.action_rest where at < $1::timestamptz", [before], columns: 0)
        }
        done(part)
      }
    }
  }

  private static func connected<Value>(
    _ dsn: String, _ work: (PostgresConnection) throws(PostgresConnection.Failure) -> Value
  ) throws(SinkProblem) -> Value {
    let library = try PostgresLibrary()
    do throws(PostgresConnection.Failure) {
      let connection = try PostgresConnection(library, dsn: dsn)
      try connection.run(utc)
      return try work(connection)
    } catch {
      throw SinkProblem(error.description)
    }
  }
}
