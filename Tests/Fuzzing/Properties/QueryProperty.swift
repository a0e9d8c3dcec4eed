import CockpitStores

/// A query is read or refused with a place that is in it, and one that was read can be asked.
enum QueryProperty {
  @Sendable static func check(_ input: [UInt8]) throws {
    let text = String(decoding: input, as: UTF8.self)
    do throws(QueryError) {
      let query = try Query.parse(text)
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
    } catch {
      guard error.offset >= 0, error.length >= 0, error.offset <= text.count else {
        throw PropertyFailure("the error is at \(error.offset) of \(text.count)")
      }
    }
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
