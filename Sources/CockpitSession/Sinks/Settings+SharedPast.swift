import CockpitFiles
import CockpitHistory
import CockpitSinks
import CurlTransport
import Foundation
import Networking

extension Settings {
  /// The history of this machine with that of a team behind it. Nothing is connected yet.
  ///
  /// - Parameter name: the bot's address in its display form.
  @MainActor
  func merged(_ past: SharedPast, _ name: String) throws(HistoryError) -> MergedHistory {
    let door: @Sendable () throws(HistoryError) -> any SharedDatabase
    do throws(Failure) {
      door = try database(past.place)
    } catch {
      throw HistoryError(.refused, error.description)
    }
    let folder = historyFolder(of: name)
    let known =
      [folder.flatMap { SinkGroup.botName(in: $0, else: name, isPatient: false) }, name]
      .compactMap(\.self) + (profileName.isEmpty ? [] : [profileName])
    // What is recorded here is that of the profile's bot.
    let isOwn = past.bot.map(known.contains) ?? true
    var local: HistoryFolder?
    if isOwn, let folder {
      // Without a folder nothing is recorded here, and all comes from the database.
      local = try? HistoryFolder(folder)
    }
    let (place, bot) = (past.name, past.bot)
    return MergedHistory(
      local: local, name: place, nowMs: { Int64(Date().timeIntervalSince1970 * 1000) }
    ) { () throws(HistoryError) in
      let database = try door()
      let found = try SharedBot.find(
        bot, orKnownAs: known, in: try SharedBot.all(in: database), of: place)
      return SharedHistory(database, bot: found, name: place)
    }
  }

  /// How a database is reached.
  @MainActor private func database(
    _ place: String
  ) throws(Failure) -> @Sendable () throws(HistoryError) -> any SharedDatabase {
    if let dsn = Self.dsn(place) {
      return { () throws(HistoryError) in try PostgresReader(dsn: dsn) }
    }
    if place.hasPrefix("clickhouse:") {
      var sink = Configuration.Sink(kind: .clickhouse)
      sink.url = String(place.dropFirst("clickhouse:".count))
      return try clickHouse(sink)
    }
    let sink = try sinks(named: [place])[0].1
    switch sink.kind {
    case .postgres:
      let dsn = sink.dsn ?? ""
      return { () throws(HistoryError) in try PostgresReader(dsn: dsn) }
    case .clickhouse: return try clickHouse(sink)
    case .prometheus, .ndjson, .loki, .otlp:
      throw Failure(
        .usage,
        "the sink '\(place)' is no database; --history names one of kind postgres or clickhouse, postgres:DSN or clickhouse:URL"
      )
    }
  }

  /// What libpq takes; nil if another place is meant.
  private static func dsn(_ place: String) -> String? {
    if place.hasPrefix("postgres://") || place.hasPrefix("postgresql://") { return place }
    return place.hasPrefix("postgres:") ? String(place.dropFirst("postgres:".count)) : nil
  }

  @MainActor private func clickHouse(
    _ sink: Configuration.Sink
  ) throws(Failure) -> @Sendable () throws(HistoryError) -> any SharedDatabase {
    let secrets = SinkSecrets([], sink.headersCommand)
    let (url, isPlain) = (sink.url ?? "", sink.allowPlainHTTP ?? false)
    let requests: WaitingHTTP
    do throws(CurlTransport.Problem) {
      requests = try WaitingHTTP(caFile: caFile)
    } catch {
      throw Failure(error)
    }
    let http: SinkHTTP = { request in
      let reply: SinkReply
      do throws(FileError) {
        reply = Self.waited(request, try secrets.headers(), requests)
      } catch {
        return .failed(error.description)
      }
      let clean = secrets.cleaned(reply)
      if case .answer(let status, _, _, _) = reply, status == 401 || status == 403 {
        secrets.renew()
      }
      return clean
    }
    return { () throws(HistoryError) in
      try ClickHouseReader(
        url: url, allowsPlainHTTP: isPlain, http: http, stop: { requests.cancel() })
    }
  }

  private nonisolated static func waited(
    _ request: SinkRequest, _ headers: [HTTPHeader], _ requests: WaitingHTTP
  ) -> SinkReply {
    let limit = SharedDialect.statementMs
    var call = HTTPRequest(
      method: .post, base: request.url.base,
      target: RequestTarget([], query: request.url.query), purpose: .rest, token: nil,
      headers: request.headers + headers, body: request.body,
      timeouts: HTTPTimeouts(headersMs: limit, totalMs: limit))
    call.maxBodyBytes = 256 << 20
    return switch requests.send(call) {
    case .answer(let head, let body):
      .answer(status: head.status, headers: head.headers, body: body, retryAfterMs: nil)
    case .failed(let words): .failed(words)
    case .cancelled: .failed("cancelled")
    }
  }
}
