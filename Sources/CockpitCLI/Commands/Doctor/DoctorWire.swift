import ClankySource
import ClankyWire
import CockpitAnswers
import CockpitDomain
import CockpitHistory
import CockpitSession
import CockpitStores
import Foundation
import LenientJSON
import Networking
import TerminalCore

/// `doctor --wire`: what the backend says that this program does not know, from its documents and streams, or
/// from a recording.
@MainActor
struct DoctorWire {
  let settings: Settings

  /// Rows of a recording that are read, the newest.
  private nonisolated static let mostRecorded = 200_000
  private nonisolated static let batch = 2_000

  /// Reads live answers, and both streams for some seconds.
  func live(seconds: Double) async throws -> DriftLedger {
    let session = try await RestSession(settings)
    let observer = DriftObserver()
    var guild = session.settings.guild
    for route in Self.routes {
      if Task.isCancelled { throw Failure.interrupted }
      guard let target = route.target(guild) else { continue }
      let answer: RestAnswer
      switch await session.ask(RestRequest(.get, target)) {
      case .success(let found): answer = found
      // The first one says whether there is a backend at all.
      case .failure(let failure) where observer.ledger.documents == 0:
        throw Failure(failure.failure)
      case .failure(let failure):
        observer.take(failure, of: route, atMs: session.nowMs)
        continue
      }
      if answer.status == 401 || answer.status == 403 {
        throw Failure(RequestFailure(refusal: answer))
      }
      observer.take(answer, of: route, atMs: session.nowMs)
      if guild == nil, route.name == "/api/guilds" {
        guild = (try? JSONValue.parse(answer.body)).flatMap(WireList<Guild>.init)?.rows.first?.id
      }
    }
    await follow(observer, seconds: seconds)
    return observer.ledger
  }

  /// What the newest rows of a log have that is not known, for one line; nil if everything is.
  static func sentence(of log: ActionLog) -> String? {
    DriftReport(ledger(of: log)).sentence?.description
  }

  /// The same as numbers by subject.
  static func counts(of log: ActionLog) -> JSONValue? { DriftReport(ledger(of: log)).counts }

  private static func ledger(of log: ActionLog) -> DriftLedger {
    var ledger = DriftLedger(WireVocabulary())
    for row in log.rows(in: 0..<min(log.count, glance)) where !row.isGap {
      let value = row.withRaw { try? JSONParser.parse($0, sparesRows: true) }
      guard let value else { continue }
      ledger.take(row: value, from: DriftObserver.rows, atMs: row.timeMs)
    }
    return ledger
  }

  /// Rows that are looked at where it is not what was asked.
  private static let glance = 200

  private func follow(_ observer: DriftObserver, seconds: Double) async {
    guard let backend = try? await Backend.open(settings) else { return }
    let link = backend.link()
    link.start(into: observer)
    let clock = backend.clock
    await awaitCallback { done in
      _ = clock.schedule(afterNs: UInt64(seconds * 1e9)) { done() }
    }
    link.stop()
    withExtendedLifetime(backend) {}
  }

  /// Reads a day file, a bundle, or a folder of day files.
  func recorded(_ path: String) async throws(Failure) -> DriftLedger {
    let result = await OwnThread.run { () -> Result<DriftLedger, HistoryError> in
      Result { () throws(HistoryError) in try Self.read(try HistoryFolder(path)) }
    }
    return try reading { () throws(HistoryError) in try result.get() }
  }

  private nonisolated static func read(_ history: HistoryFolder) throws(HistoryError) -> DriftLedger
  {
    var ledger = DriftLedger(WireVocabulary())
    guard let span = try history.span() else {
      throw HistoryError(.missing, "nothing is recorded there yet")
    }
    var fromMs = span.lowerBound - 1
    var count = 0
    while count < mostRecorded {
      let rows = try history.rows(after: fromMs, through: span.upperBound, limit: batch)
      for row in rows {
        let route = row.channels.contains(.stored) ? DriftObserver.rows : DriftObserver.stream
        if let value = try? JSONValue.parse(row.json, sparesRows: true) {
          ledger.take(row: value, from: route, atMs: row.atMs)
        } else {
          ledger.noteUnreadable()
        }
      }
      count += rows.count
      guard rows.count >= batch, let last = rows.last else { break }
      fromMs = last.atMs
    }
    for name in try history.documentNames(notAfterMs: span.upperBound) {
      guard let document = try history.document(name, notAfterMs: span.upperBound),
        let value = try? JSONValue.parse(document.body, sparesRows: true),
        let route = DriftObserver.documents[name] ?? route(of: name)
      else { continue }
      let called = DriftObserver.documents[name] == nil ? "answer" : name
      ledger.take(document: value, called: called, from: route, atMs: document.atMs)
    }
    return ledger
  }

  /// The route of a recorded answer without its ids; nil for what is no document of a bot's state.
  nonisolated static func route(of name: String) -> String? {
    guard name.hasPrefix("GET /"), !name.contains("/settings") else { return nil }
    let path = name.dropFirst(4).prefix { $0 != "?" }
    return path.split(separator: "/").reduce(into: "") { route, part in
      let isOurs =
        part.count <= 20 && part.utf8.allSatisfy { $0 == 0x2D || (0x61...0x7A).contains($0) }
      route += "/" + (isOurs ? String(part) : "…")
    }
  }

  /// A route that is read.
  struct Route: Sendable {
    /// Without ids.
    var name: String
    /// The member that holds rows of the log; nil for a document.
    var holdsRows = false
    /// Path elements after `api`; `GUILD` stands for the id of one.
    var path: [String]
    var query: [(String, String)] = []

    init(
      _ name: String, _ path: [String], _ query: [(String, String)] = [], holdsRows: Bool = false
    ) {
      (self.name, self.path, self.query) = (name, path, query)
      self.holdsRows = holdsRows
    }

    func target(_ guild: String?) -> RequestTarget? {
      let needsGuild = path.contains("GUILD") || query.contains { $0.1 == "GUILD" }
      guard let guild = guild ?? (needsGuild ? nil : "") else { return nil }
      return RequestTarget(
        ["api"] + path.map { $0 == "GUILD" ? guild : $0 },
        query: query.map { .init($0.0, $0.1 == "GUILD" ? guild : $0.1) })
    }
  }

  /// What can be read without changing anything. Settings are the bot's own and have names of their own.
  static let routes: [Route] = [
    Route("/api/stats", ["stats"]), Route("/api/voice/state", ["voice", "state"]),
    Route(DriftObserver.rows, ["actions"], [("limit", "1000")], holdsRows: true),
    Route("/api/guilds", ["guilds"]),
    Route("/api/guilds/…/channels", ["guilds", "GUILD", "channels"]),
    Route("/api/memory/facts", ["memory", "facts"], [("guildId", "GUILD"), ("limit", "200")]),
    Route("/api/memory/subjects", ["memory", "subjects"], [("guildId", "GUILD")]),
    Route("/api/automations", ["automations"], [("guildId", "GUILD")]),
    Route("/api/agents/browser-sessions", ["agents", "browser-sessions"]),
    Route("/api/voice/history/sessions", ["voice", "history", "sessions"], [("limit", "20")]),
  ]
}

/// Feeds a ledger with everything that a source says.
@MainActor
final class DriftObserver: SourceSink {
  private(set) var ledger = DriftLedger(WireVocabulary())

  nonisolated static let rows = "/api/actions"
  nonisolated static let stream = "/api/activity/events"
  /// Routes of the documents by name.
  nonisolated static let documents = [
    DocumentName.stats.rawValue: "/api/activity/events",
    DocumentName.voiceState.rawValue: "/api/voice/events",
  ]

  var knownRows: (any KnownRows)? { nil }

  func receive(_ event: SourceEvent, at time: ReceiveTime) {
    switch event {
    case .row(let json, let channel):
      let route = channel == .activity ? Self.stream : "/api/voice/events"
      take(row: json, from: route, atMs: time.wallMs)
    case .document(let name, let json):
      guard let route = Self.documents[name.rawValue] else { return }
      guard let value = try? JSONParser.parse(json, sparesRows: true) else {
        return ledger.noteUnreadable()
      }
      ledger.take(document: value, called: name.rawValue, from: route, atMs: time.wallMs)
    case .rejected: ledger.noteUnreadable()
    default: break
    }
  }

  func ingest(_ batch: RowBatch, at time: ReceiveTime) -> RowReport {
    let outcome = ActionRows.split(batch.json) { range in
      take(
        row: UnsafeRawBufferPointer(rebasing: batch.json[range]), from: Self.stream,
        atMs: time.wallMs)
    }
    for _ in 0..<outcome.badRows { ledger.noteUnreadable() }
    return RowReport(isComplete: outcome.isComplete)
  }

  private func take(row json: UnsafeRawBufferPointer, from route: String, atMs: Int64) {
    guard let value = try? JSONParser.parse(json, sparesRows: true) else {
      return ledger.noteUnreadable()
    }
    ledger.take(row: value, from: route, atMs: atMs)
  }

  /// A request without an answer: a route that is not there says so.
  func take(_ failure: RestFailure, of route: DoctorWire.Route, atMs: Int64) {
    switch failure.failure {
    case .noRoute, .notClanky(.wrongPath), .requestRejected(status: 404, message: _):
      ledger.take(route: route.name, status: 404, atMs: atMs)
    default: break
    }
  }

  /// The answer to a request.
  func take(_ answer: RestAnswer, of route: DoctorWire.Route, atMs: Int64) {
    guard answer.isSuccess else {
      return ledger.take(route: route.name, status: answer.status, atMs: atMs)
    }
    guard let value = try? JSONValue.parse(answer.body, sparesRows: true) else {
      return ledger.noteUnreadable()
    }
    guard route.holdsRows else {
      return ledger.take(document: value, called: "answer", from: route.name, atMs: atMs)
    }
    for row in value.array ?? [] { ledger.take(row: row, from: route.name, atMs: atMs) }
  }
}
