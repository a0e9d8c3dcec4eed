import CockpitStores

/// A query is read or refused with a place that is in it, and one that was read can be asked. Where it has
/// stages its table has all rows in its lines or says what they lack, and what is behind a line can be
/// asked too.
enum QueryProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    do throws(QueryError) {
      let query = try Query.parse(piped: text, views: QueryViews(["v": "kind:* | count by kind"]))
      let log = ActionLog()
      for action in actions {
        action.withUnsafeBytes { bytes in
          do { _ = try log.ingestLive(bytes, from: .activity, nowMs: nowMs) } catch {}
        }
      }
      for index in 0..<log.count {
        let first = query.matches(log.row(at: index), nowMs: nowMs)
        try same(first, query.matches(log.row(at: index), nowMs: nowMs))
      }
      try tableProperty(query, log)
    } catch {
      // What is missing at the end is missing behind the last character.
      guard error.offset >= 0, error.length >= 0, error.offset <= text.count else {
        throw PropertyFailure("\(error.message) at \(error.offset) of \(text.count)")
      }
    }
  }

  private static func tableProperty(_ query: Query, _ log: ActionLog) throws(QueryError) {
    guard query.pipeline != nil else { return }
    var followed = FilteredLog(query: query)
    followed.sync(with: log, nowMs: nowMs)
    guard let table = followed.table else { throw broken("there is no table") }
    let lacking = table.missing.reduce(0) { $0 + $1.rows }
    let inLines = table.lines.reduce(0) { $0 + $1.rows }
    if table.leftOut == 0, inLines + lacking < table.rows { throw broken("rows are in no line") }
    for line in table.lines where line.rows > 0 {
      guard let text = table.query(behind: line, of: query) else { continue }
      var behind = FilteredLog(query: try Query.parse(piped: text))
      behind.sync(with: log, nowMs: nowMs)
      if behind.count != line.rows { throw broken("a line opens other rows: \(text)") }
    }
  }

  private static func broken(_ message: String) -> QueryError {
    QueryError(offset: -1, length: 0, message: message)
  }

  private static func same(_ first: Bool, _ second: Bool) throws(QueryError) {
    if first != second {
      throw QueryError(offset: -1, length: 0, message: "the same row matches and does not")
    }
  }

  private static let nowMs: Int64 = 1_778_351_000_000
  private static let actions: [[UInt8]] = [
    #"{"kind":"llm_call","createdAt":"2026-05-09T18:22:41.307Z","content":"a:b","usdCost":0.2,"metadata":{"a":{"b":[1,"x"]}}}"#,
    #"{"kind":"voice_error","createdAt":"2026-05-09T18:22:42.307Z","content":"x_timeout: y","userId":"7"}"#,
  ].map { Array($0.utf8) }
}
