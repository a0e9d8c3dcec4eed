import CockpitDomain
import CockpitFiles
import CockpitHistory
import CockpitStores
import Foundation
import Networking
import Testing

@testable import CockpitSession

@MainActor @Suite struct RecordingTests {
  @Test(
    "answers that panes show are recorded; settings, credentials, searches and private facts are not"
  )
  func routes() {
    func name(
      _ path: String, _ query: [RequestTarget.QueryItem] = [], _ method: HTTPMethod = .get,
      isPrivate: Bool = false
    ) -> String? {
      let target = RequestTarget(path.split(separator: "/").map(String.init), query: query)
      return RecordedRoutes.name(
        of: RestRequest(method, target), recordsOwnerPrivate: isPrivate)
    }
    #expect(name("api/guilds") == "GET /api/guilds")
    #expect(
      name("api/memory/facts", [.init("guildId", "g1"), .init("limit", "5")])
        == "GET /api/memory/facts?guildId=g1&limit=5")
    #expect(name("api/memory/owner-private/facts", isPrivate: true) != nil)
    for path in [
      "api/settings", "api/settings/refresh", "api/oauth/status", "api/auth/login", "api/actions",
      "api/memory/search", "api/memory/owner-private/facts", "api/memory/runtime-snapshot", "",
      "api", "other/guilds",
    ] {
      #expect(name(path) == nil, "\(path)")
    }
    #expect(name("api/memory/facts", [.init("q", "secret")]) == nil)
    #expect(name("api/automations", [], .post) == nil)
  }

  @Test(
    "a clock of the bot that is off: its times as told, the difference in a record; a new log is a record"
  )
  func clockAndReset() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/rec-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let recorder = recorder(in: folder)
    let feed = RecorderFeed(recorder, recordsOwnerPrivate: false)
    let time = ReceiveTime(wallMs: 1_795_557_600_400, ns: 5_000_000_000)
    feed.received(.status(SourceStatus(overall: .live, skewMs: 60_000)), at: time)
    feed.received(.logReplaced, at: time)
    #expect(recorder.stop(waiting: 60))
    let links = try HistoryFolder(folder).links(after: .min, through: .max)
    let state = try #require(links.first { $0.what == .state })
    #expect(String(decoding: state.value, as: UTF8.self).contains("\"skew_ms\":60000"))
    #expect(state.atMs == time.wallMs + 60_000 && state.receivedMs == time.wallMs)
    #expect(links.contains { $0.what == .reset })
  }

  private func recorder(in folder: String) -> HistoryRecorder {
    HistoryRecorder(
      folder: folder,
      RecorderSettings(
        keepMs: nil, maxBytes: nil, windowMs: 5, what: "test", version: "0", bot: "b")
    ) { 1_795_557_600_500 }
  }

  @Test("what a gateway fills in from its own list is not recorded; what was heard is")
  func filledIn() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/rec-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = ActionLog()
    let recorder = recorder(in: folder)
    log.observer =
      RecorderFeed(recorder, recordsOwnerPrivate: false, isGateway: true).rowObserver
    let filled =
      #"[{"kind":"tool_started","content":"a","createdAt":"2026-11-24T21:00:00.000Z","metadata":{"filledIn":true}}]"#
    let heard =
      #"{"kind":"tool_started","content":"b","createdAt":"2026-11-24T22:00:00.000Z","metadata":{}}"#
    Array(filled.utf8).withUnsafeBytes { _ = log.ingestRows($0, nowMs: 1_795_557_600_100) }
    try Array(heard.utf8).withUnsafeBytes {
      _ = try log.ingestLive($0, from: .activity, nowMs: 1_795_557_600_200)
    }
    #expect(recorder.stop(waiting: 60))
    let rows = try HistoryFolder(folder).rows(notAfterMs: .max, limit: 10, skipping: 0)
    #expect(rows.map(\.json) == [Array(heard.utf8)] && log.endRow - log.firstRow == 2)
  }

  @Test("rows, twins, ids and documents of a session come back out of its history")
  func session() throws {
    let folder =
      FileManager.default.temporaryDirectory.path + "/rec-\(UInt64.random(in: 0 ... .max))"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let log = ActionLog()
    let recorder = recorder(in: folder)
    let feed = RecorderFeed(recorder, recordsOwnerPrivate: false)
    log.observer = feed.rowObserver
    func bytes(_ text: String, _ work: (UnsafeRawBufferPointer) throws -> Void) rethrows {
      try Array(text.utf8).withUnsafeBytes(work)
    }
    let live = """
      {"kind":"llm_call","content":"a","createdAt":"2026-11-24T22:00:00.000Z","metadata":{}}
      """
    let stored = """
      [{"id":7,"kind":"llm_call","content":"a","created_at":"2026-11-24T22:00:00.000Z","metadata":{}},
      {"id":6,"kind":"llm_call","content":"b","created_at":"2026-11-24T21:00:00.000Z","metadata":{}}]
      """
    try bytes(live) { _ = try log.ingestLive($0, from: .activity, nowMs: 1_795_557_600_100) }
    bytes(stored) { _ = log.ingestRows($0, nowMs: 1_795_557_600_200) }
    bytes(stored) { _ = log.ingestRows($0, nowMs: 1_795_557_600_300) }
    let time = ReceiveTime(wallMs: 1_795_557_600_400, ns: 5_000_000_000)
    bytes(#"{"calls":1}"#) { feed.received(.document(.stats, $0), at: time) }
    bytes(#"{"calls":2}"#) { feed.received(.document(.stats, $0), at: time) }
    let answer = RestAnswer(status: 200, body: Array("[1]".utf8), latencyMs: 1)
    feed.received(
      .answer(RestRequest(.get, RequestTarget(["api", "guilds"])), .success(answer)), at: time)
    feed.received(
      .answer(RestRequest(.get, RequestTarget(["api", "settings"])), .success(answer)), at: time)
    feed.received(.gap(.missing(IDGap(from: 3, to: 5, atMs: 1))), at: time)
    feed.received(.gap(.missing(IDGap(from: 1, to: 2, atMs: 1))), at: time)
    feed.received(.gap(.closed(IDGap(from: 1, to: 2, atMs: 1), count: 2)), at: time)
    #expect(recorder.stop(waiting: 60))
    let history = try HistoryFolder(folder)
    let rows = try history.rows(notAfterMs: .max, limit: 10, skipping: 0)
    #expect(rows.map(\.actionID) == [7, 6])
    #expect(rows.map(\.channels) == [[.activity, .stored], .stored])
    #expect(rows.first?.json == Array(live.utf8))
    #expect(rows.first?.receivedMs == 1_795_557_600_100)
    #expect(try history.documentNames(notAfterMs: .max) == ["GET /api/guilds", "stats"])
    #expect(
      try history.document("stats", notAfterMs: .max)?.body == Array(#"{"calls":1}"#.utf8))
    #expect(try history.link(.gap, notAfterMs: .max) != nil)
    // It ends with the first row after it; the other gap was closed.
    let gaps = try history.gaps(after: .min, through: .max)
    let six = try #require(rows.last?.atMs)
    #expect(gaps.map(\.ids) == [3...5] && gaps.map(\.fromMs) == [1] && gaps.map(\.toMs) == [six])
    #expect(try history.gaps(after: six, through: .max).isEmpty)
  }
}
