import ClankyWire
import CockpitHistory
import CockpitSinks
import Foundation
import Testing

/// Against a real server; passed over where none is installed.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized) struct SharedRetentionTests {
  @Test("months that are old as a whole go, and what has no month; by the owner alone")
  func prune() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    // 2026-09-21, the 50 days before it, and a row of long ago in no month's partition.
    let dayMs: Int64 = 86_400_000
    _ = server.query(
      """
      insert into clanky.bot(name, fingerprint) values ('b', '\\x01');
      insert into clanky.action(bot, at, key, kind)
      select id, '1999-05-05', gen_random_uuid(), 'llm_call' from clanky.bot;
      select clanky.make_partition('2026-08-01'), clanky.make_partition('2026-09-01')
      """)
    for day in 0..<50 {
      _ = server.query(
        """
        insert into clanky.action(bot, at, key, kind) select id,
        to_timestamp(\((SinkPlace.nowMs - Int64(day) * dayMs) / 1000)), gen_random_uuid(), 'llm_call'
        from clanky.bot
        """)
    }
    #expect(server.query("select count(*) from clanky.action") == "51")
    // August is not over before September.
    let early = try PostgresRetention.parts(
      dsn: server.dsn, beforeMs: Self.ms("2026-08-31T23:59:59.999Z"))
    #expect(early.map(\.name) == ["action_rest"])
    let beforeMs = Self.ms("2026-09-10T00:00:00.000Z")
    let parts = try PostgresRetention.parts(dsn: server.dsn, beforeMs: beforeMs)
    #expect(parts.map(\.name) == ["action_2026_08", "action_rest"])
    #expect(parts.map(\.from) == ["2026-08-01", ""])
    #expect(parts.map(\.to) == ["2026-08-31", ""])
    #expect(parts.map(\.rows) == [nil, 1])
    _ = server.query("create role writer login; grant clanky_write to writer")
    let writer = "host=\(server.folder) port=5432 dbname=postgres user=writer"
    #expect(throws: SinkProblem.self) {
      try PostgresRetention.remove(parts, dsn: writer, beforeMs: beforeMs) { _ in }
    }
    #expect(server.query("select count(*) from clanky.action") == "51")
    var gone: [String] = []
    try PostgresRetention.remove(parts, dsn: server.dsn, beforeMs: beforeMs) {
      gone.append($0.name)
    }
    #expect(gone == parts.map(\.name))
    #expect(server.query("select min(at)::date >= '2026-09-01' from clanky.action") == "t")
    #expect(server.query("select count(*) from clanky.action") == "21")
    #expect(try PostgresRetention.parts(dsn: server.dsn, beforeMs: beforeMs).isEmpty)
    // A writer makes the partition again when it has rows of that month.
    let place = SinkPlace()
    place.record([SinkRows.plain(0, atMs: Self.ms("2026-08-20T00:00:00.000Z"))])
    var plan = SinkThread.Plan(
      name: "team", kind: "postgres", folder: place.path, botName: "clanky#0001", level: .none,
      keepsPrompts: true, maxLagMs: 1
    ) { known throws(SinkProblem) in
      try SinkTargets.postgres(dsn: writer, bot: "prod", botName: known.name)
    }
    plan.fromMs = 0
    plan.isOnce = true
    let sink = SinkThread(plan, nowMs: { SinkPlace.nowMs })
    #expect(await sink.end())
    #expect(sink.state.problem == nil)
    #expect(server.query("select count(*) from clanky.action_2026_08") == "1")
  }

  private static func ms(_ iso: String) -> Int64 { WireTime(iso: iso)?.milliseconds ?? 0 }
}
