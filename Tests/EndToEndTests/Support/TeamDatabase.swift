import Foundation
import TerminalTestKit

#if canImport(Glibc)
  import Glibc
#endif

/// A PostgreSQL server on a socket of its own, and ClickHouse's engine behind HTTP, for one test.
final class TeamDatabase {
  struct NoServer: Error {}

  static let hasPostgres = works("command -v initdb && command -v pg_ctl")
  static let hasClickHouse = works("python3 -c 'import chdb'")

  /// What the table of a sink has.
  let sink: String
  private let folder: String?
  private let process: PipedProcess?

  /// The server does not run as root.
  private static let prefix = getuid() == 0 ? "runuser -u postgres -- " : ""

  private static func works(_ line: String) -> Bool {
    system("{ \(line)\n} >/dev/null 2>&1 </dev/null") == 0
  }

  private init(sink: String, folder: String? = nil, process: PipedProcess? = nil) {
    self.sink = sink
    self.folder = folder
    self.process = process
  }

  static func postgres() throws -> TeamDatabase {
    // A path of a socket has 107 bytes at most.
    let folder = "/tmp/pg-\(UInt32.random(in: 0 ... .max))"
    let options = "-c listen_addresses= -c unix_socket_directories=\(folder) -c fsync=off"
    guard
      works(
        "mkdir -m 700 \(folder) && \(getuid() == 0 ? "chown postgres \(folder) && " : "")"
          + "\(prefix)initdb -D \(folder)/data -U postgres -A trust --no-sync && "
          + "\(prefix)pg_ctl -D \(folder)/data -l \(folder)/log -w -o '\(options)' start")
    else { throw NoServer() }
    return TeamDatabase(
      sink:
        #"{ kind = "postgres", dsn = "host=\#(folder) port=5432 dbname=postgres user=postgres" }"#,
      folder: folder)
  }

  static func clickHouse() throws -> TeamDatabase {
    let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(
        path: "CockpitSinksTests/Vectors/clickhouse-server.py")
    let process = try PipedProcess(
      "/usr/bin/env", ["python3", script.path()], environment: ProcessInfo.processInfo.environment)
    guard process.pump(until: { !process.lines.isEmpty }), let port = Int(process.lines[0]) else {
      throw NoServer()
    }
    return TeamDatabase(
      sink: #"{ kind = "clickhouse", url = "http://127.0.0.1:\#(port)" }"#, process: process)
  }

  func stop() {
    if let folder {
      _ = Self.works("\(Self.prefix)pg_ctl -D \(folder)/data -m immediate -w stop")
      try? FileManager.default.removeItem(atPath: folder)
    }
    // The engine takes SIGTERM for itself.
    process?.signal(SIGKILL)
    process?.wait()
  }
}
