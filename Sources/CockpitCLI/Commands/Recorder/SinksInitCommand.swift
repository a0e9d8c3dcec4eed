import ArgumentParser
import CockpitFiles
import CockpitSession
import CockpitSinks
import CurlTransport
import Foundation
import TerminalCore

/// `sinks init`: the tables of a shared history.
struct SinksInitCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make the tables of a sink that is a database.",
    usage: "clanky-cockpit sinks init NAME [OPTIONS]",
    discussion: """
      For kind = "postgres" and kind = "clickhouse". What is there already stays. With --print nothing is done.
      PostgreSQL: the role needs to create a schema and roles; give clanky_write to writers and clanky_read to readers.
      """)

  @OptionGroup var shared: SharedOptions

  @Argument(help: ArgumentHelp("The sink.", valueName: "NAME"))
  var name: String

  @Flag(help: "Print the statements and do nothing.")
  var print = false

  @MainActor func run(in environment: Environment) async throws {
    let settings = try Settings(shared, in: environment)
    guard let (_, sink) = try settings.sinks(named: [name]).first else { return }
    let statements: [String]
    switch sink.kind {
    case .postgres: statements = [PostgresSchema.sql]
    case .clickhouse: statements = SinkTargets.clickHouseSchema.map { $0 + ";" }
    case .prometheus, .ndjson, .loki, .otlp:
      throw Failure(.usage, "the sink '\(name)' is no database; there is nothing to make")
    }
    guard !print else {
      for line in statements.flatMap({ $0.split(separator: "\n") }) {
        environment.output.line(PlainText(String(line), limit: 1000))
      }
      return
    }
    let result: Result<Void, SinkProblem>
    if sink.kind == .postgres {
      let dsn = sink.dsn ?? ""
      result = await OwnThread.run {
        Result { () throws(SinkProblem) in try PostgresSetup.run(dsn: dsn) }
      }
    } else {
      result = try await onClickHouse(sink, settings, in: environment)
    }
    do throws(SinkProblem) {
      try result.get()
    } catch {
      throw Failure(.failed, error.description)
    }
  }

  @MainActor
  private func onClickHouse(
    _ sink: Configuration.Sink, _ settings: Settings, in environment: Environment
  ) async throws(Failure) -> Result<Void, SinkProblem> {
    let clock = DispatchClock(loop: environment.eventLoop)
    let transport = try environment.sinkTransport(settings, clock)
    defer { transport.shutdown() }
    let http = SinkDoor(transport, clock: clock).http(headers: [], command: sink.headersCommand)
    let url = sink.url ?? ""
    let isPlain = sink.allowPlainHTTP ?? false
    return await OwnThread.run {
      Result { () throws(SinkProblem) in
        for statement in SinkTargets.clickHouseSchema {
          try SinkTargets.runOnClickHouse(
            statement, url: url, allowsPlainHTTP: isPlain, http: http)
        }
      }
    }
  }
}
