import CockpitHistory
import CockpitSinks
import Foundation
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Against a real server; passed over where none is installed.
@Suite(.enabled(if: PostgresServer.isInstalled), .serialized) struct PostgresTests {
  @Test(
    "rows arrive once whatever happens to the server and to the sink's place, and twins are dropped"
  )
  func delivery() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    // A second time changes nothing.
    try PostgresSetup.run(dsn: server.dsn)
    let place = SinkPlace()
    place.record((0..<1200).map { SinkRows.plain($0) })
    #expect(try await Self.run(place, server).problem == nil)
    #expect(server.query("select count(*) from clanky.action") == "1200")
    let notes = URL(filePath: place.path + "/notes.db")
    let before = try Data(contentsOf: notes)
    place.record((2000..<2100).map { SinkRows.plain($0) }, first: 2000)
    _ = try await Self.run(place, server)
    try before.write(to: notes)
    // The server is killed while the sink runs again.
    server.kill()
    let sink = Self.start(place, server)
    let deadline = Date(timeIntervalSinceNow: 20)
    while sink.state.problem == nil, Date() < deadline {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(sink.state.problem != nil)
    try server.start()
    #expect(await sink.end())
    #expect(sink.state.problem == nil)
    #expect(server.query("select count(*) from clanky.action") == "1300")
    #expect(server.query("select count(distinct key) from clanky.action") == "1300")
    #expect(server.query("select count(*) from clanky.bot") == "1")
    #expect(
      server.query("select count(*) from pg_inherits where inhparent = 'clanky.action'::regclass")
        == "2")
  }

  @Test("hostile text: the bytes of a row come back, but for NUL and half pairs")
  func hostile() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    let place = SinkPlace()
    place.record(HostileTexts.contents.enumerated().map { HostileTexts.row($0.offset, $0.element) })
    #expect(try await Self.run(place, server).parked == 0)
    let sums = try place.recorded().map { row in
      server.md5(String(decoding: row.json, as: UTF8.self))
    }
    #expect(
      server.query("select md5(body) from clanky.action order by at")?.split(separator: "\n")
        .map(String.init) == sums)
  }

  @Test("an id that is learned after its row was sent fills in, also while the server is down")
  func learned() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    let place = SinkPlace()
    place.record((0..<1200).map { SinkRows.plain($0, id: $0 < 5 ? 1000 + $0 : nil) })
    _ = try await Self.run(place, server)
    let learned = Dictionary(uniqueKeysWithValues: (600..<1200).map { ($0, 1000 + $0) })
    place.learn(learned, first: 2000, receivedMs: SinkPlace.nowMs + 86_400_000)
    server.kill()
    let sink = Self.start(place, server)
    let deadline = Date(timeIntervalSinceNow: 20)
    while sink.state.problem == nil, Date() < deadline {
      try await Task.sleep(for: .milliseconds(20))
    }
    try server.start()
    #expect(await sink.end())
    #expect(sink.state.problem == nil)
    let rows = server.query(
      "select body::json->>'content', action_id from clanky.action where action_id is not null order by action_id"
    )
    let expected = (Array(0..<5) + Array(600..<1200)).map { "row \($0)|\(1000 + $0)" }
    #expect(rows?.split(separator: "\n").map(String.init) == expected)
    #expect(server.query("select count(*) from clanky.action") == "1200")
  }

  @Test("a writer may not delete, a newer schema and a missing one stop it, and nothing is parked")
  func rights() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    let place = SinkPlace()
    place.record((0..<3).map { SinkRows.plain($0) })
    func problem() async throws -> String {
      let sink = Self.start(place, server, user: "writer")
      let deadline = Date(timeIntervalSinceNow: 20)
      while sink.state.problem == nil, Date() < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      let words = sink.state.problem ?? ""
      #expect(sink.state.parked == 0)
      sink.stop(waiting: 10)
      return words
    }
    _ = server.query("create role writer login")
    #expect(try await problem().contains("clanky"))
    try PostgresSetup.run(dsn: server.dsn)
    _ = server.query("grant clanky_write to writer; update clanky.meta set value = '99'")
    #expect(try await problem().contains("newer schema"))
    _ = server.query("update clanky.meta set value = '2'")
    let sink = Self.start(place, server, user: "writer")
    #expect(await sink.end())
    #expect(server.query("select count(*) from clanky.action") == "3")
    #expect(server.query("delete from clanky.action", user: "writer") == nil)
  }

  @Test(
    "two recorders of one bot at the same time: each row once, with the ids that one of them has")
  func twoRecorders() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    // One heard the stream, whose rows have no ids; the other has read lists, and began earlier. Every second row is
    // equal to the one before it, at the same time.
    func rows(_ numbers: Range<Int>, haveIDs: Bool) -> [String] {
      numbers.map { number in
        SinkRows.plain(
          number / 2 * 2, atMs: SinkPlace.nowMs + Int64(number / 2 * 2),
          id: haveIDs ? 10_000 + number : nil)
      }
    }
    let (first, second) = (SinkPlace(), SinkPlace())
    for part in 0..<6 {
      let numbers = part * 500..<(part + 1) * 500
      if part > 0 { first.record(rows(numbers, haveIDs: false), first: part * 1000) }
      if part < 5 { second.record(rows(numbers, haveIDs: true), first: part * 1000) }
      // Both at once.
      let sinks = (part > 0 ? [first, second] : [second]).map { Self.start($0, server) }
      for sink in sinks {
        #expect(await sink.end(within: 120))
        #expect(sink.state.problem == nil)
      }
    }
    #expect(server.query("select count(*), count(distinct key) from clanky.action") == "3000|3000")
    #expect(server.query("select count(*) from clanky.bot") == "1")
    // The last part is known without ids.
    #expect(
      server.query(
        "select count(action_id), count(distinct action_id), min(action_id), max(action_id) from clanky.action"
      )
        == "2500|2500|10000|12499")
  }

  @Test("a password is in no problem, no parked row and no file of the history")
  func password() async throws {
    let server = try PostgresServer()
    defer { server.stop() }
    try PostgresSetup.run(dsn: server.dsn)
    _ = server.query(
      "create role writer login password 'r1ght-s3cret'; grant clanky_write to writer")
    let place = SinkPlace()
    place.record((0..<3).map { SinkRows.plain($0) })
    let data = server.folder + "/data/pg_hba.conf"
    try "local all postgres trust\nlocal all all scram-sha-256\n".write(
      toFile: data, atomically: false, encoding: .utf8)
    _ = server.query("select pg_reload_conf()")
    let file = place.path + ".pass"
    defer { try? FileManager.default.removeItem(atPath: file) }
    for secret in ["wr0ng-s3cret", "r1ght-s3cret"] {
      try "*:*:*:writer:\(secret)\n".write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
      let sink = Self.start(place, server, user: "writer passfile=\(file)")
      let deadline = Date(timeIntervalSinceNow: 20)
      while sink.state.problem == nil, !sink.state.isOver, Date() < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      let words = sink.state.problem
      #expect((words == nil) == (secret == "r1ght-s3cret"), "\(words ?? "")")
      #expect(words?.contains("authentication failed") ?? true)
      #expect(words?.contains("s3cret") != true)
      sink.stop(waiting: 10)
      #expect(try HistoryNotes.parkedRows(in: place.path).isEmpty)
    }
    #expect(server.query("select count(*) from clanky.action") == "3")
    for name in try FileManager.default.contentsOfDirectory(atPath: place.path) {
      let bytes = try Data(contentsOf: URL(filePath: place.path + "/" + name))
      #expect(bytes.firstRange(of: Data("s3cret".utf8)) == nil, "\(name)")
    }
  }

  private static func start(
    _ place: SinkPlace, _ server: PostgresServer, user: String = "postgres"
  ) -> SinkThread {
    let dsn = "host=\(server.folder) port=5432 dbname=postgres user=\(user)"
    var plan = SinkThread.Plan(
      name: "team", kind: "postgres", folder: place.path, botName: "clanky#0001", level: .none,
      keepsPrompts: true, maxLagMs: 1
    ) { known throws(SinkProblem) in
      try SinkTargets.postgres(dsn: dsn, bot: "prod", botName: known.name)
    }
    plan.fromMs = 0
    plan.isOnce = true
    return SinkThread(plan, nowMs: { SinkPlace.nowMs })
  }

  private static func run(
    _ place: SinkPlace, _ server: PostgresServer
  ) async throws -> SinkThread.State {
    let sink = start(place, server)
    #expect(await sink.end())
    return sink.state
  }
}

/// A server of its own on a socket in a folder of its own.
final class PostgresServer {
  let folder: String
  var dsn: String { "host=\(folder) port=5432 dbname=postgres user=postgres" }

  static let isInstalled = ServerProcess.works(
    "command -v initdb && command -v pg_ctl && command -v psql")

  /// The server does not run as root.
  private static let prefix = getuid() == 0 ? "runuser -u postgres -- " : ""

  init() throws {
    // A path of a socket has 107 bytes at most.
    folder = "/tmp/pg-\(UInt32.random(in: 0 ... .max))"
    let made = ServerProcess.works(
      "mkdir -m 700 \(folder) && \(getuid() == 0 ? "chown postgres \(folder) && " : "")"
        + "\(Self.prefix)initdb -D \(folder)/data -U postgres -A trust --no-sync")
    guard made else { throw CocoaError(.fileWriteUnknown) }
    try start()
  }

  func start() throws {
    let options = "-c listen_addresses= -c unix_socket_directories=\(folder) -c fsync=off"
    let isUp = ServerProcess.works(
      "\(Self.prefix)pg_ctl -D \(folder)/data -l \(folder)/log -w -o '\(options)' start >/dev/null")
    guard isUp else { throw CocoaError(.fileWriteUnknown) }
  }

  func kill() {
    _ = ServerProcess.works("\(Self.prefix)pg_ctl -D \(folder)/data -m immediate -w stop")
  }

  func stop() {
    kill()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The answer, a row a line; nil if the server refuses.
  func query(_ sql: String, user: String = "postgres") -> String? {
    let quoted = sql.replacing("'", with: "'\\''")
    return ServerProcess.output(
      "psql -h \(folder) -U \(user) -d postgres -v ON_ERROR_STOP=1 -Atqc '\(quoted)'")?
      .trimmingCharacters(in: .newlines)
  }

  func md5(_ text: String) -> String? {
    let file = FileManager.default.temporaryDirectory.path + "/md5-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    guard (try? text.write(toFile: file, atomically: true, encoding: .utf8)) != nil else {
      return nil
    }
    return ServerProcess.output("md5sum < \(file)").map { String($0.prefix(32)) }
  }
}
