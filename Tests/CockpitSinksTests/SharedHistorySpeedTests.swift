import CockpitHistory
import Foundation
import Testing

@testable import CockpitSinks

private let wantedRows = ProcessInfo.processInfo.environment["SHARED_HISTORY_ROWS"].flatMap {
  Int($0)
}

/// How long pages of a shared history take. It takes minutes, so it runs when SHARED_HISTORY_ROWS says of how many rows.
@Suite(.serialized, .enabled(if: wantedRows != nil)) struct SharedHistorySpeedTests {
  /// The first page may take 300 ms, each further one 100 ms, of 1,000 rows.
  private static let firstMs = 300.0
  private static let furtherMs = 100.0

  @Test("pages of PostgreSQL", .enabled(if: PostgresServer.isInstalled))
  func postgres() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    let place = Self.recorded()
    let dsn = server.dsn
    try await place.deliver("postgres") { known throws(SinkProblem) in
      try SinkTargets.postgres(dsn: dsn, bot: "prod", botName: known.name)
    }
    _ = server.query("analyze")
    try Self.measure("PostgreSQL") { () throws(HistoryError) in try PostgresReader(dsn: dsn) }
  }

  @Test("pages of ClickHouse", .enabled(if: ClickHouseServer.isInstalled))
  func clickHouse() async throws {
    let server = try ClickHouseServer()
    defer { server.stop() }
    for statement in ClickHouseSchema.statements { #expect(server.run(statement) != nil) }
    let place = Self.recorded()
    let (url, http) = ("http://127.0.0.1:\(server.port)", server.http)
    try await place.deliver("events") { _ throws(SinkProblem) in
      try SinkTargets.clickHouse(
        url: url, allowsPlainHTTP: false, bot: "prod", name: "events", records: nil, http: http)
    }
    try Self.measure("ClickHouse") { () throws(HistoryError) in
      try ClickHouseReader(url: url, allowsPlainHTTP: false, http: http, stop: {})
    }
  }

  /// Rows of some 1,600 bytes.
  private static func recorded() -> SinkPlace {
    let place = SinkPlace()
    let text = String(repeating: "what the model was asked and has answered, ", count: 30)
    let count = wantedRows ?? 0
    for first in stride(from: 0, to: count, by: 5000) {
      place.record(
        (first..<min(first + 5000, count)).map {
          SinkRows.plain(
            $0, metadata: #"{"model":"m-\#($0 % 9)","replyText":"\#($0 % 400) \#(text)"}"#)
        }, first: first)
    }
    return place
  }

  private static func measure(
    _ name: String, _ open: () throws(HistoryError) -> any SharedDatabase
  ) throws {
    let clock = ContinuousClock()
    func ms(_ duration: Duration) -> Double {
      Double(duration.components.attoseconds) / 1e15 + Double(duration.components.seconds) * 1000
    }
    // With the connection, as after the key.
    var history: SharedHistory?
    var place = HistoryPlace(atMs: .max, seq: .max)
    let first = try clock.measure {
      let database = try open()
      let bot = try SharedBot.find(
        "prod", orKnownAs: [], in: try SharedBot.all(in: database), of: name)
      let new = SharedHistory(database, bot: bot, name: name)
      place = try new.rows(before: place, limit: 1000).last?.place ?? place
      history = new
    }
    let shared = try #require(history)
    var pages: [Double] = []
    for _ in 0..<50 {
      pages.append(
        ms(
          try clock.measure {
            place = try shared.rows(before: place, limit: 1000).last?.place ?? place
          }))
    }
    let words = ms(
      try clock.measure {
        _ = try shared.search(HistorySearch(terms: [.init(words: ["399"])]), limit: 50)
      })
    pages.sort()
    print(
      "\(name): first page \(Int(ms(first))) ms; further ones \(Int(pages[25])) ms, 95 % within \(Int(pages[47])) ms; a word \(Int(words)) ms"
    )
    #expect(ms(first) <= firstMs)
    #expect(pages[25] <= furtherMs)
  }
}
