package import CockpitHistory
internal import Networking
internal import Synchronization

/// Reads the shared history of a ClickHouse server over HTTP.
package final class ClickHouseReader: SharedDatabase {
  package var dialect: SharedDialect { .clickHouse }

  private let url: SinkURL
  private let http: SinkHTTP
  private let stop: @Sendable () -> Void
  /// Grows with each `cancel()`.
  private let cancels = Mutex(0)

  /// - Parameters:
  ///   - http: gives up after `SharedDialect.statementMs`.
  ///   - stop: ends the requests that run; their replies say that they failed.
  package init(
    url: String, allowsPlainHTTP: Bool, http: @escaping SinkHTTP,
    stop: @escaping @Sendable () -> Void
  ) throws(HistoryError) {
    do throws(SinkProblem) {
      self.url = try SinkTargets.url(url, allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      throw HistoryError(.refused, error.description)
    }
    self.http = http
    self.stop = stop
  }

  package func cancel() {
    cancels.withLock { $0 += 1 }
    stop()
  }

  package func rows(_ sql: String) throws(HistoryError) -> [[[UInt8]?]] {
    let request = SinkRequest(
      url: url, headers: [HTTPHeader("Content-Type", "text/plain")],
      body: Array((sql + " FORMAT TabSeparated").utf8))
    let before = cancels.withLock { $0 }
    let reply = http(request)
    if case .failed = reply, cancels.withLock({ $0 }) != before {
      throw HistoryError(.cancelled, "another wish came first")
    }
    if case .answer(200, _, let body, _) = reply { return TabSeparated.rows(body) }
    switch reply.answer {
    case .accepted: throw HistoryError(.disk, "the database gives no rows")
    case .busy(let words, _): throw HistoryError(.unreachable, words)
    case .closed(let words): throw HistoryError(.refused, words)
    case .refused(let words):
      // UNKNOWN_TABLE, UNKNOWN_DATABASE, and UNKNOWN_IDENTIFIER of an earlier version's columns.
      let isMissing = ["Code: 60.", "Code: 81.", "Code: 47."].contains { words.contains($0) }
      throw isMissing
        ? HistoryError(
          .refused, "the database has not all tables of clanky; 'sinks init' makes them")
        : HistoryError(.disk, words)
    }
  }
}

/// ClickHouse's format of that name.
enum TabSeparated {
  /// The values of each line; nil is NULL.
  static func rows(_ bytes: [UInt8]) -> [[[UInt8]?]] {
    var rows: [[[UInt8]?]] = []
    var row: [[UInt8]?] = []
    var value: [UInt8] = []
    var isNull = false
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case 0x09, 0x0A:
        row.append(isNull ? nil : value)
        value = []
        isNull = false
        if byte == 0x0A {
          rows.append(row)
          row = []
        }
      case UInt8(ascii: "\\") where at < bytes.count:
        let escaped = bytes[at]
        at += 1
        switch escaped {
        case UInt8(ascii: "N"): isNull = true
        case UInt8(ascii: "b"): value.append(0x08)
        case UInt8(ascii: "f"): value.append(0x0C)
        case UInt8(ascii: "r"): value.append(0x0D)
        case UInt8(ascii: "n"): value.append(0x0A)
        case UInt8(ascii: "t"): value.append(0x09)
        case UInt8(ascii: "0"): value.append(0x00)
        default: value.append(escaped)
        }
      default:
        // What needs no care is most of it.
        let end = bytes[at...].firstIndex { $0 == 0x09 || $0 == 0x0A || $0 == 0x5C } ?? bytes.count
        value += bytes[(at - 1)..<end]
        at = end
      }
    }
    return rows
  }
}
