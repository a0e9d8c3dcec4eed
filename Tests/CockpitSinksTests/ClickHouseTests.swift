import CockpitHistory
import Foundation
import Networking
import Synchronization
import Testing

@testable import CockpitSinks

#if canImport(Glibc)
  import Glibc
#endif

/// Against ClickHouse's engine in a process of Python; passed over where it is not installed.
@Suite(.serialized) struct ClickHouseTests {
  private typealias Server = ClickHouseServer
  private static let isInstalled = Server.isInstalled

  @Test(
    "rows arrive once after merging by key, and a batch that is sent again is one insert",
    .enabled(if: isInstalled))
  func delivery() async throws {
    let server = try ClickHouseServer()
    defer { server.stop() }
    for statement in ClickHouseSchema.statements + ClickHouseSchema.statements {
      #expect(server.run(statement) != nil)
    }
    let place = SinkPlace()
    place.record((0..<1500).map { SinkRows.plain($0 / 2) })
    let port = server.port
    let url = try SinkURL("http://127.0.0.1:\(port)", allowsPlainHTTP: false)
    let requests = Requests()
    for _ in 0..<2 {
      var plan = place.plan("events") {
        ClickHouseTarget(
          url: url, bot: "prod",
          name: "events", http: { requests.http($0, port) })
      }
      plan.beginsAgain = true
      let sink = SinkThread(plan, nowMs: { SinkPlace.nowMs })
      #expect(await sink.end())
      #expect(sink.state.parked == 0)
    }
    #expect(server.run("SELECT count() FROM clanky.action FINAL")?.trimmed == "1500")
    #expect(
      server.run("SELECT uniqExact(key) FROM clanky.action")?.trimmed == "1500")
    #expect(
      server.run("SELECT count() FROM clanky.action FINAL WHERE hasToken(words, '37')")?.trimmed
        == "2")
  }

  @Test("an id that is learned after its row was sent replaces the row", .enabled(if: isInstalled))
  func learned() async throws {
    let server = try ClickHouseServer()
    defer { server.stop() }
    for statement in ClickHouseSchema.statements { #expect(server.run(statement) != nil) }
    let place = SinkPlace()
    let port = server.port
    let url = try SinkURL("http://127.0.0.1:\(port)", allowsPlainHTTP: false)
    let requests = Requests()
    func run() async {
      let sink = SinkThread(
        place.plan("events") {
          ClickHouseTarget(
            url: url, bot: "prod", name: "events", http: { requests.http($0, port) })
        }, nowMs: { SinkPlace.nowMs })
      #expect(await sink.end())
      #expect(sink.state.parked == 0)
    }
    place.record((0..<100).map { SinkRows.plain($0, id: $0 < 5 ? 1000 + $0 : nil) })
    await run()
    let learned = Dictionary(uniqueKeysWithValues: (50..<100).map { ($0, 1000 + $0) })
    place.learn(learned, first: 2000, receivedMs: SinkPlace.nowMs + 86_400_000)
    await run()
    await run()
    let rows = server.run(
      "SELECT words, action_id FROM clanky.action FINAL WHERE action_id IS NOT NULL ORDER BY action_id"
    )
    let expected = (Array(0..<5) + Array(50..<100)).map { "row \($0)\t\(1000 + $0)" }
    #expect(rows?.trimmed.split(separator: "\n").map(String.init) == expected)
    #expect(server.run("SELECT count() FROM clanky.action FINAL")?.trimmed == "100")
  }

  @Test("hostile text arrives whole", .enabled(if: isInstalled))
  func hostile() async throws {
    let server = try ClickHouseServer()
    defer { server.stop() }
    for statement in ClickHouseSchema.statements { #expect(server.run(statement) != nil) }
    let place = SinkPlace()
    place.record(HostileTexts.contents.enumerated().map { HostileTexts.row($0.offset, $0.element) })
    let port = server.port
    let url = try SinkURL("http://127.0.0.1:\(port)", allowsPlainHTTP: false)
    let requests = Requests()
    let sink = SinkThread(
      place.plan("events") {
        ClickHouseTarget(
          url: url, bot: "prod",
          name: "events", http: { requests.http($0, port) })
      }, nowMs: { SinkPlace.nowMs })
    #expect(await sink.end())
    #expect(sink.state.parked == 0)
    let sums = server.run("SELECT sum(length(body)) FROM clanky.action")?.trimmed
    #expect(sums == String(try place.recorded().reduce(0) { $0 + $1.json.count }))
  }

  @Test("a batch is lines of JSON with the columns of the table")
  func lines() throws {
    let place = SinkPlace()
    place.record([SinkRows.plain(7, metadata: #"{"durationMs":12,"transcript":"lone \ud83d"}"#)])
    let bot = try HistoryNotes.sinkBot(named: "x", in: place.path)
    let source = try SinkSource(folder: place.path, bot: bot, level: .none, keepsPrompts: true)
    let row = try #require(try source.page(after: SequencePlace(), nowMs: 0).rows.first)
    let line = String(decoding: ClickHouseTarget.line(row, bot: "prod"), as: UTF8.self)
    #expect(
      line.hasPrefix(#"{"bot":"prod","at":"\#(SinkRows.iso(SinkPlace.nowMs + 7).prefix(10)) "#))
    #expect(line.contains(#""duration_ms":12"#))
    #expect(line.contains(#""words":"row 7\nlone \ufffd""#))
  }

  /// Sends requests, and loses every third answer.
  private final class Requests: Sendable {
    private let count = Mutex(0)

    func http(_ request: SinkRequest, _ port: Int) -> SinkReply {
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      let reply = ClickHouseServer.http(request, port)
      return number % 3 == 1 ? .failed("the connection was lost") : reply
    }
  }
}

extension String {
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
