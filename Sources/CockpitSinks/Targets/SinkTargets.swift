package import CockpitHistory
internal import Networking

/// The far ends that there are.
package enum SinkTargets {
  /// Metrics in Prometheus' text format.
  ///
  /// - Parameters:
  ///   - file: replaced every 15 s; nil for none.
  ///   - page: what an endpoint serves; nil for none.
  package static func prometheus(
    file: String?, page: MetricsPage?, bot: String, live: LiveFigures
  ) -> any SinkTarget {
    MetricsTarget(file: file, page: page, bot: bot, live: live)
  }

  /// A file of lines in the shape of the bot's own log.
  package static func ndjson(file: String, bot: String, maxBytes: Int) -> any SinkTarget {
    LineFile(path: file, instance: bot, maxBytes: maxBytes)
  }

  /// The size at which a file is rotated, unless the configuration has another one.
  package static let standardFileBytes = 50 << 20

  /// - Parameter url: of the server; `/loki/api/v1/push` is added unless it has a path.
  package static func loki(
    url: String, allowsPlainHTTP: Bool, bot: String, http: @escaping SinkHTTP
  ) throws(SinkProblem) -> any SinkTarget {
    let address = try self.url(
      url, path: ["loki", "api", "v1", "push"], allowsPlainHTTP: allowsPlainHTTP)
    return LokiTarget(url: address, bot: bot, http: http)
  }

  /// - Parameters:
  ///   - url: of the server; `/v1/traces` is added unless it has a path.
  ///   - resource: what is said of the bot, beside its name.
  ///   - sample: which turns are sent; nil for all.
  ///   - hasWords: whether transcripts and arguments are sent.
  package static func otlp(
    url: String, allowsPlainHTTP: Bool, bot: String, botName: String,
    resource: [(String, String)], sample: Set<String>?, hasWords: Bool, http: @escaping SinkHTTP
  ) throws(SinkProblem) -> any SinkTarget {
    let address = try self.url(url, path: ["v1", "traces"], allowsPlainHTTP: allowsPlainHTTP)
    return OTLPTarget(
      url: address, bot: bot, fingerprint: RowFingerprint.bot(botName), resource: resource,
      sample: sample, hasWords: hasWords, http: http)
  }

  /// - Parameters:
  ///   - name: of the sink.
  ///   - records: documents and link records for a replay; nil to send rows alone.
  package static func clickHouse(
    url: String, allowsPlainHTTP: Bool, bot: String, name: String, records: RecordFeed?,
    http: @escaping SinkHTTP
  ) throws(SinkProblem) -> any SinkTarget {
    ClickHouseTarget(
      url: try self.url(url, allowsPlainHTTP: allowsPlainHTTP), bot: bot, name: name,
      records: records, http: http)
  }

  /// The statements that make ClickHouse's tables.
  package static var clickHouseSchema: [String] { ClickHouseSchema.statements }

  /// Runs a statement of ClickHouse.
  package static func runOnClickHouse(
    _ sql: String, url: String, allowsPlainHTTP: Bool, http: SinkHTTP
  ) throws(SinkProblem) {
    let address = try self.url(url, allowsPlainHTTP: allowsPlainHTTP)
    switch http(SinkRequest(url: address, headers: [], body: Array(sql.utf8))).answer {
    case .accepted: return
    case .busy(let words, _), .refused(let words), .closed(let words): throw SinkProblem(words)
    }
  }

  /// - Parameters:
  ///   - dsn: as libpq takes it.
  ///   - records: documents and link records for a replay; nil to send rows alone.
  package static func postgres(
    dsn: String, bot: String, botName: String, records: RecordFeed? = nil
  ) throws(SinkProblem) -> any SinkTarget {
    try PostgresTarget(
      dsn: dsn, bot: bot, fingerprint: RowFingerprint.bot(botName), records: records)
  }

  /// What a replay needs beside rows.
  ///
  /// - Parameter level: how rows are redacted; documents are sent as they were recorded, or not at all.
  package static func records(
    folder: String, bot: HistoryNotes.SinkBot, level: RedactionLevel
  ) throws(SinkProblem) -> RecordFeed? {
    guard level == .none else { return nil }
    do throws(HistoryError) {
      return try RecordFeed(folder: folder, bot: bot)
    } catch {
      throw SinkProblem(error.description)
    }
  }

  static func url(
    _ text: String, path: [String] = [], allowsPlainHTTP: Bool
  ) throws(SinkProblem) -> SinkURL {
    do throws(BackendURL.Problem) {
      return try SinkURL(text, path: path, allowsPlainHTTP: allowsPlainHTTP)
    } catch {
      if case .plainHTTP(let host) = error {
        throw SinkProblem(
          "rows would travel readable to \(host); use https, or set allow_plain_http = true")
      }
      throw SinkProblem(String(error.description.dropLast()))
    }
  }
}
