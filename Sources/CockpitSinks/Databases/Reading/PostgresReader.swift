package import CockpitHistory
internal import Synchronization

/// Reads the shared history of a PostgreSQL server, each call on a connection of its own.
package final class PostgresReader: SharedDatabase {
  package var dialect: SharedDialect { .postgres }

  private struct State {
    var idle: [Line] = []
    /// What ends the statements that run, by their numbers.
    var running: [Int: Line] = [:]
    var count = 0
    /// Grows with each `cancel()`.
    var cancels = 0
  }

  private let library: PostgresLibrary
  private let dsn: String
  private let state = Mutex(State())

  /// How many idle connections are kept.
  private static let kept = 2
  private static let connectSeconds = 5

  /// - Parameter dsn: as libpq takes it, of a role that has `clanky_read`.
  package init(dsn: String) throws(HistoryError) {
    do throws(SinkProblem) {
      library = try PostgresLibrary()
    } catch {
      throw HistoryError(.refused, error.description)
    }
    self.dsn = dsn
  }

  package func cancel() {
    let lines = state.withLock { state in
      state.cancels += 1
      return Array(state.running.values)
    }
    for line in lines { line.cancel() }
  }

  package func rows(_ sql: String) throws(HistoryError) -> [[[UInt8]?]] {
    let before = state.withLock(\.cancels)
    do throws(PostgresConnection.Failure) {
      let known = state.withLock { $0.idle.popLast() }
      if let known {
        do throws(PostgresConnection.Failure) {
          return try rows(sql, on: known)
        } catch {
          // The server may have closed an idle connection.
          guard error.isLost else { throw error }
        }
      }
      return try rows(sql, on: try opened())
    } catch {
      let wasCancelled = state.withLock { $0.cancels != before }
      if wasCancelled, error.state == Self.ended {
        throw HistoryError(.cancelled, "another wish came first")
      }
      throw Self.failure(error)
    }
  }

  private func rows(
    _ sql: String, on line: Line
  ) throws(PostgresConnection.Failure) -> [[[UInt8]?]] {
    let number = state.withLock { state in
      state.count += 1
      state.running[state.count] = line
      return state.count
    }
    defer { _ = state.withLock { $0.running.removeValue(forKey: number) } }
    do throws(PostgresConnection.Failure) {
      let rows = try line.connection.values(sql)
      giveBack(line)
      return rows
    } catch {
      if !error.isLost { giveBack(line) }
      throw error
    }
  }

  private func giveBack(_ line: Line) {
    state.withLock { state in
      if state.idle.count < Self.kept { state.idle.append(line) }
    }
  }

  private func opened() throws(PostgresConnection.Failure) -> Line {
    let connection = try PostgresConnection(
      library, dsn: dsn, connectSeconds: Self.connectSeconds)
    // A notice would be printed on the screen.
    try connection.run(
      """
      set client_min_messages = error; set standard_conforming_strings = on; set timezone = 'UTC';
      set statement_timeout = \(SharedDialect.statementMs); set default_transaction_read_only = on
      """)
    let version = try connection.rows(
      "select value from clanky.meta where key = 'version'", [], columns: 1)
    if let problem = PostgresSchema.problem(version.first.flatMap { Int($0[0]) }) {
      throw PostgresConnection.Failure(state: Self.unsupported, description: problem)
    }
    return Line(connection)
  }

  /// `query_canceled`, which a timeout has too, and `feature_not_supported`.
  private static let ended = "57014"
  private static let unsupported = "0A000"

  private static func failure(_ failure: PostgresConnection.Failure) -> HistoryError {
    switch failure.state {
    case ended:
      HistoryError(.busy, "the database took more than \(SharedDialect.statementMs / 1000) s")
    case unsupported: HistoryError(.refused, failure.description)
    case "3F000", "42P01":
      HistoryError(.refused, "the database has no schema clanky; 'sinks init' makes it")
    case "42501":
      HistoryError(.refused, "\(failure.description); grant clanky_read to the role")
    case _ where failure.isRetryable: HistoryError(.unreachable, failure.description)
    default: HistoryError(.disk, failure.description)
    }
  }

  /// A connection, and what ends its statement.
  ///
  /// `@unchecked Sendable`: one call at a time has the connection, and libpq's `PQcancel` may be called from any thread;
  /// what it needs is copied when the connection is made.
  private final class Line: @unchecked Sendable {
    let connection: PostgresConnection
    private let stop: PostgresLibrary.Handle?

    init(_ connection: PostgresConnection) {
      self.connection = connection
      stop = connection.library.makeCancel(connection.handle)
    }

    deinit { connection.library.freeCancel(stop) }

    func cancel() {
      var words = [CChar](repeating: 0, count: 256)
      // If it cannot be ended it ends by its timeout.
      _ = connection.library.cancel(stop, &words, CInt(words.count))
    }
  }
}

extension PostgresConnection.Failure {
  /// Whether the connection is over.
  var isLost: Bool { state.isEmpty || state.hasPrefix("08") || state.hasPrefix("57P") }
}

extension PostgresConnection {
  /// The rows of a statement as bytes; nil is NULL.
  func values(_ sql: String) throws(Failure) -> [[[UInt8]?]] {
    let result = try checked(library.execute(handle, sql))
    defer { library.clear(result) }
    let columns = library.columnCount(result)
    return (0..<library.rowCount(result)).map { row in
      (0..<columns).map { column in
        guard library.isNull(result, row, column) == 0,
          let value = library.value(result, row, column)
        else { return nil }
        let count = Int(library.valueLength(result, row, column))
        return Array(UnsafeRawBufferPointer(start: value, count: count))
      }
    }
  }
}
